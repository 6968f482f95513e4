#!/bin/sh
# SPDX-License-Identifier: MIT
# A read of a command line that does not come back holds up neither the samples nor the end.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need strace

sh -c 'sleep 30 & echo $! >"$1"; sleep 4; kill $!' sh "$scratch/child" &
parent=$!
wait_for 5 test -s "$scratch/child" || fail "no child"
child=$(cat "$scratch/child")
began=$(date +%s)
strace -f -qq -o "$scratch/calls" -P "/proc/$child/cmdline" -e trace=read,pread64 \
	-e inject=read,pread64:delay_enter=20000000 \
	"$BUILDTOP" watch --no-tui -o "$scratch/hang.buildtop" --summary "$scratch/hang.json" "$parent" \
	>"$scratch/hang.out" 2>"$scratch/hang.err" </dev/null || fail "exit status $?"
# strace itself stays until its delay is over: the summary was written when buildtop came to its end.
took=$(($(stat -c %Y "$scratch/hang.json") - began))
cat "$scratch/hang.err"
grep -qE 'read.*(DELAYED|unfinished)' "$scratch/calls" || fail "the command line was not read: this test tests nothing"
[ "$took" -le 8 ] || fail "it ended after $took s: it waited for the read"
ok "it ended with what it watched ($took s)"
holds "$scratch/hang.json" 'd["monitor"]["samples"] >= 3 and d["monitor"]["samples_missed"] == 0' "no sample was held up"
