#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables, and what can be seen here.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

for table in metrics causes formats keys; do
	expect 0 "$BUILDTOP" list $table
	silent err
	head -1 out | grep -q '^# .*	help$' || fail "no headings in list $table"
	awk -F '\t' 'NR == 1 { n = NF } NF != n { exit 1 }' out || fail "ragged columns in list $table"
done
expect 0 "$BUILDTOP" list metrics
says out "system	dirty_bytes	bytes	gauge"
expect 0 "$BUILDTOP" list causes
says out "dirty_throttle	D	flush"
expect 0 "$BUILDTOP" list formats
says out "ndjson"

expect 0 "$BUILDTOP" doctor
silent err
says out "processes"
says out "libproc2"
says out "perf_event_paranoid"
