#!/bin/sh
# SPDX-License-Identifier: MIT
# Thousands of processes that end while they are looked at: no message about them, and the build's own exit status.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need make

awk 'BEGIN {
	printf "all:"
	for (i = 0; i < 3000; i++) printf " t%d", i
	printf "\nt%%:\n\t@/bin/true $@\nlast: all\n\t@exit 3\n"
}' >"$scratch/Makefile"

watched storm -- make -f "$scratch/Makefile" -j4 all || fail "exit status $?"
holds "$scratch/storm.json" 'd["exit"]["status"] == 0' "3000 processes: status 0"
[ ! -s "$scratch/storm.out" ] || fail "something was printed on the build's standard output"
[ "$(wc -l <"$scratch/storm.err")" -le 10 ] || {
	cat "$scratch/storm.err"
	fail "more than the ten lines of a summary"
}
ok "no message about any of them"
silent 'No such (file|process)|ESRCH|ENOENT' "$scratch/storm.err" "no error about any of them"

status=0
watched failing -- make -f "$scratch/Makefile" -j4 last || status=$?
[ "$status" = 2 ] || fail "exit status $status instead of make's 2"
ok "3000 processes and a failure: make's status"
