#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording on the very disk that stalls: no sample is late for it, and kill -9 leaves a file that replays.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need dd

# A tick that is neither the base line nor the short last one is an interval after the one before, to a tenth of a second.
punctual="all(0.9 < t['interval_seconds'] < 1.1 for t in $ticks if not {'first', 'last'} & set(t.get('flags', [])))"
unmarked="not any({'late', 'gap', 'lost'} & set(t.get('flags', [])) for t in $ticks)"

slowdisk_up 1000000 2097152 1048576
slowdisk_throttle

"$BUILDTOP" --no-tui -o "$slow/whole.buildtop" --summary "$scratch/whole.json" -w "$slow" -- \
	dd if=/dev/zero of="$slow/big" bs=64k count=160 2>"$scratch/whole.err" || fail "dd failed"
holds "$scratch/whole.json" 'd["stalls"]["flush_seconds"] > 3' "the disk stalls"
holds "$scratch/whole.json" 'd["monitor"]["samples_missed"] == 0' "no sample is missed"
cp "$slow/whole.buildtop" "$scratch/"
rows "$scratch/whole.buildtop"
holds "$scratch/whole.buildtop.ndjson" "len($ticks) > 6 and $punctual and $unmarked" "every sample is in the recording, at its time"
"$BUILDTOP" report --format json -O "$scratch/again.json" "$scratch/whole.buildtop"
for file in whole again; do
	json "$scratch/$file.json" '[(e["cause"], e["start_time"], round(e["duration_seconds"], 3)) for e in d["stalls"]["episodes"]]' \
		>"$scratch/$file.stalls"
done
cmp "$scratch/whole.stalls" "$scratch/again.stalls" || {
	cat "$scratch/whole.stalls" "$scratch/again.stalls"
	fail "replay sees other stalls than live did"
}
ok "replay sees the same stalls"

# shellcheck disable=SC2016 # expanded by the sh that becomes dd
"$BUILDTOP" --no-tui -o "$slow/killed.buildtop" -q -w "$slow" -- \
	sh -c 'echo $$ >"$1"; exec dd if=/dev/zero of="$2" bs=64k count=1000' sh "$scratch/dd" "$slow/big" 2>/dev/null &
pid=$!
sleep 8
kill -9 "$pid"
killed_at=$(date +%s.%N)
wait "$pid" 2>/dev/null || true
# The build goes on without its monitor; it has done its part.
kill -9 "$(cat "$scratch/dd")" || true
cp "$slow/killed.buildtop" "$scratch/"
rows "$scratch/killed.buildtop"
holds "$scratch/killed.buildtop.ndjson" "$punctual and $unmarked" "killed with -9: all samples are whole"
# The tick before the last one: it was due one to two intervals before.
holds "$scratch/killed.buildtop.ndjson" \
	"datetime.datetime.fromisoformat(${ticks}[-1]['time'].replace('Z', '+00:00')).timestamp() > $killed_at - 2.1" \
	"and the last but one is there"
holds "$scratch/killed.buildtop.ndjson" "any(t.get('stall', {}).get('cause') == 'dirty_throttle' for t in $ticks)" "with the stall"
