#!/bin/sh
# SPDX-License-Identifier: MIT
# The same build several ways: places, order, results, and a benchmark that is killed.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need awk

mkdir source one two
echo made >source/input
build='cat input prepared >result && echo "$BUILDTOP_WORKDIR" >>"$LOG" && stat -f -c %T . >>"$LOG"'
LOG=$work/places
export LOG

expect 0 "$BUILDTOP" bench -n 3 --variant one=dir:one --variant two=dir:two -o first --copy source \
	--prepare 'echo p >prepared' --seed 7 -- sh -c "$build"
says err "order by --seed 7"
says err "all done in about"
says out "two against one"
says out "3 runs against 3"
says out "two against one: "
says out "dirty limits now: dirty_ratio"
says out "one: limit of dirty pages "
says out "one: CPUs that others kept busy in each run:"
for file in one/1.buildtop one/3.json two/2.buildtop two/2.json results.txt results.md results.json results.html; do
	[ -s first/$file ] || fail "there is no first/$file"
done
[ "$(grep -c "^$work/one/buildtop-bench.d\$" places)" = 3 ] || fail "one was not built in its directory"
[ -z "$(ls one two | grep -v :)" ] || fail "a place was left behind"
expect 0 "$BUILDTOP" report first/one/1.buildtop
says out "variant      one"
expect 0 "$BUILDTOP" compare 'first/one/*.json' 'first/two/*.json'

# never over results that are there
expect 3 "$BUILDTOP" bench -n 1 --variant one=dir:one -o first -- true

# a run that fails ends its variant, and is shown
expect 1 "$BUILDTOP" bench -n 2 --variant good=dir:one --variant bad=dir:two -o second -- \
	sh -c 'case $BUILDTOP_WORKDIR in */two/*) exit 4; esac'
says err "bad: run 1 ended with status 4; this variant is not run again"
[ -e second/good/2.json ] && [ ! -e second/bad/2.json ] || fail "the wrong variant was stopped"
says out "no run succeeded"
grep -q "bad  *failed" out || fail "the failed run is not shown"
expect 3 "$BUILDTOP" bench -n 1 -o third --prepare false -- true
says err "what prepares a run failed"

# killed in the middle: finished runs are kept, the build ends, and the place is cleared when it goes on
rm -f "$LOG"
setsid "$BUILDTOP" bench -n 2 --variant one=dir:one -o fourth -- \
	sh -c 'echo $$ >>"$LOG"; [ "$(wc -l <"$LOG")" -lt 2 ] || exec sleep 600' >out 2>err </dev/null &
bench=$!
second_runs()
{
	[ -e "$LOG" ] && [ "$(wc -l <"$LOG")" -ge 2 ] && grep -q sleep "/proc/$(tail -n 1 "$LOG")/comm"
}
wait_for 30 second_runs || fail "the second run did not begin"
kill -9 "$bench"
wait "$bench" 2>/dev/null
gone()
{
	! grep -q sleep "/proc/$(tail -n 1 "$LOG")/comm" 2>/dev/null
}
wait_for 30 gone || fail "the build outlived the benchmark"
[ -s fourth/one/1.json ] || fail "the finished run is lost"
expect 0 "$BUILDTOP" bench -n 2 --variant one=dir:one -o fourth --resume -- true
! grep -q "run 1 of 2" err || fail "a finished run was run again"
[ -s fourth/one/2.json ] || fail "it did not go on"
[ ! -e one/buildtop-bench.d ] || fail "a place was left behind"

expect 2 "$BUILDTOP" bench --variant nosuch -- true
expect 2 "$BUILDTOP" bench -n 0 -- true
expect 2 "$BUILDTOP" bench --variant tmpfs --variant tmpfs -- true
expect 2 "$BUILDTOP" bench -n 3

# a matrix, and what varies in it
cat >matrix <<END
place = dir:one # here
cache = - warm
jobs = 1 5
env = A=1 -
END
rm -f "$LOG"
expect 0 "$BUILDTOP" bench -n 1 --warmup -o sixth --matrix matrix --copy source -- \
	sh -c 'echo "$MAKEFLAGS,$BUILDTOP_JOBS,$A" >>"$LOG"'
[ "$(ls sixth | grep -c ^dir-one)" = 8 ] || fail "not eight variants"
[ "$(wc -l <"$LOG")" = 16 ] || fail "not a run and one to warm up of each"
[ "$(sort "$LOG" | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" = "4-j1,1, 4-j1,1,1 4-j5,5, 4-j5,5,1 " ] ||
	fail "jobs and environment"
says out "dir-one-warm-j1: files were read, then "
says out "dir-one-j5 against dir-one-j1:"
! grep -q "dir-one-warm-j5 against dir-one-j1:" out || fail "a pair that differs in two settings"

# evicted: the file is out of memory when the build begins
if command -v fincore >/dev/null; then
	dd if=/dev/zero of=source/big bs=1M count=4 2>/dev/null
	expect 0 "$BUILDTOP" bench -n 1 -o seventh --copy source --variant dir:one,cache=evict -- \
		sh -c 'fincore -nbo RES big >"$LOG"'
	[ "$(stat -f -c %T one)" = tmpfs ] || [ "$(cat "$LOG")" -lt 1000000 ] || fail "the tree stayed in memory"
	says out "files were evicted, then "
	rm source/big
fi

# the words are kept: going on and putting away need none
setsid "$BUILDTOP" bench -n 3 --variant one=dir:one -o eighth --seed 9 -- \
	sh -c 'echo x >>"$LOG.n"; [ "$(wc -l <"$LOG.n")" -ne 2 ] || exec sleep 600' >out 2>err </dev/null &
bench=$!
second_begun()
{
	[ -e "$LOG.n" ] && [ "$(wc -l <"$LOG.n")" -ge 2 ]
}
wait_for 30 second_begun || fail "the second run did not begin"
expect 3 "$BUILDTOP" bench --resume -o eighth # it runs
says err "a benchmark into eighth runs"
kill -9 "$bench"
wait "$bench" 2>/dev/null
expect 0 "$BUILDTOP" bench --cleanup -o eighth
[ -s eighth/one/1.json ] || fail "a finished run is lost"
[ ! -e eighth/one/2.buildtop ] && [ ! -e eighth/.mnt ] && [ -z "$(ls one)" ] || fail "not put away"
cd source || exit 1 # from wherever
"$BUILDTOP" bench --resume -o ../eighth >../out 2>../err || fail "it does not go on without words"
cd .. || exit 1
[ -s eighth/one/3.json ] || fail "it did not go on by itself"

for wrong in disk,jobs=0 disk,cache=hot disk,sysctl=kernel.panic=1 disk,sysctl=vm.x/y=1 disk,env=A; do
	expect 2 "$BUILDTOP" bench --variant "$wrong" -- true
done

# a tmpfs of its own, which nobody else sees
unshare -m true 2>/dev/null || unshare -Um true 2>/dev/null || skip "no mount namespace is to be had"
rm -f "$LOG"
expect 0 "$BUILDTOP" bench -n 1 --variant disk --variant tmpfs:16M -o fifth --copy source \
	--prepare 'echo p >prepared' -- sh -c "$build"
grep -q '^tmpfs$' "$LOG" || fail "not built in a tmpfs"
! grep -q "fifth/.mnt" /proc/self/mountinfo || fail "the mount was left behind"
expect 0 "$BUILDTOP" report fifth/tmpfs-16M/1.buildtop
says out "fifth/.mnt"
