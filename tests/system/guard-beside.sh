#!/bin/sh
# SPDX-License-Identifier: MIT
# In a tmpfs that fills: a FUSE file system that never answers, and an autofs point. Who fills it is found all the same,
# nothing hangs, and nothing is mounted by us. Beside it one that is unmounted while it is watched.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
[ -c /dev/fuse ] || skip "no /dev/fuse"

cat >"$scratch/server.py" <<'END'
import ctypes, os, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def mount(source, target, kind, options):
    if libc.mount(source, target.encode(), kind, 0, options) != 0:
        sys.exit("%s: %s" % (kind, os.strerror(ctypes.get_errno())))
place = sys.argv[1]
os.setsid()
fuse = os.open("/dev/fuse", os.O_RDWR)
mount(b"stuck", place + "/d/stuck", b"fuse", b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse)
asked, tell = os.pipe()
mount(b"auto", place + "/d/auto", b"autofs", b"fd=%d,pgrp=%d,minproto=5,maxproto=5,direct" % (tell, os.getpgrp()))
os.set_blocking(asked, False)
open(place + "/up", "w").close()
while not os.path.exists(place + "/over"):
    time.sleep(0.1)
try:
    os.read(asked, 4096)
    open(place + "/triggered", "w").close()
except BlockingIOError:
    pass
END
cat >"$scratch/build.sh" <<'END'
cd "$1" || exit 1
mkdir -p d/objects
i=0
while [ $i -lt 90 ]; do
	head -c 300000 /dev/zero >>d/objects/data
	head -c 100000 /dev/zero >>gone/data 2>/dev/null
	[ $i != 30 ] || umount gone || exit 3
	i=$((i + 1))
	sleep 0.1
done
exit 5
END
cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/d" "$1/gone"
mount -t tmpfs -o size=40m none "$1/d"
mount -t tmpfs -o size=40m none "$1/gone"
mkdir "$1/d/stuck" "$1/d/auto"
"$2" "$1/server.py" "$1" &
server=$!
trap 'kill -9 $server 2>/dev/null' EXIT
until [ -e "$1/up" ]; do
	kill -0 $server 2>/dev/null || exit 77
	sleep 0.1
done
timeout -s KILL 1 stat -f "$1/d/stuck" >/dev/null 2>&1 && exit 78
wc -l </proc/self/mountinfo >"$1/before"
timeout -s KILL 40 "$1/buildtop" --no-tui --no-record --summary "$1/beside.json" -- sh "$1/build.sh" "$1" 2>"$1/beside.err"
echo $? >"$1/status"
wc -l </proc/self/mountinfo >"$1/after"
: >"$1/over"
wait $server
END
status=0
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$python" || status=$?
[ "$status" != 77 ] || skip "no FUSE or autofs mount to be had"
[ "$status" != 78 ] || fail "the mount answers: this test tests nothing"
cat "$scratch/beside.err"
[ "$(cat "$scratch/status")" = 5 ] || fail "exit status $(cat "$scratch/status") instead of the build's 5"
ok "it runs beside both"
[ "$(($(cat "$scratch/before") - 1))" = "$(cat "$scratch/after")" ] || fail "mounts: $(cat "$scratch/before"), then $(cat "$scratch/after")"
[ ! -e "$scratch/triggered" ] || fail "the automounter was asked to mount"
ok "nothing was mounted"
row="[t for t in d['tmpfs'] if t['mount'] == '$scratch/d'][0]"
holds "$scratch/beside.json" "${row}['largest'][0]['name'] == 'objects'" "what fills the tmpfs that they are in is found"
holds "$scratch/beside.json" "[t['peak_bytes'] >= 2000000 for t in d['tmpfs'] if t['mount'] == '$scratch/gone'] == [True]" \
	"one that was unmounted meanwhile keeps its peak"
