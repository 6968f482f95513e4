#!/bin/sh
# SPDX-License-Identifier: MIT
# A tmpfs that only the build sees, in a mount namespace of its own: watched, and told.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need unshare

cat >"$scratch/build.sh" <<'END'
mkdir -p "$1/own" && mount -t tmpfs -o size=40m none "$1/own"
i=0
while [ $i -lt 38 ]; do
	head -c 1048576 /dev/zero >>"$1/own/data"
	i=$((i + 1))
	sleep 0.1
done
sleep 2
END
watched space -- unshare -m --propagation private sh "$scratch/build.sh" "$scratch"
cat "$scratch/space.err"
holds "$scratch/space.json" "[t['peak_bytes'] for t in d['tmpfs'] if t['mount'] == '$scratch/own'] == [38 * 1048576]" \
	"the build's own tmpfs has a row"
says "tmpfs $scratch/own is 9[0-9] % full" "$scratch/space.err" "and its alert"
