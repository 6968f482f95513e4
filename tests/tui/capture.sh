#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: make screens, or capture.sh DIR
#
# Takes the screen as text into DIR (docs/screens), live and replayed, at 80x24, 120x40, 200x60, 40x10 and 100x30, in UTF-8 and
# in the C locale: live-80x24.txt, live-80x24-ascii.txt, replay-80x24.txt and so on, and the pages of it: page-stalls.txt. What is shown is a real build: as root on a disk that
# becomes slow after ten seconds, so that it stalls, else on whatever /var/tmp is on.

set -eu
out=${1:-$srcdir/docs/screens}
mkdir -p "$out"
out=$(cd "$out" && pwd)

if [ "$(id -u)" = 0 ]; then
	# shellcheck source=tests/system/system.sh
	. "$srcdir/tests/system/system.sh"
	# shellcheck source=tests/system/slowdisk.sh
	. "$srcdir/tests/system/slowdisk.sh"
	wanted='STALLED.* 0:[23][0-9] '
	slows=yes
else
	# shellcheck source=tests/lib.sh
	. "$srcdir/tests/lib.sh"
	here=$srcdir/tests/system
	scratch=$(mktemp -d /var/tmp/buildtop-screens.XXXXXX)
	slow=$scratch
	wanted=' 0:[23][0-9] '
	slows=
	at_end()
	{
		final=$1
		trap '$final; rm -rf "$scratch"' EXIT
		trap 'exit 1' INT TERM HUP
	}
fi
need tmux make cc

# A server of its own for each screen: one that is told to end takes its time.
name=none
on_tmux()
{
	tmux -L "buildtop-screens-$$-$name" -f /dev/null "$@"
}

# shows PATTERN: the screen has it now.
shows()
{
	on_tmux capture-pane -p | grep -qE "$1"
}

# until_true SECONDS COMMAND...
until_true()
{
	left=$(($1 * 10))
	shift
	until "$@"; do
		[ "$left" -gt 0 ] || return 1
		left=$((left - 1))
		sleep 0.1
	done
}

elapsed()
{
	on_tmux capture-pane -p | head -n 1 | grep -oE ' [0-9]+:[0-9][0-9] ' | head -n 1
}

# drawn_since ELAPSED ROWS: the clock went on, and the last row stands where it belongs.
drawn_since()
{
	now=$(elapsed)
	[ -n "$now" ] && [ "$now" != "$1" ] && last_row_is_drawn "$2"
}

# open_screen NAME LOCALE COMMAND...: at 80x24.
open_screen()
{
	name=$1 locale=$2
	shift 2
	on_tmux -u new-session -d -x 80 -y 24 -e LC_ALL="$locale" -e TERM=screen-256color "$@"
	on_tmux set-option -g status off
}

# Draws anew at each size; a screen that goes on has drawn all once its clock has moved.
take_all_sizes()
{
	for size in 80x24 120x40 200x60 40x10 100x30; do
		before=$(elapsed)
		on_tmux resize-window -x "${size%x*}" -y "${size#*x}"
		case $name in
		live*)
			until_true 10 drawn_since "$before" "${size#*x}" || fail "$name: the screen stands still"
			# A stall is what is to be seen; they come and go.
			[ -z "$slows" ] || until_true 15 shows STALLED || true
			;;
		# Held, it has no clock; the last row is drawn last, and stands where it belongs.
		*) until_true 10 last_row_is_drawn "${size#*x}" || fail "$name: not drawn at $size" ;;
		esac
		on_tmux capture-pane -p | sed 's/ *$//' >"$out/${name%%-*}-$size${name#"${name%%-*}"}.txt"
		ok "${name%%-*}-$size${name#"${name%%-*}"}.txt"
	done
}

# Each page at 100x30, at the same moment.
take_pages()
{
	on_tmux resize-window -x 100 -y 30
	for page in '2 processes PID' '3 stalls what.helps' '4 storage file.systems' '5 memory page.cache'; do
		# shellcheck disable=SC2086 # three words
		set -- $page
		on_tmux send-keys "$1"
		until_true 10 shows "$3" || fail "page $2: nothing like '$3' to be seen"
		on_tmux capture-pane -p | sed 's/ *$//' >"$out/page-$2.txt"
		ok "page-$2.txt"
	done
}

is_closed()
{
	! on_tmux has-session 2>/dev/null
}

last_row_is_drawn()
{
	on_tmux capture-pane -p | sed -n "$1p" | grep -q '? help'
}

take_live()
{
	name=$1 locale=$2
	rm -rf "$slow/out" && mkdir "$slow/out"
	open_screen "$name" "$locale" \
		"cd '$slow/project' && TMPDIR='$slow/tmp' '$BUILDTOP' --tui -o '$scratch/$name.buildtop' -w '$slow' -- make -j2 O='$slow/out'"
	if [ -n "$slows" ]; then
		until_true 30 shows ' 0:1[0-9] ' || fail "$name: no screen"
		slowdisk_throttle
	fi
	until_true 60 shows "$wanted" || fail "$name: nothing like '$wanted' to be seen"
	take_all_sizes
	[ -z "$slows" ] || slowdisk_release
	# Without its screen the build would go on.
	on_tmux send-keys C-c
	until_true 20 is_closed || fail "$name: Ctrl-C does not end it"
}

take_replay()
{
	name=$1 locale=$2
	open_screen "$name" "$locale" "'$BUILDTOP' replay '$3'"
	until_true 10 shows ' 0:0[0-9] ' || fail "$name: no screen"
	on_tmux send-keys Space
	until_true 10 shows PAUSED || fail "$name: no pause"
	# To about where the live screens were taken.
	on_tmux send-keys w
	[ -z "$slows" ] || until_true 10 shows STALLED || fail "$name: w does not go to a stall"
	on_tmux send-keys Right Right
	take_all_sizes
	[ "$name" != replay ] || take_pages
	on_tmux send-keys q
	on_tmux kill-server 2>/dev/null || true
}

close_tmux()
{
	on_tmux kill-server 2>/dev/null || true
}

at_end close_tmux
[ -z "$slows" ] || slowdisk_up 300000 2097152 1048576
sh "$here/make-project.sh" "$slow/project" 500 12
mkdir -p "$slow/tmp"

take_live live C.UTF-8
take_live live-ascii C
take_replay replay C.UTF-8 "$scratch/live.buildtop"
take_replay replay-ascii C "$scratch/live.buildtop"
