#!/bin/sh
# SPDX-License-Identifier: MIT
# Where wait channel and call cannot be read a stall is `blocked` and nothing else: of a tree that is not dumpable, and of
# one of which nothing at all can be seen but the pressure of its control group. And a recording keeps the raw names: what a
# table without a symbol did not know, the table with it does.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need cc dd setpriv

: "${FORGETFUL:=$builddir/tests/system/forgetful}"
[ -x "$FORGETFUL" ] || skip "forgetful is not built (make check builds it)"
cp "$FORGETFUL" "$scratch/forgetful"

mkdir -m 777 "$scratch/open"
cat >"$scratch/hide.c" <<'END'
#include <sys/prctl.h>
__attribute__((constructor)) static void hide(void) { prctl(PR_SET_DUMPABLE, 0); }
END
cat >"$scratch/as.c" <<'END'
#include <unistd.h>
int main(int argc, char **argv) { return argc > 1 && !setgid(65533) && !setuid(65533) && execvp(argv[1], argv + 1); }
END
cc -shared -fPIC -o "$scratch/hide.so" "$scratch/hide.c"
cc -o "$scratch/as" "$scratch/as.c"
chmod 4755 "$scratch/as"
echo 'mount -t proc -o hidepid=2 proc /proc && exec "$@"' >"$scratch/inside.sh"

# as_nobody NAME BUILDTOP OPTION... -- COMMAND...: the summary in open/NAME.json
as_nobody()
{
	name=$1 program=$2
	shift 2
	env -u XDG_STATE_HOME -u XDG_CONFIG_HOME HOME="$scratch/open" setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$program" --no-tui -q --summary "$scratch/open/$name.json" -w "$slow" "$@" \
		>"$scratch/open/$name.out" 2>"$scratch/open/$name.err" </dev/null
}

# only_blocked NAME SENTENCE: for seconds, and no cause is named.
only_blocked()
{
	holds "$scratch/open/$1.json" '{c["cause"] for c in d["stalls"]["by_cause"]} == {"blocked"}' "$2: blocked, and no cause is named"
	holds "$scratch/open/$1.json" 'd["stalls"]["stalled_seconds"] > 0.8 * d["wall_seconds"] > 2' "$2: for most of the time"
	holds "$scratch/open/$1.json" 'd["stalls"]["flush_seconds"] == 0' "$2: none of it is called flushing"
}

slowdisk_up 600000 2097152 1048576
slowdisk_throttle
compute="i=0; while [ \$i -lt 600000 ]; do i=\$((i + 1)); done"
write="dd if=/dev/zero of=$slow/big bs=64k count=70 status=none"

as_nobody known "$scratch/forgetful" -o "$scratch/open/known.buildtop" -- sh -c "$write" || fail "dd failed"
holds "$scratch/open/known.json" 'not any(c["cause"] == "dirty_throttle" for c in d["stalls"]["by_cause"])' "a table without the symbol does not know"
"$BUILDTOP" report --format json -O "$scratch/open/again.json" "$scratch/open/known.buildtop" || fail "the recording cannot be read"
holds "$scratch/open/again.json" 'd["verdict"] == "dirty_throttle" and d["stalls"]["flush_seconds"] > 2' \
	"with the symbol the same recording has the cause"

as_nobody hidden "$BUILDTOP" --no-record -- env LD_PRELOAD="$scratch/hide.so" sh -c "$write; sync $slow/big" || fail "dd failed"
only_blocked hidden "a tree that is not dumpable"
as_nobody busy "$BUILDTOP" --no-record -- env LD_PRELOAD="$scratch/hide.so" sh -c "$compute" || fail "computing failed"
holds "$scratch/open/busy.json" 'd["stalls"]["episodes"] == []' "a hidden tree that computes is not flagged"

group=/sys/fs/cgroup/unified/buildtop-test.$$
[ -d /sys/fs/cgroup/unified ] || group=/sys/fs/cgroup/buildtop-test.$$
mkdir "$group" 2>/dev/null && [ -e "$group/io.pressure" ] || {
	rmdir "$group" 2>/dev/null || true
	skip "no control group with pressure to be had"
}
at_end "rmdir $group"
# In the group, where /proc hides what is another user's: unseen NAME COMMAND
unseen()
{
	(
		echo 0 >"$group/cgroup.procs"
		exec unshare -m --propagation private sh "$scratch/inside.sh" env -u XDG_STATE_HOME -u XDG_CONFIG_HOME HOME="$scratch/open" \
			setpriv --reuid 65534 --regid 65534 --clear-groups "$BUILDTOP" --no-tui -q --no-record \
			--summary "$scratch/open/$1.json" -w "$slow" -- "$scratch/as" sh -c "$2"
	) >"$scratch/open/$1.out" 2>&1 </dev/null || {
		cat "$scratch/open/$1.out"
		fail "$1 failed"
	}
}
rm -f "$slow/big"
unseen pressed "$write"
only_blocked pressed "a tree that cannot be seen"
holds "$scratch/open/pressed.json" 'all(e["evidence"] == ["psi"] for e in d["stalls"]["episodes"])' "by pressure alone"
rm -f "$slow/big"
unseen calm "$compute"
holds "$scratch/open/calm.json" 'd["stalls"]["episodes"] == []' "without pressure it is not flagged"
slowdisk_down
