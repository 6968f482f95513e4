#!/bin/sh
# SPDX-License-Identifier: MIT
# A process whose files answer "no such process" from some read on is gone: no message, and the rest goes on.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need strace

# The parent is the root of what is watched, the child is the one that is made to vanish.
sh -c 'sleep 6 & echo $! >"$1"; wait' sh "$scratch/child" &
parent=$!
wait_for 5 test -s "$scratch/child" || fail "no child"
child=$(cat "$scratch/child")
# Every third read fails, at whatever step it comes; then all of them do.
for when in 2+3 1+; do
	status=0
	timeout -s INT 2.5 strace -f -qq -o "$scratch/calls" -P "/proc/$child/stat" -P "/proc/$child/task/$child/stat" \
		-e trace=read,pread64 -e inject=read,pread64:error=ESRCH:when=$when \
		"$BUILDTOP" watch --no-tui --no-record --summary "$scratch/gone.json" "$parent" \
		>"$scratch/gone.out" 2>"$scratch/gone.err" </dev/null || status=$?
	cat "$scratch/gone.err"
	grep -q INJECTED "$scratch/calls" || fail "no read of the child was met: this test tests nothing"
	[ "$(wc -l <"$scratch/gone.err")" -le 12 ] || fail "too many words"
	silent 'No such process|ESRCH|cannot' "$scratch/gone.err" "when=$when: no message"
	holds "$scratch/gone.json" 'd["monitor"]["samples"] >= 2' "when=$when: it goes on"
done
kill "$child" 2>/dev/null || true
