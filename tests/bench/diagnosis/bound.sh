#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make bench-bound: does "at least, at most" hold what is really gained? Nine workloads, each twice on a slow disk under buildtop and
# then in memory. Computing is a timer where the shape alone matters, so that others on this machine do not; what computes
# is preferred to them. Prints for each
# run the gain and the bound without and with the critical path. Root; five minutes; small dirty limits meanwhile.
#
# BENCH_WORKLOADS: names to run instead of all of them. BENCH_KEEP: a file for the lines.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
# shellcheck source=tests/system/slowdisk.sh
. "$srcdir/tests/system/slowdisk.sh"
need make cc dd setpriv

: "${STRAIN:=$builddir/tests/bench/diagnosis/strain}" "${BENCH_WORKLOADS:=}"
strain=$scratch/strain
cp "$STRAIN" "$strain"
memory=/dev/shm/buildtop-bound.$$
mkdir -p "$memory"
at_end rm -rf "$memory"
: >"$scratch/lines"

# timed NAME WHERE TEXT: as uid 65534; the summary in $memory/NAME.json, the rows in NAME.ndjson.
timed()
{
	rm -f "$memory/$1".*
	(
		cd "$2"
		exec env HOME="$memory" TMPDIR="$2/tmp" LC_ALL=C nice -n -10 setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$BUILDTOP" --no-tui -q -o "$memory/$1.buildtop" --summary "$memory/$1.json" -w "$2" -- sh -c "$3"
	) >"$scratch/$1.out" 2>&1 </dev/null || {
		cat "$scratch/$1.out"
		fail "$1"
	}
	"$BUILDTOP" report --format ndjson -O "$memory/$1.ndjson" "$memory/$1.buildtop"
}

clean()
{
	rm -rf "$1/tmp" "$1/out"
	mkdir -m 777 "$1/tmp" "$1/out"
}

# workload NAME BESIDE TEXT: BESIDE is 1 where a stalled task stands beside the path.
workload()
{
	case " $BENCH_WORKLOADS " in "  " | *" $1 "*) ;; *) return 0 ;; esac
	for run in 1 2; do
		for where in "$slow" "$memory"; do
			clean "$where"
			sync -f "$slow"
			kind=slow
			[ "$where" = "$slow" ] || kind=fast
			timed $kind "$where" "$3"
		done
		"$python" - "$1" "$2" "$memory/slow.json" "$memory/slow.ndjson" "$memory/fast.json" >>"$scratch/lines" <<-'END'
			import json, sys
			name, beside = sys.argv[1:3]
			slow, fast = json.load(open(sys.argv[3])), json.load(open(sys.argv[5]))
			builds = [r["build"] for r in map(json.loads, open(sys.argv[4])) if r["type"] == "tick"]
			wall = slow["wall_seconds"]
			cpu = slow["cpu"]["user_seconds"] + slow["cpu"]["system_seconds"]
			paths = [b["flush_path_seconds"] for b in builds if b.get("flush_path_seconds") is not None]
			print(json.dumps({"name": name, "beside": beside == "1", "wall": wall, "fast": fast["wall_seconds"],
			                  "full": sum(b["flush_full_seconds"] for b in builds), "some": sum(b["flush_some_seconds"] for b in builds),
			                  "cpu": cpu, "fast_cpu": fast["cpu"]["user_seconds"] + fast["cpu"]["system_seconds"],
			                  "floor": wall - cpu / slow["host"]["cpus"], "path": paths[-1]}))
		END
	done
}

slowdisk_up 300000 2097152 1048576
sh "$srcdir/tests/system/make-project.sh" "$slow/project" 30 12
cp -r "$slow/project" "$memory"
chmod -R a+rwX "$slow" "$memory"
slowdisk_throttle
write="dd if=/dev/zero bs=64k status=none"
workload copies 0 "$write count=30 of=out/one & $write count=30 of=out/two; wait"
workload make2 0 "make -s -C project -j2 O=\$PWD/out"
workload make4 0 "make -s -C project -j4 O=\$PWD/out"
workload make1 0 "make -s -C project -j1 O=\$PWD/out"
workload fsyncs 0 "$strain fsync out 40 12000"
workload beside 1 "$write count=60 of=out/one & sleep 10; wait"
workload serial 0 "for i in 1 2; do sleep 2; $write count=40 of=out/\$i; done"
workload mirrored 0 "{ sleep 4; $write count=35 of=out/one; } & { $write count=35 of=out/two; sleep 4; } & wait"
workload writers 1 "for i in 1 2 3; do $write count=20 of=out/\$i & done; sleep 5; wait"
slowdisk_down

[ -z "${BENCH_KEEP:-}" ] || cat "$scratch/lines" >>"$BENCH_KEEP"
"$python" "$srcdir/tests/bench/diagnosis/bound.py" <"${BENCH_KEEP:-$scratch/lines}"
