#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make bench-bounds: does the bound of one run on a slow disk hold what the same build takes in a tmpfs? Five builds of
# different kinds, by `buildtop bench`: once on a throttled disk with small dirty limits, three times in a tmpfs. Held
# must be all five, from both sides, to 3 % of the wall time on the disk and a tenth of a second; four must be no wider than a factor
# of 1.5. Root; some minutes. The limits are the machine's, and put back.
#
# BENCH_KINDS: names to run instead of all.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need make cc dd tar

: "${BENCH_KINDS:=compile serial pack image install}"
cd "$scratch"
sh "$srcdir/tests/system/make-project.sh" source/project 24 12
dd if=/dev/urandom of=source/blob bs=64k count=24 2>/dev/null
mkdir source/small
for i in $(seq 300); do head -c 6000 /dev/urandom >"source/small/$i"; done

command_of()
{
	case $1 in
	compile) echo 'make -s -C project -j2' ;;
	serial) echo 'make -s -C project -j1; for i in 1 2 3; do tar cf $i.tar project; sleep 1; done' ;;
	pack) echo 'for i in 1 2 3; do tar cf $i.tar blob small; gzip -1 -c $i.tar >$i.tar.gz; done' ;;
	image) echo 'for i in 1 2 3 4; do gzip -9 -c blob | sha256sum >/dev/null; dd if=blob of=image$i bs=64k conv=fsync status=none; done; sleep 2' ;;
	install) echo 'cp -r small one & cp -r small two & wait; make -s -C project main.o; cp -r small three' ;;
	esac
}

slowdisk_up 1000000 2097152 1048576
for kind in $BENCH_KINDS; do
	slowdisk_throttle
	"$BUILDTOP" bench -n 1 -o "slow-$kind" --copy source --variant "slow=dir:$slow" \
		--prepare "sync -f $slow" -- sh -c "$(command_of "$kind")" >/dev/null 2>"$kind.err" || fail "$kind: $(cat "$kind.err")"
	slowdisk_release
	"$BUILDTOP" bench -n 3 -o "fast-$kind" --copy source --variant fast=tmpfs -- sh -c "$(command_of "$kind")" \
		>/dev/null 2>"$kind.err" || fail "$kind: $(cat "$kind.err")"
	"$python" - "$kind" <<-'END' | tee -a lines
		import json, sys
		kind = sys.argv[1]
		slow = json.load(open(f"slow-{kind}/slow/1.json"))
		fast = sorted(json.load(open(f"fast-{kind}/fast/{run}.json"))["wall_seconds"] for run in (1, 2, 3))
		wall, bound = slow["wall_seconds"], slow.get("bound")
		least, most = (bound["flush_free_wall_seconds_min"], bound["flush_free_wall_seconds_max"]) if bound else (wall, wall)
		near = 0.03 * wall + 0.1
		held, width = least - near <= fast[1] <= most + near, most / max(least, 0.1)
		print(f"{kind:8} disk {wall:5.1f} s, tmpfs {fast[1]:5.1f} s ({fast[0]:.1f} to {fast[2]:.1f}), bound {least:5.1f} to {most:5.1f}: "
		      f"{'held' if held else 'MISSED'}, {'narrow' if width <= 1.5 else 'WIDE'}, a factor of {width:.2f}")
	END
done
slowdisk_down
held=$(grep -c ': held' lines) narrow=$(grep -c ' narrow' lines) all=$(wc -l <lines)
echo "held in $held of $all, no wider than a factor of 1.5 in $narrow"
[ "$held" = "$all" ] && [ "$narrow" -ge $((all - 1)) ]
