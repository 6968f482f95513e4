#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings and the reports made of them.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3

expect 0 "$BUILDTOP" -q -o one.buildtop -i 0.2 sh -c 'sleep 1; true "$0"' "$(printf 'a\033[2Jb\377')"
[ "$(stat -c %a one.buildtop)" = 600 ] || fail "the recording is not private"
expect 125 "$BUILDTOP" -q -o one.buildtop true # never over another
expect 3 "$BUILDTOP" watch -q -o one.buildtop $$

for format in text markdown; do
	expect 0 "$BUILDTOP" report --format $format one.buildtop
	says out "sh -c"
	! grep -q "$escape" out || fail "an escape sequence in $format"
done
expect 0 "$BUILDTOP" report one.buildtop
mv out text.out
expect 0 "$BUILDTOP" replay one.buildtop # no terminal here
cmp out text.out || fail "replay without a terminal is not the report"
expect 0 "$BUILDTOP" report --format json one.buildtop
python3 "$srcdir/tests/cli/check-summary.py" out 'd["exit"]["outcome"] == "success"' || fail "json"

expect 0 "$BUILDTOP" report --format csv -O one.csv one.buildtop
silent out
python3 - <<'EOF' || fail "csv"
import csv
rows = list(csv.DictReader(open("one.csv", newline="")))
assert 4 <= len(rows) <= 12, len(rows)
elapsed = [float(row["elapsed_seconds"]) for row in rows]
assert elapsed == sorted(elapsed) and 0.9 < elapsed[-1] < 20, elapsed
assert all(int(row["dirty_bytes"]) >= 0 for row in rows)
assert all(None not in row and None not in row.values() for row in rows)
EOF
expect 0 "$BUILDTOP" report --format ndjson one.buildtop
python3 - <<'EOF' || fail "ndjson"
import json
lines = [json.loads(line) for line in open("out", encoding="utf-8")]
assert [line["type"] for line in lines] == ["run"] + ["tick"] * (len(lines) - 2) + ["end"]
assert lines[0]["command"][0] == "sh" and lines[-1]["status"] == 0
assert any(task.get("comm") == "sleep" for line in lines[1:-1] for task in line["tasks"])
EOF

# several, and the shelf
expect 0 "$BUILDTOP" -q true
expect 0 "$BUILDTOP" report one.buildtop @1
[ "$(grep -c '^  wall time' out)" = 2 ] || fail "two recordings are not two reports"
expect 3 "$BUILDTOP" report -O both one.buildtop nosuch
[ ! -e both ] || fail "half a report was left behind"

# cut anywhere: what is there is told, and that it was cut
size=$(stat -c %s one.buildtop)
for part in 60 80 95; do
	head -c $((size * part / 100)) one.buildtop >cut.buildtop
	expect 0 "$BUILDTOP" report cut.buildtop
	says err "cut.buildtop"
done
expect 0 "$BUILDTOP" report one.buildtop
cmp out text.out || fail "the same recording gives another report"
echo junk >junk.buildtop
expect 3 "$BUILDTOP" report junk.buildtop

# kept in full, told to nobody who reads it through a pipe
cat one.buildtop | "$BUILDTOP" report - >out || fail "from a pipe"
cmp out text.out || fail "another report from a pipe"

# for services that keep figures of builds
expect 0 "$BUILDTOP" -q -l project=p -l variant=v -o tracked.buildtop sleep 0.1
expect 0 "$BUILDTOP" report --format bmf tracked.buildtop
python3 -c 'import json; d = json.load(open("out")); assert d["p v"]["wall_seconds"]["value"] >= 0.1' || fail "bmf"
expect 0 "$BUILDTOP" report --format github tracked.buildtop
python3 -c 'import json; d = json.load(open("out")); assert d[0]["name"] == "p v: wall time" and d[0]["unit"] == "s"' || fail "github"
