#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What buildtop costs, beside what its peers cost on the same machine at the same time: milliseconds of CPU a second, at one
# sample a second, each in a terminal of 80x24, with a build of 40 processes and more and more processes that have nothing to
# do with it. The bytes that a sample takes in a recording, and buildtop's memory.
#
# BENCH_SECONDS: how long each of them is measured (default 10: three to four minutes in all). BENCH_OTHERS: "150 1000 5000".
# Ends with 1 when buildtop takes more of htop's time, or of memory, than it promises.

set -eu
: "${srcdir:=.}" "${builddir:=build}"
: "${BUILDTOP:=$builddir/buildtop}" "${CROWD:=$builddir/tests/bench/crowd}"
: "${BENCH_SECONDS:=10}" "${BENCH_OTHERS:=150 1000 5000}"
command -v tmux >/dev/null || {
	echo "bench: tmux is not there" >&2
	exit 77
}

scratch=$(mktemp -d)
terminals=0
others=
# shellcheck disable=SC2317 # by the trap
finish()
{
	on_tmux kill-server 2>/dev/null || true
	[ -z "$others" ] || kill "$others" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

export TERM=xterm-256color LC_ALL=C.UTF-8 XDG_CONFIG_HOME="$scratch" XDG_STATE_HOME="$scratch" HTOPRC="$scratch/htoprc"
mkdir "$scratch/btop"
echo 'update_ms = 1000' >"$scratch/btop/btop.conf"

# Nanoseconds of CPU that the threads of a process have had.
cpu_ns()
{
	cat "/proc/$1/task/"*/schedstat | awk '{ sum += $1 } END { printf "%.0f", sum }'
}

# A number of the summary's "monitor".
field()
{
	sed -n '/"monitor"/,/}/ s/.*"'"$1"'": *\([0-9.]*\).*/\1/p' "$scratch/summary.json" | head -n 1
}

on_tmux()
{
	tmux -L "buildtop-bench-$$-$terminals" -f /dev/null "$@"
}

# The process that runs in the pane: exec makes it the pane's own. A server of its own for each, since one that is told to
# end takes its time.
start_in_terminal()
{
	terminals=$((terminals + 1))
	on_tmux new-session -d -x 80 -y 24 "exec $*" 2>"$scratch/tmux.err" || {
		cat "$scratch/tmux.err" >&2
		return 1
	}
	pid=$(on_tmux display-message -p '#{pane_pid}')
}

# measure COMMAND...: sets ms, the milliseconds a second; the terminal stays.
measure()
{
	start_in_terminal "$@"
	sleep 3
	from=$(cpu_ns "$pid") && began=$(date +%s%N)
	sleep "$BENCH_SECONDS"
	to=$(cpu_ns "$pid") && ended=$(date +%s%N)
	ms=$(awk "BEGIN { printf \"%.2f\", ($to - $from) / ($ended - $began) * 1000 }")
}

measure_peer()
{
	command -v "$1" >/dev/null || {
		echo "$1" >>"$scratch/missing"
		ms=-
		return 0
	}
	# The build that is looked at is there for the peers too.
	"$CROWD" build 40 &
	build=$!
	measure "$@"
	on_tmux kill-server
	kill "$build"
	wait "$build" 2>/dev/null || true
}

measure_buildtop()
{
	rm -rf "$scratch/recorded"
	mkdir "$scratch/recorded"
	measure "$BUILDTOP --tui -o $scratch/recorded/bench.buildtop --summary $scratch/summary.json -- $CROWD build 40"
	memory=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$pid/status")
	[ "$memory" -le $((12 * 1024)) ] || broken_memory=1
	# The build is ended, and buildtop with it, so that it writes its summary.
	pkill -TERM -P "$pid" -x crowd
	tries=100
	while kill -0 "$pid" 2>/dev/null; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || break
		sleep 0.1
	done
	on_tmux kill-server 2>/dev/null || true
	own=$(field cpu_seconds)
	samples=$(field samples)
	wall=$(sed -n 's/.*"wall_seconds": *\([0-9.]*\).*/\1/p' "$scratch/summary.json" | head -n 1)
	own=$(awk "BEGIN { printf \"%.2f\", $own / $wall * 1000 }")
	bytes=$(($(wc -c <"$scratch/recorded/bench.buildtop") / samples))
}

ratio()
{
	if [ "$2" = - ]; then echo -; else awk "BEGIN { printf \"%.3f\", $1 / $2 }"; fi
}

# What buildtop may take of htop's time.
promise()
{
	case $1 in
	150) echo 0.667 ;;
	1000) echo 0.167 ;;
	5000) echo 0.050 ;;
	*) echo - ;;
	esac
}

uname -sr
echo "CPU, milliseconds a second, $(nproc) CPUs, $BENCH_SECONDS s each, a build of 40 processes, 80x24"
printf '%7s %9s %9s %7s %7s %7s %7s %11s %8s %9s %7s\n' \
	others buildtop '(itself)' htop top btop atop 'of htop' promised 'B/sample' KiB
broken=0
broken_memory=0
for count in $BENCH_OTHERS; do
	"$CROWD" idle "$count" &
	others=$!
	measure_buildtop
	ours=$ms
	measure_peer htop -d 10
	htop=$ms
	measure_peer top -d 1
	top=$ms
	measure_peer btop
	btop=$ms
	measure_peer atop 1
	atop=$ms
	kill "$others"
	wait "$others" 2>/dev/null || true
	others=
	# Those that were left to init may lie there for a while.
	tries=200
	while [ "$(pgrep -cx crowd)" -gt 100 ] && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	part=$(ratio "$ours" "$htop")
	promised=$(promise "$count")
	printf '%7s %9s %9s %7s %7s %7s %7s %11s %8s %9s %7s\n' \
		"$count" "$ours" "$own" "$htop" "$top" "$btop" "$atop" "$part" "$promised" "$bytes" "$memory"
	if [ "$part" != - ] && [ "$promised" != - ] && awk "BEGIN { exit !($part > $promised) }"; then
		broken=1
	fi
done
[ ! -e "$scratch/missing" ] || echo "not there: $(sort -u "$scratch/missing" | tr '\n' ' ')"
[ "$broken" = 0 ] || echo "buildtop takes more of htop's time than it promises"
[ "$broken_memory" = 0 ] || echo "buildtop takes more than the 12 MiB of memory it promises"
exit $((broken | broken_memory))
