#!/bin/sh
# SPDX-License-Identifier: MIT
# The summary document: every field of the contract, of the right kind, whatever the locale.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3
check="python3 $srcdir/tests/cli/check-summary.py"

expect 7 "$BUILDTOP" --summary s.json --summary-text s.txt -l variant=gcc -l own_1='a=b' -q sh -c 'sleep 1.2; exit 7'
silent out
silent err
$check s.json 'd["exit"] == {"status": 7, "signal": None, "outcome": "failure"}' \
	'd["command"][0] == "sh"' 'd["labels"]["variant"] == "gcc" and d["labels"]["own_1"] == "a=b"' \
	'd["labels"]["project"].startswith("buildtop-cli")' '1.1 < d["wall_seconds"] < 20' \
	'd["complete"] is True' 'd["cpu"]["source"] == "rusage"' || fail "the summary is not right"
[ "$(stat -c %a s.json)" = 600 ] || fail "the summary is not private"
says s.txt "failed with status 7"

expect 143 "$BUILDTOP" --summary - --no-command -q --no-record sh -c 'kill -TERM $$'
$check out 'd["exit"] == {"status": None, "signal": "SIGTERM", "outcome": "signal"}' 'd["command"] is None' ||
	fail "the summary of a killed build is not right"

expect 0 "$BUILDTOP" --no-command -q -o secret.buildtop sh -c 'sleep 1.3; : SECRETWORD'
expect 0 "$BUILDTOP" report --format ndjson secret.buildtop
! grep -q SECRETWORD out || fail "--no-command left a command line in the recording"

# CPU seconds are the build's: within what getrusage says
expect 0 "$BUILDTOP" --summary s.json -q python3 -c '
import resource, time
while time.process_time() < 1: pass'
$check s.json '0.9 < d["cpu"]["user_seconds"] + d["cpu"]["system_seconds"] < 1.3' || fail "CPU seconds"

# the document of a recording is that of the run
expect 0 "$BUILDTOP" report --format json @1
mv out again.json
$check again.json "d == json.load(open('s.json'))" || {
	diff s.json again.json
	fail "the report differs from what was written at the end of the run"
}

if locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$'; then
	LC_ALL=de_DE.UTF-8 expect 0 "$BUILDTOP" --summary s.json true
	$check s.json || fail "the summary depends on the locale"
	! grep -q '[0-9],[0-9] s' err || fail "a decimal comma in the summary"
	LC_ALL=de_DE.UTF-8 expect 0 "$BUILDTOP" report --format csv @1
	[ "$(head -1 out | tr -cd , | wc -c)" = "$(tail -1 out | tr -cd , | wc -c)" ] || fail "a decimal comma in CSV"
else
	ok "no German locale here"
fi
