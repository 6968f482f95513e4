#!/bin/sh
# SPDX-License-Identifier: MIT
# 5,000 processes of 1 to 20 ms under an ordinary user: each of them counted, CPU time by command that of their rusage.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need setpriv
storm=$builddir/tests/cli/storm
[ -x "$storm" ] || skip "$storm is not built"
cp "$storm" "$scratch/storm"
mkdir -m 777 "$scratch/user"

as_user()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$scratch/user" XDG_STATE_HOME="$scratch/user" \
		XDG_CONFIG_HOME="$scratch/user" "$@"
}

as_user "$BUILDTOP" doctor >"$scratch/doctor"
grep -q '^ *exits *yes' "$scratch/doctor" || skip "$(grep exits "$scratch/doctor")"
# shellcheck disable=SC2016 # by that sh
as_user "$BUILDTOP" -q --no-tui --no-record --summary "$scratch/user/storm.json" -- \
	sh -c '"$0" 5000 2; exit 0' "$scratch/storm" >"$scratch/truth" 2>"$scratch/user/storm.err" </dev/null ||
	fail "exit status $?"
holds "$scratch/user/storm.json" 'd["accounting"]["source"] == "exits" and d["processes"]["started"] == 5002' \
	"5,000 processes, the storm and its shell: each counted"
while read -r name count cpu; do
	holds "$scratch/user/storm.json" "[(c['count'], abs(c['cpu_seconds'] - $cpu) <= 0.01 * $cpu) for c in d['commands'] \
if c['name'] == '$name'] == [($count, True)]" "$name: $count processes, CPU time within 1 % of $cpu s"
done <"$scratch/truth"
