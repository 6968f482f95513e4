#!/bin/sh
# SPDX-License-Identifier: MIT
# Work of a server that is no child of ours is found by its command line and by its control group, and counted as the kernel counts it.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need python3
helper="$srcdir/tests/system/build-server.py"

listening() { [ -S "$1" ]; }
waiting() { grep -q 'waiting for one' "$1"; }

# used_by SUMMARY SECONDS: the CPU of the summary is those seconds and the little that the server itself needed.
used_by()
{
	holds "$1" "abs(d['cpu']['user_seconds'] + d['cpu']['system_seconds'] - $2) < 0.1 + 0.05 * $2" "$3"
}

# By command line; it waits for the server, which begins later.
"$BUILDTOP" watch --no-record --match 'build-server\.py serve .*/by-[n]ame$' --summary "$scratch/name.json" 2>"$scratch/name.err" &
watch=$!
wait_for 10 waiting "$scratch/name.err" || fail "it does not say that it waits"
ok "it says that it waits"
python3 "$helper" serve "$scratch/by-name" &
wait_for 10 listening "$scratch/by-name" || fail "the server does not listen"
used=$(python3 "$helper" ask "$scratch/by-name" 6 0.2)
kill -TERM "$watch" # a last sample is taken then; what ends between two is missed
wait "$watch" || true
python3 "$helper" quit "$scratch/by-name"
used_by "$scratch/name.json" "$used" "the server's work is counted, found by its command line"

# Where nothing matches, nothing is counted, whatever else runs.
"$BUILDTOP" watch --no-record --match 'no such [p]rocess' --summary "$scratch/none.json" 2>"$scratch/none.err" &
watch=$!
wait_for 10 waiting "$scratch/none.err" || fail "it does not wait where nothing matches"
kill -TERM "$watch"
wait "$watch" || true
holds "$scratch/none.json" 'd["cpu"]["user_seconds"] < 0.05' "nothing that does not match is counted"

# It ends with what it watches.
python3 "$helper" serve "$scratch/by-end" &
wait_for 10 listening "$scratch/by-end" || fail "the server does not listen"
"$BUILDTOP" watch --match 'build-server\.py serve .*/by-[e]nd$' --record "$scratch/end.buildtop" 2>"$scratch/end.err" &
watch=$!
has_begun() { [ -s "$scratch/end.buildtop" ]; }
wait_for 10 has_begun || fail "nothing is recorded"
python3 "$helper" quit "$scratch/by-end"
wait "$watch" || fail "watch gives $?"
says 'ended' "$scratch/end.err" "it ends with what it watches"
silent 'waiting for one' "$scratch/end.err" "it does not wait for what is there"

# By control group.
[ "$(id -u)" = 0 ] || skip "a control group needs root"
group=
for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/memory; do
	if [ -f "$root/cgroup.procs" ] && mkdir "$root/buildtop-test.$$" 2>"$scratch/mkdir.err"; then
		group=$root/buildtop-test.$$
		break
	fi
done
[ -n "$group" ] || skip "no control group can be made here"
"$BUILDTOP" watch --no-record --cgroup "$group" --summary "$scratch/group.json" 2>"$scratch/group.err" &
watch=$!
wait_for 10 waiting "$scratch/group.err" || fail "it does not say that the group is empty"
sh -c 'echo $$ >"$1/cgroup.procs"; exec python3 "$2" serve "$3"' sh "$group" "$helper" "$scratch/by-group" &
wait_for 10 listening "$scratch/by-group" || fail "the server does not listen"
used=$(python3 "$helper" ask "$scratch/by-group" 6 0.2)
kill -TERM "$watch" # a last sample is taken then; what ends between two is missed
wait "$watch" || true
python3 "$helper" quit "$scratch/by-group"
wait
rmdir "$group"
used_by "$scratch/group.json" "$used" "the group's work is counted"
