#!/bin/sh
# SPDX-License-Identifier: MIT
# As root, the kernel itself says how long writers were held back; the looks say nearly the same, and it is marked.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need dd
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null || skip "no tracefs to be had"

slowdisk_up 600000 2097152 1048576
slowdisk_throttle
"$BUILDTOP" --no-tui -q -o "$scratch/exact.buildtop" --summary "$scratch/exact.json" -w "$slow" -- \
	sh -c "dd if=/dev/zero of=$slow/one bs=64k count=60 status=none & dd if=/dev/zero of=$slow/two bs=64k count=60 status=none; wait" \
	>"$scratch/exact.out" 2>"$scratch/exact.err" </dev/null || fail "dd failed"
slowdisk_down
[ "$(json "$scratch/exact.json" 'd["sources"]["throttle_trace"]')" = yes ] || skip "the tracepoint cannot be had here"
rows "$scratch/exact.buildtop"
holds "$scratch/exact.json" 'd["verdict"] == "dirty_throttle" and "exact" in d["stalls"]["episodes"][0]["evidence"]' "the stall is marked exact"
holds "$scratch/exact.buildtop.ndjson" 'any(r["build"].get("throttling_exact") for r in '"$ticks"')' "so are ticks"
# The stall's own time is by looks, the build's by the kernel.
looks='sum(s["time_seconds"].get("dirty_throttle", 0) for r in '"$ticks"' for s in r.get("stalls_ended", []))'
kernel='sum(r["build"]["time_seconds"].get("dirty_throttle", 0) for r in '"$ticks"')'
holds "$scratch/exact.buildtop.ndjson" "$kernel > 5" "writers were held back for seconds"
holds "$scratch/exact.buildtop.ndjson" "abs($looks / $kernel - 1) < 0.03" "what looks saw of it agrees to 3 %"
holds "$scratch/exact.json" 'd["monitor"]["cpu_seconds"] < 0.02 * d["wall_seconds"]' "and it costs little"
