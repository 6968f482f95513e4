#!/bin/sh
# SPDX-License-Identifier: MIT
# A run goes into a Prometheus server's history.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need promtool

expect 0 "$BUILDTOP" -q -o one.buildtop -i 0.2 -l 'variant=a"b\c' sh -c 'sleep 1'
expect 0 "$BUILDTOP" report --format openmetrics -O one.txt one.buildtop
[ "$(tail -n 1 one.txt)" = "# EOF" ] || fail "no end"
grep -qF 'variant="a\"b\\c"' one.txt || fail "a label is not escaped"
expect 0 promtool tsdb create-blocks-from openmetrics one.txt blocks
mkdir -p blocks/wal # a server would have made it
expect 0 promtool tsdb dump blocks
grep -q buildtop_cpu_user_seconds_total out || fail "no CPU time in the history"
grep -q buildtop_build_tasks out || fail "no tasks in the history"
