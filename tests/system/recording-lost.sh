#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording that cannot be written: a full disk that stays full, one that gets room again, a FIFO whose reader dies. No
# tick is late for it, the build's status is its own, and what was lost is named at the end, in the summary and in the file.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

cat >"$scratch/inside.sh" <<'INSIDE'
scratch=$1
mkdir "$scratch/disk"
mount -t tmpfs -o size=256k none "$scratch/disk"
head -c 1000000 /dev/zero >"$scratch/disk/filler" 2>/dev/null
truncate -s -8k "$scratch/disk/filler"
record()
{
	name=$1
	shift
	status=0
	"$scratch/buildtop" --no-tui --summary "$scratch/$name.json" -o "$scratch/disk/$name.buildtop" -- "$@" \
		2>"$scratch/$name.err" || status=$?
	echo "$name $status" >>"$scratch/status"
	cp "$scratch/disk/$name.buildtop" "$scratch/"
	rm "$scratch/disk/$name.buildtop"
}
# Command lines that no compression makes small, so that the two pages that are left do not hold them.
noise='for i in 1 2 3 4 5 6 7 8 9; do
	sh -c "sleep 1; :" "$(head -c 6000 /dev/urandom | od -An -tx1 | tr -d " \n")"
done
exit 7'
record full sh -c "$noise"
record freed sh -c "(sleep 5; rm $scratch/disk/filler) & $noise"
INSIDE
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" || fail "exit status $?"

mkfifo "$scratch/fifo"
head -c 100 "$scratch/fifo" >"$scratch/part" &
status=0
"$BUILDTOP" --no-tui --summary "$scratch/fifo.json" -o "$scratch/fifo" -- sh -c 'sleep 9; exit 7' \
	2>"$scratch/fifo.err" || status=$?
echo "fifo $status" >>"$scratch/status"

for name in full freed fifo; do
	says "^$name 7\$" "$scratch/status" "$name: the build's status is its own"
	holds "$scratch/$name.json" 'd["monitor"]["samples_missed"] == 0 and d["monitor"]["samples"] >= 8' \
		"$name: no sample is missed"
done
for name in full freed; do
	says 'No space left on device; kept in memory' "$scratch/$name.err" "$name: said"
	[ "$(grep -c 'No space left' "$scratch/$name.err")" = 1 ] || fail "$name: said more than once"
done
says 'samples were lost' "$scratch/full.err" "full: the loss is told at the end"
holds "$scratch/full.json" 'd["monitor"]["samples_unrecorded"] > 0' "full: and in the summary"
silent 'samples were lost' "$scratch/freed.err" "freed: nothing is lost"
holds "$scratch/freed.json" '"samples_unrecorded" not in d["monitor"]' "freed: nor does the summary say so"
says 'its reader is gone' "$scratch/fifo.err" "fifo: said"
holds "$scratch/fifo.json" 'd["monitor"]["samples_unrecorded"] > 0' "fifo: the loss is in the summary"

rows "$scratch/freed.buildtop"
holds "$scratch/freed.buildtop.ndjson" \
	"len($ticks) >= 8 and not any({'late', 'gap', 'lost'} & set(t.get('flags', [])) for t in $ticks)" \
	"freed: every sample is in the recording"
holds "$scratch/freed.buildtop.ndjson" \
	"all(0.9 < t['interval_seconds'] < 1.1 for t in $ticks if not {'first', 'last'} & set(t.get('flags', [])))" \
	"freed: at its time"
"$BUILDTOP" report "$scratch/full.buildtop" >"$scratch/report" 2>"$scratch/report.err" || fail "full: cannot be read"
says 'before the end of the run|breaks off' "$scratch/report.err" "full: the file says that it is not all"
