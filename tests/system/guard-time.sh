#!/bin/sh
# SPDX-License-Identifier: MIT
# A tmpfs of 200 MB that is full after 80 s, and one that is out of inodes then: each is told once by its forecast, between
# 70 and 50 s before, and once when 90 % are in use.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

cat >"$scratch/fill.py" <<'END'
import os, sys, time
start = time.monotonic()
with open(sys.argv[1] + "/bytes/data", "wb", buffering=0) as data:
    for i in range(10 * 74):
        time.sleep(max(0, start + i / 10 - time.monotonic()))
        data.write(b"x" * 262144)
        for k in range(5 * i // 2, 5 * (i + 1) // 2):
            with open("%s/inodes/%d" % (sys.argv[1], k), "wb") as file:
                file.write(b"x")
END
cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/bytes" "$1/inodes"
mount -t tmpfs -o size=200m none "$1/bytes"
mount -t tmpfs -o size=200m,nr_inodes=2001 none "$1/inodes"
exec "$1/buildtop" --no-tui --no-record --summary "$1/time.json" -- "$2" "$1/fill.py" "$1" 2>"$1/time.err"
END
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$python" || fail "exit status $?"
cat "$scratch/time.err"
told() # ALERT MOUNT: when, in seconds
{
	echo "[a['start_seconds'] for a in d['alerts'] if a['alert'] == '$1' and a['mount'] == '$scratch/$2']"
}
for what in bytes inodes; do
	holds "$scratch/time.json" "len($(told 'tmpfs<60s' $what)) == 1 and 10 <= $(told 'tmpfs<60s' $what)[0] <= 30" \
		"$what: the forecast, once, 70 to 50 s before the end"
	holds "$scratch/time.json" "len($(told 'tmpfs>=90%' $what)) == 1 and 71 <= $(told 'tmpfs>=90%' $what)[0] <= 74" \
		"$what: 90 %, once, when it was so"
done
holds "$scratch/time.json" "all(a['writers'][0]['name'].startswith('python') for a in d['alerts'] if a['alert'] == 'tmpfs>=90%' and a['mount'] == '$scratch/bytes')" \
	"and who writes"
