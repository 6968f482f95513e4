#!/bin/sh
# SPDX-License-Identifier: MIT
# A Yocto build's buildstats directory becomes a recording.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3

# count DIRECTORY RECORDING: what grep finds in the files of the tasks is what the recording tells.
count()
{
	expect 0 "$BUILDTOP" report --format csv --rows tasks -O tasks.csv "$2"
	{
		cd "$1" || exit 1
		for file in */do_*; do
			begun=$(grep '^Started:' "$file" | tr -dc 0-9.)
			ended=$(grep '^Ended:' "$file" | tr -dc 0-9.)
			echo "$(basename "$file") $(dirname "$file") $begun $ended"
		done
	} | sort >"$work/by-hand"
	cd "$work" || exit 1
	python3 - <<'END' >told || fail "tasks"
import csv
from datetime import datetime
for row in csv.DictReader(open("tasks.csv", newline="")):
    start = datetime.fromisoformat(row["start_time"].replace("Z", "+00:00")).timestamp()
    end = "%.2f" % (start + float(row["duration_seconds"])) if row["ended"] == "1" else ""
    print(row["command"], "%.2f" % start, end)
END
	sort -o told told
	cmp told by-hand || {
		diff told by-hand
		fail "the tasks of $1 are not told as they are"
	}
}

"$srcdir/tests/cli/make-buildstats.sh" 20231114221320 || fail "no directory was made"
expect 0 "$BUILDTOP" import buildstats 20231114221320/ -o made.buildtop
says err "4 tasks, 1 of them unfinished"
count 20231114221320 made.buildtop

expect 0 "$BUILDTOP" report --format json made.buildtop
python3 - <<'END' || fail "summary"
import json
d = json.load(open("out"))
assert d["exit"]["outcome"] == "unknown", d["exit"]
assert abs(d["wall_seconds"] - 20) < 1e-6
END
expect 0 "$BUILDTOP" report --format csv -O ticks.csv made.buildtop
python3 - <<'END' || fail "ticks"
import csv
rows = list(csv.DictReader(open("ticks.csv", newline="")))
def at(seconds):
    return min(rows, key=lambda row: abs(float(row["elapsed_seconds"]) - seconds))
middle = at(9.75)
assert abs(float(middle["cpus_busy"]) - 2.21) < 0.01, middle["cpus_busy"] # 0.5525 of 4 CPUs
assert middle["cpus_online"] == "4", middle["cpus_online"]
assert abs(float(middle["build_cpus"]) - 11.000125 / 10.25 - 1.500145 / 18.89) < 0.005, middle["build_cpus"]
assert middle["dirty_bytes"] == "" and middle["writeback_bytes"] == "" and middle["shmem_bytes"] == ""
assert int(middle["cached_bytes"]) == 2000000 * 1024 and int(middle["mem_free_bytes"]) == 3999990 * 1024
us = [int(at(t)["psi_io_some_us"]) for t in (4.75, 9.75)]
assert us[1] - us[0] == 5 * 250000, us
assert float(rows[-1]["elapsed_seconds"]) == 20
assert all(float(row["interval_seconds"] or 1) > 0 for row in rows)
END
expect 0 "$BUILDTOP" report --format ndjson made.buildtop
python3 - <<'END' || fail "ndjson"
import json
ticks = [l for l in map(json.loads, open("out", encoding="utf-8")) if l["type"] == "tick"]
one = next(t for t in ticks if abs(t["elapsed_seconds"] - 9.75) < 1e-6)
assert abs(one["disks"][0]["write_bytes_per_second"] - 9 * 1024 * 1024) < 2, one["disks"]
assert one["mounts"][0]["source"] == "/dev/sda1" and one["mounts"][0]["used_bytes"] == 5000000 + 10 * 4096
last = next(t for t in ticks if any(k["comm"] == "do_compile" and "ended" in k.get("flags", []) for k in t["tasks"]))
task = next(k for k in last["tasks"] if k["comm"] == "do_compile")
assert task["user_ms"] == 10000 and task["system_ms"] == 1000 and task["write_bytes"] == 2097152, task
assert task["rss_bytes"] == 2000 * 1024
END
expect 0 "$BUILDTOP" report made.buildtop
says out "bitbake"
says out "gnu-config-20180713+gitAUTOINC+30d53fc428-r0:do_fetch"
says out "not seen"
grep -q "build  *unknown" out || fail "memory of the build that nobody measured"
expect 0 "$BUILDTOP" report --format trace -O made.trace made.buildtop
python3 "$srcdir/tests/cli/check-trace.py" made.trace >counts || fail "trace"
[ "$(cut -d' ' -f1 counts)" = 4 ] || fail "not a slice a task"

expect 0 "$BUILDTOP" import buildstats 20231114221320 --cpus 8 -o eight.buildtop
expect 0 "$BUILDTOP" report eight.buildtop
says out "8 CPUs"

# all of it may be missing or cut
expect 3 "$BUILDTOP" import buildstats 20231114221320 -o made.buildtop # never over another
expect 3 "$BUILDTOP" import buildstats . -o none.buildtop
says err "directory of one build"
[ ! -e none.buildtop ] || fail "a recording of nothing"
expect 2 "$BUILDTOP" import buildstats 20231114221320
expect 2 "$BUILDTOP" import nosuch 20231114221320 -o x
rm -r 20231114221320/reduced_* 20231114221320/monitor_disk.log
printf 'Build Started: 1700000000.25' >20231114221320/build_stats
printf 'Started: 17000' >20231114221320/zlib-1.3-r0/do_compile
expect 3 "$BUILDTOP" import buildstats 20231114221320 -o cut.buildtop
says err "30 days apart"
rm 20231114221320/zlib-1.3-r0/do_compile
mkfifo 20231114221320/zlib-1.3-r0/do_fifo
expect 0 "$BUILDTOP" import buildstats 20231114221320 -o cut.buildtop
says err "3 tasks, 1 of them unfinished"
expect 0 "$BUILDTOP" report cut.buildtop
says out "no: there is no reduced_proc_stat.log"

# a real one, where there is one
real=${BUILDTOP_TEST_BUILDSTATS:-}
if [ -n "$real" ]; then
	expect 0 "$BUILDTOP" import buildstats "$real" -o real.buildtop
	count "$real" "$work/real.buildtop"
fi
