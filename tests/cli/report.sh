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

# for viewers of traces: its structure is checked
expect 0 "$BUILDTOP" report --format trace -O one.trace one.buildtop
python3 "$srcdir/tests/cli/check-trace.py" one.trace >counts || fail "trace"
[ "$(cut -d' ' -f1 counts)" -ge 2 ] || fail "sh and sleep are no slices"
! grep -q "$escape" one.trace || fail "an escape sequence in a trace"

# a page that needs nothing else, and whose elements are closed
expect 0 "$BUILDTOP" report --format html -O one.html one.buildtop
python3 - <<'EOF' || fail "html"
from html.parser import HTMLParser
class Page(HTMLParser):
    stack, seen = [], set()
    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        for name, value in attributes:
            assert name not in ("src", "srcset") and not (name == "href" and value[:1] != "#"), (tag, name, value)
        if tag not in ("meta", "br"):
            self.stack.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag
page = Page()
text = open("one.html", encoding="utf-8").read()
page.feed(text)
assert not page.stack and {"svg", "table", "path", "rect", "title"} <= page.seen
assert "//" not in text and "\033" not in text and "nan" not in text, "a link, an escape or no number"
EOF

# the other tables of csv
for rows in ticks tasks stalls mounts; do
	expect 0 "$BUILDTOP" report --format csv --rows $rows -O $rows.csv one.buildtop
done
cmp ticks.csv one.csv || fail "a row a tick is not what --rows ticks gives"
python3 - <<'EOF' || fail "csv tables"
import csv
tables = {name: list(csv.reader(open(name + ".csv", newline=""))) for name in ("tasks", "stalls", "mounts")}
for table in tables.values():
    assert len({len(row) for row in table}) == 1, table
tasks = list(csv.DictReader(open("tasks.csv", newline="")))
sleep = [row for row in tasks if row["comm"] == "sleep"]
assert len(sleep) == 1 and 0.7 < float(sleep[0]["duration_seconds"]) < 20, tasks
EOF
expect 2 "$BUILDTOP" report --format csv --rows nosuch one.buildtop
expect 2 "$BUILDTOP" report --format text --rows tasks one.buildtop

# a document of one run
for format in trace openmetrics html; do
	expect 2 "$BUILDTOP" report --format $format one.buildtop one.buildtop
done

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
