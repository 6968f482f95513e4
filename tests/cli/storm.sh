#!/bin/sh
# SPDX-License-Identifier: MIT
# Short processes are counted, each of them, and their CPU time by command is that of their rusage; where the kernel
# refuses to count them, the total is, and what is no command's is said.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3
storm=$builddir/tests/cli/storm

"$BUILDTOP" doctor >doctor
if grep -q '^ *exits *yes' doctor; then
	expect 0 "$BUILDTOP" -q --summary counted.json -o storm.buildtop "$storm" 600 2
	mv out truth
	python3 - counted.json truth <<'END' || fail "not what rusage says"
import json, sys
summary = json.load(open(sys.argv[1]))
told = {command["name"]: command for command in summary["commands"]}
assert summary["accounting"]["source"] == "exits", summary["accounting"]
assert summary["processes"]["started"] == 601, summary["processes"]
for line in open(sys.argv[2]):
    name, count, cpu = line.split()
    command = told[name]
    print(name, command["count"], count, command["cpu_seconds"], cpu)
    assert command["count"] == int(count)
    assert abs(command["cpu_seconds"] - float(cpu)) <= 0.02 * float(cpu)
END
	ok "each process counted, CPU time by command within 2 % of rusage"
	expect 0 "$BUILDTOP" report --format json -O again.json storm.buildtop
	python3 -c 'import json
a, b = json.load(open("counted.json")), json.load(open("again.json"))
assert a["commands"] == b["commands"] and a["accounting"] == b["accounting"]' || fail "the recording tells it differently"
	ok "the recording tells the same"
else
	grep exits doctor
fi

"$storm" --refuse true
[ $? -ne 77 ] || skip "seccomp is not there"
expect 0 "$storm" --refuse "$BUILDTOP" -q --no-record --summary inner.json "$storm" 300 2
sed -n 's/^storm-. [0-9]* //p' out >truth
python3 - inner.json truth <<'END' || fail "the total is not what rusage says"
import json, sys
summary = json.load(open(sys.argv[1]))
assert summary["accounting"]["source"] == "looks", summary["accounting"]
assert summary["sources"]["exits"].startswith("no: "), summary["sources"]["exits"]
total = summary["cpu"]["user_seconds"] + summary["cpu"]["system_seconds"]
truth = sum(float(line) for line in open(sys.argv[2]))
root = 0.1 * truth # the storm's own forks
assert truth * 0.99 <= total <= truth * 1.01 + root, (total, truth)
by_command = sum(command["cpu_seconds"] for command in summary["commands"])
assert abs(by_command + summary["accounting"]["unattributed_cpu_seconds"] - total) <= 0.01 * total + 0.02, summary["accounting"]
END
ok "perf refused: the total, and what is no command's"
