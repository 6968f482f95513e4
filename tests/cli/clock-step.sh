#!/bin/sh
# SPDX-License-Identifier: MIT
# The wall clock goes two hours on and then three back while a build runs: no duration notices, all stays in order, and
# the steps are told. Only this build's clock: a shim before libc's clock_gettime().
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3 "${CC:=cc}"

cat >shim.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static struct timespec first;
	struct timespec mono;

	if (syscall(SYS_clock_gettime, clock, now) < 0)
		return -1;
	if (clock != CLOCK_REALTIME)
		return 0;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &mono);
	if (!first.tv_sec)
		first = mono;
	double since = (double)(mono.tv_sec - first.tv_sec) + (double)(mono.tv_nsec - first.tv_nsec) / 1e9;
	now->tv_sec += since > 2 ? -3600 : since > 1 ? 7200 : 0;
	return 0;
}
C
$CC -shared -fPIC -o shim.so shim.c || skip "$CC makes no shared objects here"
expect 0 env LD_PRELOAD="$PWD/shim.so" ASAN_OPTIONS=verify_asan_link_order=0 \
	"$BUILDTOP" -q -i 0.2 -o step.buildtop --summary step.json sleep 3
python3 - <<'PYTHON' || fail "the summary"
import json
summary = json.load(open("step.json"))
wall = summary["wall_seconds"]
assert 2.9 < wall < 60, wall
PYTHON

expect 0 "$BUILDTOP" report --format ndjson step.buildtop
python3 - <<'PYTHON' || fail "ndjson"
import json
lines = [json.loads(line) for line in open("out", encoding="utf-8")]
ticks = [line for line in lines if line["type"] == "tick"]
elapsed = [tick["elapsed_seconds"] for tick in ticks]
assert elapsed == sorted(elapsed) and 2.9 < elapsed[-1] < 60, elapsed
assert all(0 <= tick["interval_seconds"] < 60 for tick in ticks)
steps = [tick["number"] for tick in ticks if "clock_step" in tick.get("flags", [])]
assert len(steps) == 2, steps
assert [tick["number"] for tick in ticks] == sorted(tick["number"] for tick in ticks)
PYTHON
expect 0 "$BUILDTOP" report step.buildtop
says out "wall time    3."
mv out text.out
expect 0 "$BUILDTOP" replay step.buildtop
cmp out text.out || fail "replay without a terminal is not the report"
