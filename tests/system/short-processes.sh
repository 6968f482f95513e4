#!/bin/sh
# SPDX-License-Identifier: MIT
# CPU time of processes that live for less than a tick, and of orphans: the sum agrees with getrusage and never falls.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need timeout

# rusage's figure is the truth that the summary is held against.
cat >"$scratch/short.sh" <<'END'
i=0
while [ $i -lt 80 ]; do
	timeout .05 sh -c 'while :; do :; done'
	i=$((i + 1))
done
END
"$BUILDTOP" --no-tui -o "$scratch/short.buildtop" --summary "$scratch/short.json" -- \
	"$python" "$here/rusage.py" "$scratch/short.truth" sh "$scratch/short.sh" 2>"$scratch/short.err" ||
	fail "exit status $?"
truth=$(json "$scratch/short.truth" 'd["cpu"]')
holds "$scratch/short.json" "abs(d['cpu']['user_seconds'] + d['cpu']['system_seconds'] - $truth) < 0.02 * $truth + 0.03" \
	"80 short processes: CPU time agrees with getrusage ($truth s)"
rows "$scratch/short.buildtop"
holds "$scratch/short.buildtop.ndjson" \
	"all(a['build']['cpu_seconds'] <= b['build']['cpu_seconds'] for a, b in zip($ticks, ${ticks}[1:]))" "it never falls"

# The middle one ends at once, so nobody in the build waits for the one that computes.
cat >"$scratch/burn.py" <<'END'
import sys, time
while time.process_time() < 1: pass
open(sys.argv[1], "w").close()
END
# shellcheck disable=SC2016 # expanded by that sh
watched orphan -- sh -c '("$@" &); until [ -e "$0" ]; do sleep 0.2; done; sleep 0.5' \
	"$scratch/burnt" "$python" "$scratch/burn.py" "$scratch/burnt"
holds "$scratch/orphan.json" '0.97 < d["cpu"]["user_seconds"] + d["cpu"]["system_seconds"] < 1.25' \
	"an orphan's CPU time is counted, once"
