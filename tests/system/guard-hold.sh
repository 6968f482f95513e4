#!/bin/sh
# SPDX-License-Identifier: MIT
# --pause-on-full: four writers at memory speed into a small tmpfs never see ENOSPC; the build goes on when there is room
# and ends as one that was never held. And the other ways out: SIGTERM, SIGCONT to us, SIGCONT to the build.
# HOLD_RUNS: how often the first is done (2).
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need unshare make dd cmp

mkdir "$scratch/d"
cat >"$scratch/inside.sh" <<'END'
cd "$1" || exit 1
mount -t tmpfs -o size=300m none d
cat >Makefile <<'M'
all: $(addprefix d/o,1 2 3 4 5 6 7 8)
d/o%:
	@yes 'made $@' | dd of=$@ bs=4M count=16 iflag=fullblock status=none
M
: >err
(
	until grep -q 'is held' err; do sleep 0.05; done
	sleep 0.3
	mount -o remount,size=700m "$1/d"
) &
./buildtop --no-tui --no-record --pause-on-full -q --summary hold.json -- make -s -j4 2>err
status=$?
kill $! 2>/dev/null
[ $status = 0 ] || { cat err; exit 2; }
grep -q 'is held' err || exit 3
for i in 1 2 3 4 5 6 7 8; do
	yes "made d/o$i" | dd bs=4M count=16 iflag=fullblock status=none | cmp - d/o$i || exit 4
done
END
i=0
while [ $i -lt "${HOLD_RUNS:-2}" ]; do
	unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" || fail "run $i: status $?"
	i=$((i + 1))
done
ok "held and gone on, $i times of $i; all that was made is whole"
holds "$scratch/hold.json" "d['held_seconds'] > 0.2" "the time is told"
holds "$scratch/hold.json" "any(a['alert'] == 'pause-on-full' for a in d['alerts'])" "and the episode"
says 'make room: mount -o remount,size=[0-9]+M' "$scratch/err" "how to make room is said"

cat >"$scratch/ends.sh" <<'END'
cd "$1" || exit 1
mount -t tmpfs -o size=30m none d
cat >slow.sh <<'W'
trap 'echo terminated; exit 3' TERM
i=0
while [ $i -lt 80 ]; do
	head -c 500000 /dev/zero >>d/x || { echo full; exit 9; }
	i=$((i + 1))
	sleep 0.02
done
echo finished
W
: >err
./buildtop --no-tui --no-record --pause-on-full -q --summary ends.json -- sh slow.sh >out 2>err &
us=$!
n=0
until grep -q 'is held' err || [ $n -gt 300 ]; do
	sleep 0.1
	n=$((n + 1))
done
build=$(cut -d' ' -f1 /proc/$us/task/$us/children)
eval "$2"
wait $us
echo $? >status
END
ends() # WHAT OUTPUT STATUS SENTENCE
{
	unshare -m --propagation private sh "$scratch/ends.sh" "$scratch" "$1"
	[ "$(cat "$scratch/out") $(cat "$scratch/status")" = "$2 $3" ] ||
		fail "$4: '$(cat "$scratch/out")', status $(cat "$scratch/status")"
	ok "$4"
}
# shellcheck disable=SC2016 # read by the other shell
{
	ends 'kill -TERM $us' terminated 3 "SIGTERM ends a held build"
	ends 'kill -CONT $us' full 9 "SIGCONT to us lets it go on, full or not"
	ends 'kill -CONT $build' full 9 "SIGCONT to the build does too"
	ends ': >d/x' finished 0 "so does room"
}
