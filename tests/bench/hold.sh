#!/bin/sh
# SPDX-License-Identifier: MIT
# The limit of --pause-on-full: four writers at memory speed into a tmpfs of 300 MB, blocks of BLOCKS MB, RUNS runs each. Bad
# is a run in which a write was cut short or failed. Root, for a mount namespace.
set -eu
: "${BUILDTOP:=${builddir:-build}/buildtop}" "${RUNS:=20}" "${BLOCKS:=4 8 16 32}"
BUILDTOP=$(realpath "$BUILDTOP")
dir=$(mktemp -d /var/tmp/buildtop-hold.XXXXXX)
trap 'rm -rf --one-file-system "$dir"' EXIT
cat >"$dir/write.py" <<'END'
import os, sys
path, mega, bad = sys.argv[1], int(sys.argv[2]), sys.argv[3]
file = os.open(path, os.O_WRONLY | os.O_CREAT)
block = b"x" * (mega << 20)
for i in range(-(-96 // mega)):
    try:
        written = os.write(file, block)
    except OSError:
        written = -1
    if written != len(block):
        open(bad, "w").close()
        sys.exit(1)
END
cat >"$dir/inside.sh" <<'END'
cd "$1" || exit 1
mkdir -p d
mount -t tmpfs -o size=300m none d
: >err
(
	until grep -q 'is held' err; do sleep 0.05; done
	sleep 0.2
	mount -o remount,size=700m "$1/d"
) &
"$2" --no-tui --no-record --pause-on-full -q -- \
	sh -c 'for i in 1 2 3 4; do python3 write.py d/$i "$1" bad & done; wait' sh "$3" 2>err
kill $! 2>/dev/null
grep -q 'is held' err || : >unheld
END
for block in $BLOCKS; do
	bad=0 unheld=0 run=0
	while [ "$run" -lt "$RUNS" ]; do
		rm -f "$dir/bad" "$dir/unheld"
		timeout 60 unshare -m --propagation private sh "$dir/inside.sh" "$dir" "$BUILDTOP" "$block" || : >"$dir/bad"
		[ ! -e "$dir/bad" ] || bad=$((bad + 1))
		[ ! -e "$dir/unheld" ] || unheld=$((unheld + 1))
		run=$((run + 1))
	done
	echo "blocks of $block MB: $bad bad, $unheld never held, of $run"
done
