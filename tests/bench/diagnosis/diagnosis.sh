#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make bench-diagnosis: is the diagnosis right? Scenarios that do stall a build and scenarios that do not, each run as an
# ordinary user under buildtop, while the scheduler's tracepoints with kernel stacks tell the truth (truth.c). Prints for each,
# and in sum, the error of the times, the seconds flagged rightly and wrongly, stalls missed and false. Root; six to ten minutes;
# the machine's dirty limits are small meanwhile.
#
# BENCH_SCENARIOS: names to run instead of all of them. BENCH_RATES: further rates of looks ("5 20"), each by one more watcher
# beside the run at 10 a second. BENCH_KEEP: a directory for recordings, truths and the lines of the table.
# shellcheck disable=SC2086 # words of $inside and $as
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need make cc dd tar setpriv

: "${TRUTH:=$builddir/tests/bench/diagnosis/truth}" "${STRAIN:=$builddir/tests/bench/diagnosis/strain}"
: "${BENCH_SCENARIOS:=}" "${BENCH_RATES:=}"
score=$srcdir/tests/bench/diagnosis/score.py
cp "$TRUTH" "$STRAIN" "$scratch"
strain=$scratch/strain
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
memory=/dev/shm/buildtop-diagnosis.$$
mkdir -p "$memory"
chmod 1777 "$memory"
at_end rm -rf "$memory"
: >"$scratch/lines"
group=	# a memory cgroup to be in
pressed= # a cgroup of version 2 to be in
inside=	# what starts buildtop, beside the usual
as=	# what the build's first command is put behind
writer=	# who writes, where it is one command
reads_again= # what is read was in memory before, by the making of the scenario: the limit's fault, not the disk's

wanted()
{
	[ -z "$BENCH_SCENARIOS" ] && return 0
	case " $BENCH_SCENARIOS " in *" $1 "*) return 0 ;; esac
	return 1
}

# Runs a shell text as uid 65534 in $where, under buildtop under truth.
scenario()
{
	name=$1 text=$2
	wanted "$name" || return 0
	rm -f "$memory/pid"
	(
		[ -z "$group" ] || echo 0 >"$group/cgroup.procs"
		[ -z "$pressed" ] || echo 0 >"$pressed/cgroup.procs"
		cd "$where"
		exec env HOME="$memory" TMPDIR="${tmp:-$where}" LC_ALL=C "$scratch/truth" "$memory/$name.truth" \
			$inside setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$BUILDTOP" --no-tui -q -o "$memory/$name.buildtop" -w "$where" -- \
			$as sh -c "echo \$\$ >$memory/pid; $text"
	) >"$scratch/$name.out" 2>&1 </dev/null &
	build=$!
	watchers=
	if [ -n "$BENCH_RATES" ]; then
		wait_for 5 test -s "$memory/pid" || fail "$name did not start"
	fi
	for rate in $BENCH_RATES; do
		(
			cd "$where"
			BUILDTOP_LOOK_HZ=$rate exec setpriv --reuid 65534 --regid 65534 --clear-groups "$BUILDTOP" watch --no-tui -q \
				-o "$memory/$name.$rate.buildtop" -w "$where" "$(cat "$memory/pid")"
		) >"$scratch/$name.$rate.out" 2>&1 </dev/null &
		watchers="$watchers $!"
	done
	wait "$build" || {
		cat "$scratch/$name.out"
		echo "$name: failed" >&2
	}
	for watcher in $watchers; do
		wait "$watcher" || true
	done
	judge "$name" 10 "$memory/$name.buildtop"
	for rate in $BENCH_RATES; do
		judge "$name" "$rate" "$memory/$name.$rate.buildtop"
	done
	if [ -n "${BENCH_KEEP:-}" ]; then
		mkdir -p "$BENCH_KEEP"
		mv "$memory/$name".* "$BENCH_KEEP"
	fi
	rm -f "$memory/$name".*
}

judge()
{
	"$BUILDTOP" report --format ndjson -O "$scratch/rows" "$3" &&
		READS_AGAIN=$reads_again WRITER=$writer "$python" "$score" one "$1" "$2" "$memory/$1.truth" "$scratch/rows" >>"$scratch/lines" ||
		echo "$1: cannot be judged" >&2
}

# disk FS RATE DIRTY BACKGROUND: a slow disk with the project and its output directories; where=
disk()
{
	SLOW_FS=$1
	slowdisk_up "$2" "$3" "$4"
	where=$slow
	mkdir "$slow/tmp" "$slow/out"
	sh "$srcdir/tests/system/make-project.sh" "$slow/project" 24 12
	chmod -R a+rwX "$slow"
}

any_wanted()
{
	[ -z "$BENCH_SCENARIOS" ] && return 0
	for one; do
		wanted "$one" && return 0
	done
	return 1
}

build_text()
{
	echo "make -s -C $slow/project -j$1 O=$slow/out; sync_status=\$?; rm -f $slow/out/*; exit \$sync_status"
}

# Sources of what is copied, unpacked and cloned, in memory.
dd if=/dev/urandom of="$memory/blob" bs=1M count=5 status=none
mkdir "$memory/tree"
for i in $(seq 1 60); do
	mkdir "$memory/tree/$i"
	for j in 1 2 3 4 5; do
		dd if="$memory/blob" of="$memory/tree/$i/$j" bs=1k count=$((4 + (i * j) % 30)) skip=$((i * 50)) status=none
	done
done
tar -C "$memory" -cf "$memory/tree.tar" tree
sh "$srcdir/tests/system/make-project.sh" "$memory/project" 40 12
mkdir "$memory/out" "$memory/tmp"
chmod -R a+rwX "$memory"

negative()
{
	where=$memory tmp=$memory/tmp
	scenario compute "$strain compute 4 & $strain compute 4; wait"
	scenario over16 "make -s -C $memory/project -j16 O=$memory/out; rm -f $memory/out/*"
	scenario sleeps "for i in 1 2 3 4 5 6 7 8; do sleep 0.5; $strain compute 0.3; done"
	tmp=
}

on_ext4()
{
	any_wanted writer copies untar make1 make2 make4 make16 fsyncs sync map clone sqlite unpack direct renames unlinks busydisk \
		neighbour neighbour2 neighbour3 || return 0
	disk ext4 500000 3145728 1572864
	slowdisk_throttle
	writer=dd scenario writer "dd if=/dev/zero of=$slow/big bs=64k count=140 status=none; rm $slow/big"
	writer=cp scenario copies "cp $memory/blob $slow/one & cp $memory/blob $slow/two; wait; rm $slow/one $slow/two"
	writer=tar scenario untar "tar -C $slow/out -xf $memory/tree.tar; rm -r $slow/out/tree"
	tmp=$slow/tmp
	scenario make1 "$(build_text 1)"
	scenario make2 "$(build_text 2)"
	scenario make4 "$(build_text 4)"
	scenario make16 "$(build_text 16)"
	tmp=
	writer=strain scenario fsyncs "$strain fsync $slow/out 60 12000; rm $slow/out/*"
	writer=dd scenario sync "for i in 1 2 3 4; do dd if=/dev/zero of=$slow/out/\$i bs=64k count=16 status=none; $strain compute 0.5; sync $slow/out/\$i; done; rm $slow/out/*"
	writer=strain scenario map "$strain map $slow/out/map 10 1; rm $slow/out/map"
	if command -v git >/dev/null; then
		[ -d "$memory/origin" ] || setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$memory" sh -c "
			git init -q $memory/origin && cd $memory/origin && cp -r $memory/tree . && git add . &&
			git -c user.name=a -c user.email=a@b commit -qm all"
		writer=git scenario clone "git clone -q --no-local $memory/origin $slow/out/clone; rm -rf $slow/out/clone"
	fi
	if command -v sqlite3 >/dev/null; then
		writer=sqlite3 scenario sqlite "{ echo 'create table t(a,b);'; i=0; while [ \$i -lt 60 ]; do echo \"insert into t values(\$i, randomblob(9000));\"; i=\$((i+1)); done; } | sqlite3 $slow/out/db; rm $slow/out/db"
	fi
	if command -v dpkg-deb >/dev/null; then
		mkdir -p "$memory/deb/DEBIAN"
		printf 'Package: tree\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a tree\n' >"$memory/deb/DEBIAN/control"
		[ -d "$memory/deb/tree" ] || cp -r "$memory/tree" "$memory/deb"
		dpkg-deb -b "$memory/deb" "$memory/tree.deb" >/dev/null
		chmod a+r "$memory/tree.deb"
		writer=tar scenario unpack "dpkg-deb -x $memory/tree.deb $slow/out; rm -r $slow/out/tree"
	fi
	writer=dd scenario direct "dd if=/dev/zero of=$slow/out/direct bs=64k count=100 oflag=direct status=none; rm $slow/out/direct"
	writer=strain scenario renames "$strain rename $slow/out 300 20000; rm $slow/out/*"
	writer=strain scenario unlinks "$strain unlink $slow/out 150 20000"

	# None of these is to be flagged for the disk that is busy, but the last two really are held back by it.
	dd if=/dev/zero of="$slow/hog" bs=64k count=2000 status=none &
	hog=$!
	where=$memory tmp=$memory/tmp
	scenario busydisk "for i in 1 2 3; do make -s -C $memory/project -j2 O=$memory/out; rm -f $memory/out/*; done"
	where=$scratch/fast tmp=
	mkdir -p "$where"
	chmod 1777 "$where"
	writer=dd scenario neighbour "for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=$where/file bs=64k count=20 status=none; $strain compute 0.2; done"
	scenario neighbour2 "make -s -C $memory/project -j2 O=$where; rm -f $where/*.o"
	writer=tar scenario neighbour3 "tar -C $where -xf $memory/tree.tar; rm -r $where/tree"
	kill "$hog" 2>/dev/null || true
	wait "$hog" 2>/dev/null || true
	rm -f "$slow/hog"
	slowdisk_down
}

on_other()
{
	command -v "mkfs.$1" >/dev/null && any_wanted "$1-make1" "$1-make2" "$1-make4" "$1-make16" "$1-writer" "$1-fsyncs" || return 0
	disk "$1" 800000 3145728 1572864
	slowdisk_throttle
	tmp=$slow/tmp
	for jobs in 1 2 4 16; do
		scenario "$1-make$jobs" "$(build_text $jobs)"
	done
	tmp=
	writer=dd scenario "$1-writer" "dd if=/dev/zero of=$slow/big bs=64k count=150 status=none; rm $slow/big"
	writer=strain scenario "$1-fsyncs" "$strain fsync $slow/out 40 12000; rm $slow/out/*"
	slowdisk_down
}

on_overlay()
{
	any_wanted overlay-make1 overlay-make2 overlay-make4 overlay-make16 || return 0
	disk ext4 800000 3145728 1572864
	mkdir "$slow/upper" "$slow/work" "$slow/merged"
	chmod a+rwx "$slow/upper"
	mount -t overlay -o "lowerdir=$memory/project,upperdir=$slow/upper,workdir=$slow/work" overlay "$slow/merged" || return 0
	slowdisk_throttle
	tmp=$slow/tmp where=$slow/merged
	for jobs in 1 2 4 16; do
		scenario "overlay-make$jobs" "make -s -j$jobs -C $slow/merged; status=\$?; rm -f $slow/merged/*.o; exit \$status"
	done
	tmp=
	umount "$slow/merged"
	slowdisk_down
}

# Neither wait channel nor call can be read. First of a tree that is not dumpable; then nothing at all of a tree that is
# another user's, where /proc hides those: the pressure of its control group is all there is.
on_hidden()
{
	any_wanted hidden-writer hidden-untar hidden-make2 hidden-make4 hidden-fsyncs hidden-compute hidden-over16 \
		hidden-mixed psi-writer psi-untar psi-make2 psi-make4 psi-fsyncs psi-compute psi-over16 psi-mixed || return 0
	echo '#include <sys/prctl.h>
	__attribute__((constructor)) static void hide(void) { prctl(PR_SET_DUMPABLE, 0); }' >"$memory/hide.c"
	cc -shared -fPIC -o "$memory/hide.so" "$memory/hide.c"
	cp "$scratch/strain" "$scratch/as"
	chmod 4755 "$scratch/as"
	echo 'mount -t proc -o hidepid=2 proc /proc && exec "$@"' >"$scratch/inside.sh"
	disk ext4 600000 3145728 1572864
	slowdisk_throttle
	mixed="for i in 1 2 3 4; do dd if=/dev/zero of=$slow/\$i bs=64k count=24 status=none; $strain compute 1.5; done; rm $slow/[1-4]"
	for way in hidden psi; do
		before="export LD_PRELOAD=$memory/hide.so;"
		if [ $way = psi ]; then
			before="export TMPDIR=$slow/tmp;" pressed=/sys/fs/cgroup/unified/buildtop-diagnosis
			[ -d /sys/fs/cgroup/unified ] || pressed=/sys/fs/cgroup/buildtop-diagnosis
			mkdir -p "$pressed" && [ -e "$pressed/io.pressure" ] || break
			as="$scratch/as as 65533"
			inside="unshare -m --propagation private sh $scratch/inside.sh"
		fi
		scenario $way-writer "$before dd if=/dev/zero of=$slow/big bs=64k count=140 status=none; rm $slow/big"
		scenario $way-untar "$before tar -C $slow/out -xf $memory/tree.tar; rm -r $slow/out/tree"
		scenario $way-fsyncs "$before $strain fsync $slow/out 60 12000; rm $slow/out/*"
		scenario $way-mixed "$before $mixed"
		tmp=$slow/tmp
		scenario $way-make2 "$before $(build_text 2)"
		scenario $way-make4 "$before $(build_text 4)"
		where=$memory tmp=$memory/tmp
		scenario $way-compute "$before $strain compute 4 & $strain compute 4; wait"
		scenario $way-over16 "$before make -s -C $memory/project -j16 O=$memory/out; rm -f $memory/out/*"
		where=$slow tmp=
	done
	[ -z "$pressed" ] || rmdir "$pressed"
	pressed= as= inside=
	slowdisk_down
}

# Reading: the disk is slow to read too, and what is in memory of it goes away by mounting it anew.
on_cold()
{
	any_wanted cold coldfiles coldxz coldmake || return 0
	disk ext4 800000 3145728 1572864
	cp -r "$memory/tree" "$memory/blob" "$slow"
	! command -v xz >/dev/null || xz -0c "$memory/tree.tar" >"$slow/tree.xz"
	for one in cold coldfiles coldxz; do
		umount "$slow"
		mount "$slow_loop" "$slow"
		slowdisk_limit_reads 600000
		case $one in
		cold) scenario cold "cat $slow/blob >/dev/null" ;;
		coldfiles) scenario coldfiles "tar -C $slow -cf - tree | wc -c" ;;
		coldxz) scenario coldxz "xz -dc $slow/tree.xz | while dd bs=16k count=1 status=none | grep -qc .; do $strain compute 0.01; done" ;;
		esac
		slowdisk_limit_reads 0
	done
	slowdisk_down
}

# A memory limit (cgroup v1) that is smaller than what the build goes through.
on_memory()
{
	any_wanted memfiles memswap || return 0
	[ -w /sys/fs/cgroup/memory/memory.limit_in_bytes ] || return 0
	disk ext4 8000000 3145728 1572864
	dd if=/dev/zero of="$slow/file" bs=1M count=50 status=none
	dd if=/dev/zero of="$slow/swap" bs=1M count=200 status=none
	chmod a+r "$slow/file"
	mkswap -q "$slow/swap"
	chmod 600 "$slow/swap"
	group=/sys/fs/cgroup/memory/buildtop-diagnosis
	mkdir -p "$group"
	echo 40000000 >"$group/memory.limit_in_bytes"
	umount "$slow"
	mount "$slow_loop" "$slow"
	slowdisk_limit_reads 8000000
	# Once through it, so that all that is read from here on had been in memory.
	(echo 0 >"$group/cgroup.procs" && exec cat "$slow/file" >/dev/null)
	reads_again=1
	scenario memfiles "$strain reread $slow/file 12"
	reads_again=
	swapon "$slow/swap"
	at_end "swapoff $slow/swap 2>/dev/null || true"
	scenario memswap "$strain touch 70 12"
	swapoff "$slow/swap"
	rmdir "$group" || true
	group=
	slowdisk_limit_reads 0
	slowdisk_down
}

negative
on_ext4
on_other xfs
on_other btrfs
on_overlay
on_hidden
on_cold
on_memory
[ -z "${BENCH_KEEP:-}" ] || cat "$scratch/lines" >>"$BENCH_KEEP/lines"
"$python" "$score" table <"$scratch/lines"
