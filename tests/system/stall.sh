#!/bin/sh
# SPDX-License-Identifier: MIT
# A real build on a slow disk is stalled on flushing, and so is a big writer; the same build in memory is not.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need make cc dd

slowdisk_up 600000 2097152 1048576
sh "$here/make-project.sh" "$slow/project" 60 12
mkdir "$slow/tmp" "$slow/out"
slowdisk_throttle

# gcc's temporary files on that disk too: most of such a build's waiting is for those.
TMPDIR=$slow/tmp watched build -w "$slow" -- make -C "$slow/project" -j2 O="$slow/out" || fail "the build failed"
holds "$scratch/build.json" 'd["exit"] == {"status": 0, "signal": None, "outcome": "success"}' "the build's exit is told"
holds "$scratch/build.json" 'd["stalls"]["flush_seconds"] > 3' "a build on a slow disk is stalled on flushing"
holds "$scratch/build.json" 'd["stalls"]["stalled_seconds"] > d["stalls"]["flush_seconds"] - 0.001' "flushing is part of what stalled it"
holds "$scratch/build.json" 'd["verdict"] in ("dirty_throttle", "flush_wait")' "and that is the verdict"
holds "$scratch/build.json" 'max(d["stalls"]["by_cause"], key=lambda c: c["seconds"])["cause"] in ("dirty_throttle", "flush_wait")' \
	"the cause with most seconds is one of flushing"
holds "$scratch/build.json" 'all(e["filesystem"] == "ext4" for e in d["stalls"]["episodes"] if e["cause"] in ("dirty_throttle", "flush_wait"))' \
	"its file system is named"
holds "$scratch/build.json" 'd["time_seconds"]["dirty_throttle"] + d["time_seconds"]["flush_wait"] > 3' "task time has it too"
holds "$scratch/build.json" 'd["bound"]["flush_free_wall_seconds_max"] <= d["wall_seconds"] - 1' "the bound promises a gain"
says 'flush|throttl' "$scratch/build.err" "the summary for people says so"

sync -f "$slow"
watched writer -w "$slow" -- dd if=/dev/zero of="$slow/big" bs=64k count=110 || fail "dd failed"
holds "$scratch/writer.json" 'd["stalls"]["flush_seconds"] > 3' "a big writer is stalled"
holds "$scratch/writer.json" 'd["verdict"] == "dirty_throttle"' "by dirty throttling"
holds "$scratch/writer.json" 'd["stalls"]["episodes"][0]["victims"][0]["name"] == "dd"' "dd waits"
holds "$scratch/writer.json" 'd["stalls"]["episodes"][0]["writers"][0]["name"] == "dd"' "dd wrote"
holds "$scratch/writer.json" 'd["stalls"]["episodes"][0]["dirty_threshold_bytes"] in range(1, 4194304)' "against a small threshold"
slowdisk_down

memory=/dev/shm/buildtop-test.$$
at_end rm -rf "$memory"
mkdir -p "$memory/out"
sh "$here/make-project.sh" "$memory/project" 60 12
# make is silent, since what it prints goes to a file on a disk.
TMPDIR=$memory watched memory -w "$memory" -- make -s -C "$memory/project" -j2 O="$memory/out" || fail "the build in memory failed"
holds "$scratch/memory.json" 'd["stalls"]["flush_seconds"] == 0 and d["stalls"]["episodes"] == []' "the same build in memory is not flagged"
holds "$scratch/memory.json" 'd["verdict"] in ("cpu", "runqueue")' "it computes"
