#!/bin/sh
# SPDX-License-Identifier: MIT
# A FUSE file system that never answers: any call on it would hang for ever, so none is made.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
need strace
[ -c /dev/fuse ] || skip "no /dev/fuse"

cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/stuck"
"$2" - "$1/stuck" <<'PYTHON' &
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
fd = os.open("/dev/fuse", os.O_RDWR)
if libc.mount(b"stuck", sys.argv[1].encode(), b"fuse", 0, b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fd) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
open(sys.argv[1] + ".up", "w").close()
time.sleep(60)
PYTHON
fuse=$!
trap 'kill -9 $fuse' EXIT
until [ -e "$1/stuck.up" ]; do
	kill -0 $fuse 2>/dev/null || exit 77
	sleep 0.1
done
timeout -s KILL 1 stat -f "$1/stuck" >/dev/null 2>&1 && exit 78
timeout -s KILL 20 strace -f -qq -o "$1/calls" -e trace=file,statfs,fstatfs \
	"$1/buildtop" --no-tui --no-record --summary "$1/stuck.json" -- sh -c 'sleep 2; exit 5' 2>"$1/stuck.err"
echo $? >"$1/stuck.status"
END
status=0
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$python" || status=$?
[ "$status" != 77 ] || skip "no FUSE mount to be had"
[ "$status" != 78 ] || fail "the mount answers: this test tests nothing"
status=$(cat "$scratch/stuck.status")
[ "$status" = 5 ] || fail "exit status $status instead of the build's 5"
ok "it runs beside a file system that never answers"
# Reading about it in mountinfo is all that is allowed.
silent "\"$scratch/stuck[\"/]" "$scratch/calls" "no call on it is made"
says 'statfs' "$scratch/calls" "calls on others are: the test sees them"
