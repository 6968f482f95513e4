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
for file in one/1.buildtop one/3.json two/2.buildtop two/2.json results.txt results.md results.json; do
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
expect 3 "$BUILDTOP" bench -n 2 --variant good=dir:one --variant bad=dir:two -o second -- \
	sh -c 'case $BUILDTOP_WORKDIR in */two/*) exit 4; esac'
says err "bad: run 1 ended with status 4; this variant is not run again"
[ -e second/good/2.json ] && [ ! -e second/bad/2.json ] || fail "the wrong variant was stopped"
says err "it failed"
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

# a tmpfs of its own, which nobody else sees
unshare -m true 2>/dev/null || unshare -Um true 2>/dev/null || skip "no mount namespace is to be had"
rm -f "$LOG"
expect 0 "$BUILDTOP" bench -n 1 --variant disk --variant tmpfs:16M -o fifth --copy source \
	--prepare 'echo p >prepared' -- sh -c "$build"
grep -q '^tmpfs$' "$LOG" || fail "not built in a tmpfs"
! grep -q "fifth/.mnt" /proc/self/mountinfo || fail "the mount was left behind"
expect 0 "$BUILDTOP" report fifth/tmpfs-16M/1.buildtop
says out "fifth/.mnt"
