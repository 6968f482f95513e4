#!/bin/sh
# SPDX-License-Identifier: MIT
# How builds end in full file systems and what is said: SIGBUS in a small /dev/shm; a tmpfs that was full before is no
# alert; an alert about a disk that is not the build's.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

cat >"$scratch/map.py" <<'END'
import mmap, sys, time
file = open(sys.argv[1] + "/file", "w+b")
file.truncate(4 << 20)
memory = mmap.mmap(file.fileno(), 4 << 20)
for at in range(0, 4 << 20, 4096):
    memory[at] = 1
    if at == 1900 << 10:
        time.sleep(1.5)
END
cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/shm" "$1/full"
mount -t tmpfs -o size=2m none "$1/shm"
mount -t tmpfs -o size=20m none "$1/full"
head -c 19600000 /dev/zero >"$1/full/data"
"$1/buildtop" --no-tui --no-record --summary "$1/bus.json" -- "$2" "$1/map.py" "$1/shm" 2>"$1/bus.err"
echo $? >"$1/bus.status"
rm "$1/shm/file"
"$1/buildtop" --no-tui --no-record -q -- sleep 1.5 2>"$1/quiet.err"
"$1/buildtop" --no-tui --no-record -- sleep 1.5 2>"$1/full.err"
END
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$python"
cat "$scratch/bus.err"
[ "$(cat "$scratch/bus.status")" = 135 ] || fail "status $(cat "$scratch/bus.status") instead of 128 + SIGBUS"
says "it died of SIGBUS, and tmpfs $scratch/shm was (9[0-9]|100) % full" "$scratch/bus.err" "SIGBUS beside a full tmpfs is explained"
[ ! -s "$scratch/quiet.err" ] || fail "something was said: $(cat "$scratch/quiet.err")"
ok "full before: not a line, when quiet"
says "full up to .* of which .* were there before" "$scratch/full.err" "full before: the summary says so"

command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is not there"
cat >"$scratch/disk.sh" <<'END'
cd "$1" || exit 1
mkdir disk
truncate -s 64M image
mkfs.ext4 -q image
mount -o loop image disk || exit 77
./buildtop --no-tui --no-record -q --alert "disk:$1/disk<30M" -- sh -c '
	for i in 1 2 3 4 5 6 7 8; do head -c 4000000 /dev/zero >>disk/x; sleep 0.4; done' 2>disk.err
umount disk
END
status=0
unshare -m --propagation private sh "$scratch/disk.sh" "$scratch" || status=$?
[ $status != 77 ] || skip "no loop device to be had"
says "^buildtop: disk $scratch/disk is [0-9]+ % full" "$scratch/disk.err" "a disk is watched because an alert names it"
[ "$(wc -l <"$scratch/disk.err")" = 1 ] || fail "said more than once"
