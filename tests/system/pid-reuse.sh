#!/bin/sh
# SPDX-License-Identifier: MIT
# A pid that comes again at once is another process: its CPU time is not held against the first one's.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
need timeout
[ -e /proc/sys/kernel/ns_last_pid ] || skip "this kernel has no ns_last_pid"

cat >"$scratch/reuse.sh" <<'END'
# Starts its words as pid 500.
as_500()
{
	echo 499 >/proc/sys/kernel/ns_last_pid
	"$@" &
	[ $! = 500 ] || echo "not 500 but $!"
	wait $!
}
as_500 timeout 1.5 "$1/burn"
as_500 sleep 1.5
as_500 timeout 1.5 "$1/burn"
as_500 sleep 1.5
END
printf '#!/bin/sh\nwhile :; do :; done\n' >"$scratch/burn"
chmod 755 "$scratch/burn"
unshare -p -f --mount-proc "$BUILDTOP" --no-tui -o "$scratch/reuse.buildtop" --summary "$scratch/reuse.json" -- \
	"$python" "$here/rusage.py" "$scratch/reuse.truth" sh "$scratch/reuse.sh" "$scratch" \
	>"$scratch/reuse.out" 2>"$scratch/reuse.err" || true
[ ! -s "$scratch/reuse.out" ] || skip "pids cannot be had as wanted: $(cat "$scratch/reuse.out")"
truth=$(json "$scratch/reuse.truth" 'd["cpu"]')
holds "$scratch/reuse.json" "abs(d['cpu']['user_seconds'] + d['cpu']['system_seconds'] - $truth) < 0.02 * $truth + 0.05" \
	"the sum is right ($truth s)"
rows "$scratch/reuse.buildtop"
holds "$scratch/reuse.buildtop.ndjson" "len({k['start_ticks'] for t in $ticks for k in t['tasks'] if k['pid'] == 500}) == 4" \
	"one pid, four processes"
holds "$scratch/reuse.buildtop.ndjson" "all(0 <= k.get('cpus', 0) < 1.2 for t in $ticks for k in t['tasks'])" "none of them took more than a CPU"
holds "$scratch/reuse.buildtop.ndjson" \
	"max([k.get('cpus', 0) for t in $ticks for k in t['tasks'] if k['pid'] == 500 and k['comm'] == 'sleep']) < 0.1" \
	"the idle ones took nothing"
