#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make bench-verdict: are the verdicts of compare right as often as they should be? A small build twenty times under
# one name, and twenty times with a sleep in each compile that makes it 8 % slower, interleaved by bench. Then twenty
# random splits: ten against ten of the same must be "no difference", five of the slow ones against five of the
# others "slower", each in at least 19 of 20. About three minutes; says how busy others kept the machine.
#
# BENCH_RUNS: of each (20). BENCH_KEEP: a directory for the runs; if there are runs in it they are taken.
# shellcheck source=tests/lib.sh
. "$srcdir/tests/lib.sh"
need make cc python3

work=${BENCH_KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/buildtop-verdict.XXXXXX")}
mkdir -p "$work"
[ -n "${BENCH_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$work" || exit 1

if [ ! -e runs/results.json ]; then
	sh "$srcdir/tests/system/make-project.sh" project 12 24
	# What a compile takes, and 8 % of it.
	time_build()
	{
		mkdir -p out
		python3 -c 'import subprocess, sys, time
begin = time.monotonic()
subprocess.check_call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(time.monotonic() - begin)' make -s -C project "O=$work/out" CC="$1"
		rm -rf "$work/out"
	}
	cat >slow-cc <<-'END'
		#!/bin/sh
		[ -z "$SLEEP" ] || sleep "$SLEEP"
		exec cc "$@"
	END
	chmod +x slow-cc
	time_build "$work/slow-cc" >/dev/null
	SLEEP=$({ time_build "$work/slow-cc"; time_build "$work/slow-cc"; time_build "$work/slow-cc"; } |
		sort -n | awk 'NR == 2 { printf "%.3f", $1 * 0.08 / 14 }') # thirteen compiles and a link
	printf 'a sleep of %s s in each compile\n' "$SLEEP"
	"$BUILDTOP" bench -n "${BENCH_RUNS:-20}" -o runs --seed 5 --copy project --warmup --variant same=disk \
		--variant "slow=disk,env=SLEEP=$SLEEP" -- make -s "CC=$work/slow-cc" >/dev/null ||
		fail "the builds"
fi
grep 'against\|CPUs that others' runs/results.txt | head -n 3
python3 "$srcdir/tests/bench/verdict/splits.py" "$BUILDTOP" runs
