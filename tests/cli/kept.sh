#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording made by the first version opens for ever, and says what it said then. Where a report is made better on
# purpose, tests/data/kept.* are made anew: `KEPT_RENEW=1 sh tests/cli/kept.sh`; the recording itself never is.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3

kept=$srcdir/tests/data/kept.buildtop
TZ=UTC LC_ALL=C.UTF-8
export TZ LC_ALL

# same NAME: the file NAME is the one that was kept.
same()
{
	[ -z "${KEPT_RENEW:-}" ] || cp "$1" "$srcdir/tests/data/$1"
	diff -u "$srcdir/tests/data/$1" "$1" || fail "$1 is not what it was"
}

expect 0 "$BUILDTOP" report "$kept"
silent err
mv out kept.text
same kept.text
expect 0 "$BUILDTOP" replay "$kept" # no terminal here
cmp out kept.text || fail "replay without a terminal is not the report"

expect 0 "$BUILDTOP" report --format csv "$kept"
# The columns of that day, wherever they stand now.
python3 - "$srcdir/tests/data/kept.csv" out >kept.csv <<'PYTHON' || fail "a column is gone"
import csv, os, sys
rows = list(csv.DictReader(open(sys.argv[2], newline="")))
names = next(csv.reader(open(sys.argv[1], newline=""))) if os.path.exists(sys.argv[1]) else list(rows[0])
print(",".join(names))
for row in rows:
    print(",".join(row[name] for name in names))
PYTHON
same kept.csv

# Every tick has what it had, down to the tasks and looks.
expect 0 "$BUILDTOP" report --format ndjson "$kept"
python3 - >kept.ticks <<'PYTHON' || fail "ndjson"
import json
for line in map(json.loads, open("out", encoding="utf-8")):
    if line["type"] == "tick":
        tasks = line["tasks"]
        print(line["number"], line["time"], ",".join(line.get("flags", [])), line["system"]["dirty_bytes"], len(tasks),
              sum(task.get("user_ms") or 0 for task in tasks), " ".join(sorted({task["comm"] for task in tasks})))
    else:
        print(line["type"], line.get("command"), line.get("status"), line.get("host"))
PYTHON
same kept.ticks
