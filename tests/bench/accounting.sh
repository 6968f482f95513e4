#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The cost of counting each process, on a compile and on a storm of short processes: see accounting.py.
# BENCH_ROUNDS: rounds of three builds each (default 10: four to five minutes in all).
set -eu
: "${srcdir:=.}" "${builddir:=build}"
: "${BUILDTOP:=$builddir/buildtop}" "${STORM:=$builddir/tests/cli/storm}" "${BENCH_ROUNDS:=10}"
for tool in python3 make cc; do
	command -v "$tool" >/dev/null || {
		echo "accounting: $tool is not there" >&2
		exit 77
	}
done
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
trap 'exit 1' INT TERM HUP
XDG_CONFIG_HOME=$project XDG_STATE_HOME=$project LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME LC_ALL
unset MAKEFLAGS MFLAGS MAKELEVEL
sh "$srcdir/tests/system/make-project.sh" "$project" 12 60
python3 "$srcdir/tests/bench/accounting.py" "$BUILDTOP" "$STORM" "$project" "$BENCH_ROUNDS"
