#!/bin/sh
# SPDX-License-Identifier: MIT
# Without one of the kernel's files it starts, runs, passes the build's exit status on, and says which one is missing.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

# without NAME COMMANDS: a run in a mount namespace where COMMANDS hid /proc/NAME.
without()
{
	name=$1
	cat >"$scratch/inside.sh" <<-END
		$2
		exec "\$1/buildtop" --no-tui --no-record --summary "\$1/$name.json" -- sh -c 'sleep 2; exit 3'
	END
	status=0
	unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" 2>"$scratch/$name.err" || status=$?
	[ "$status" = 3 ] || {
		cat "$scratch/$name.err"
		fail "without $name: exit status $status instead of the build's 3"
	}
	holds "$scratch/$name.json" 'd["monitor"]["samples"] >= 2' "without $name it runs"
	holds "$scratch/$name.json" "any(not s.startswith('yes') and '$name' in s for s in d['sources'].values())" "and says that $name is missing"
	[ "$(wc -l <"$scratch/$name.err")" -le 12 ] || {
		cat "$scratch/$name.err"
		fail "without $name: too many words"
	}
}

for name in vmstat meminfo diskstats stat; do
	without "$name" "mount --bind /dev/null /proc/$name"
done
without pressure "mount -t tmpfs none /proc/pressure"
holds "$scratch/vmstat.json" 'd["memory"]["dirty_peak_bytes"] is None or d["memory"]["dirty_peak_bytes"] > 0' "what is unknown is not 0"
