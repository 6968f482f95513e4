#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The screen on a terminal: a tmux server of its own, keys sent, what is seen waited for (never slept for). Cases A03, E01, E03, E04,
# E06, E07, E08, E11.
demo=$builddir/tests/tui/demo-screen

if ! command -v tmux >/dev/null 2>&1; then
	echo "tmux is not installed"
	[ "${CI:-}" = true ] && exit 1
	exit 77
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/buildtop-screen.XXXXXX") || exit 1
export XDG_CONFIG_HOME="$dir"
socket=buildtop-test-$$
failures=0
cleanup() {
	t kill-server 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

t() { tmux -u -L "$socket" -f /dev/null "$@"; }
see() { t capture-pane -p -t s; }
keys() { t send-keys -t s "$@"; }

fail() {
	echo "FAIL: $*"
	see 2>/dev/null | sed 's/^/    | /'
	failures=$((failures + 1))
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for() {
	until_s=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -le "$until_s" ] || return 1
		sleep 0.05
	done
}

seen() { see | grep -q -e "$1"; }
unseen() { ! seen "$1"; }
expect() { wait_for 10 seen "$1" || fail "$2: waited for '$1'"; }
ended() { wait_for 10 test -s "$dir/status" || fail "$1: it did not end"; }

# A pane with a shell; the raw bytes that reach the terminal go to $dir/raw.
start_shell() {
	t kill-session -t s 2>/dev/null
	# A server that ends with its last session may be met while it does.
	t start-server \; set-option -g exit-empty off
	rm -f "$dir/raw" "$dir/status"
	t new-session -d -s s -x "${1%x*}" -y "${1#*x}" "env PS1='ready> ' ENV= sh" || exit 1
	t set-option -g status off
	t set-option -g remain-on-exit on
	t pipe-pane -t s "cat >'$dir/raw'"
	expect 'ready>' shell
}

# run ENVIRONMENT ARGUMENTS: the demo in that shell, its terminal modes kept before and after
run() {
	rm -f "$dir/status"
	keys "stty -a >$dir/before; env $1 $demo $2; echo \$? >$dir/code; stty -a >$dir/after; echo done >$dir/status" Enter
}

whole() {
	cmp -s "$dir/before" "$dir/after" || fail "$1: terminal modes differ"
	expect 'ready>' "$1"
	[ "$(t display-message -p -t s '#{alternate_on}#{cursor_flag}')" = 01 ] || fail "$1: still in the alternate screen, or no cursor"
}

utf8=LC_ALL=C.UTF-8

echo "# sizes and back (E01)"
start_shell 80x24
run "$utf8" "--period 50"
expect 'STALLED: dirty throttling' 80x24
for size in 120x40 200x60 40x10 20x5 2x2 1x1 3x1 80x1 300x100 80x24; do
	t resize-window -t s -x "${size%x*}" -y "${size#*x}"
	case $size in
	[1-3]x*) ;;
	*) expect 'STALLED' "size $size" ;;
	esac
done
expect 'limit' 'after sizes'
expect 'q quit' 'after sizes'
keys o
expect 'output of the build' 'o'
t resize-window -t s -x 1 -y 1
t resize-window -t s -x 80 -y 24
expect 'output of the build' 'o after 1x1'
keys Escape '?'
expect 'this help' '?'
keys Escape
expect 'limit' 'Escape'
keys t
expect 'tree' 't'
keys / l d Enter
expect 'only ld' '/'
keys Escape
wait_for 10 unseen 'only ld' || fail 'Escape clears the filter'
keys q
expect 'wait without the screen' 'q'
keys Escape
wait_for 10 unseen 'wait without' || fail 'Escape goes back'
keys q
expect 'wait without the screen' 'q again'
keys w
ended 'q w'
expect 'demo: closed' 'q w'
whole 'q w'

echo "# hostile names do not come through (A03)"
grep -aq 'PWNED' "$dir/raw" || fail 'the hostile names were not shown at all'
escape=$(printf '\033')
bell=$(printf '\007')
csi=$(printf '\233')
LC_ALL=C grep -aq -e "$escape]0;PWNED" -e "PWNED$bell" -e "ev$escape" -e "${csi}2J" "$dir/raw" && fail 'an escape sequence of a name reached the terminal'

echo "# a cursor, pages, zoom; what is pasted is no command"
rm -rf "$dir/buildtop"
start_shell 80x24
run "$utf8" "--period 100 --say 'recording: no space left'"
expect 'STALLED: dirty throttling' 'live'
expect 'recording: no space left' 'a line of ours'
keys Left
expect 'HELD' 'Left'
keys 3
expect 'what helps' '3'
expect 'balance_dirty_pages' '3'
keys 4
expect 'file systems' '4'
keys 5
expect 'of the limit' '5'
keys BTab
expect 'file systems' 'Shift-Tab'
keys Escape '$'
wait_for 10 unseen 'HELD' || fail '$ does not go back to now'
keys -
expect '1 = 2.0 s' 'zoom out'
keys +
wait_for 10 unseen '1 = 2.0 s' || fail 'zoom in'
keys w m Right Right
expect 'stalled ' 'm'
keys Escape
t set-buffer "qsqw"
t paste-buffer -p -t s
expect 'does nothing here' 'paste'
seen 'wait without' && fail 'what was pasted was taken for a command'
keys i
expect 'goes to the build' 'i'
keys 'C-]'
expect 'limit' 'Ctrl-]'
keys T s t
expect 'tree' 't'
keys q
expect 'wait without' 'q'
keys w
ended 'q w'
whole 'q w'
grep -q 'theme light' "$dir/buildtop/screen" || fail 'the theme is not kept'
grep -q 'shape tree' "$dir/buildtop/screen" || fail 'the shape is not kept'
rm -r "$dir/buildtop"

echo "# replay"
start_shell 80x24
run "$utf8" "--replay --ticks 120"
expect 'REPLAY' replay
keys n
expect 'STALLED: dirty throttling' 'n'
keys Space
expect 'PAUSED' 'space'
keys n
expect 'flush wait 1 s' 'n again'
keys N
expect 'dirty throttling 1 s' 'N'
keys g
expect 'go to' g
keys '1:10' Enter
expect ' 1:10 ' 'g 1:10'
keys w
expect 'STALLED' 'w'
keys g '1:10' Enter
expect ' 1:10 ' 'back to 1:10'
keys Right
expect ' 1:11 ' 'Right'
keys q
ended 'q in replay'
whole 'q in replay'

echo "# charsets and terminals (E03, E04)"
for setting in LC_ALL=C LC_ALL=POSIX "LC_ALL= LANG=xx_YY" "LC_ALL= LANG= LC_CTYPE=C.UTF-8" NO_COLOR=1 TERM=vt100 TERM=xterm-256color; do
	start_shell 80x24
	run "$setting" ""
	expect 'STALLED: dirty throttling' "$setting"
	case $setting in
	LC_ALL=C | LC_ALL=POSIX)
		see | LC_ALL=C grep -q '[^ -~]' && fail "$setting: bytes beyond ASCII"
		;;
	*CTYPE*)
		expect '█' "$setting"
		;;
	esac
	keys q
	expect 'wait without' "$setting"
	keys s
	ended "$setting"
	whole "$setting"
done
for setting in TERM=nosuch TERM= TERM=dumb "-u TERM"; do
	start_shell 80x24
	run "$setting" ""
	ended "$setting"
	expect 'demo: no screen' "$setting"
	[ "$(cat "$dir/code")" = 3 ] || fail "$setting: status"
	whole "$setting"
done

echo "# every way out leaves the terminal whole (E06)"
for signal in TERM HUP INT QUIT SEGV BUS ABRT FPE ILL; do
	start_shell 80x24
	run "$utf8" ""
	expect 'STALLED' "$signal"
	pid=$(pgrep -P "$(t display-message -p -t s '#{pane_pid}')" | head -n 1)
	kill "-$signal" "$pid"
	ended "$signal"
	whole "$signal"
	case $signal in
	TERM | HUP | INT | QUIT) [ "$(cat "$dir/code")" = 0 ] || fail "$signal: status $(cat "$dir/code")" ;;
	*) [ "$(cat "$dir/code")" -gt 0 ] || fail "$signal: it did not die of it" ;;
	esac
done

echo "# Ctrl-C goes to the build, Ctrl-Z to the shell and back (E08)"
start_shell 80x24
run "$utf8" ""
expect 'STALLED' Ctrl-C
keys C-c
ended Ctrl-C
expect 'demo: typed' Ctrl-C
whole Ctrl-C
start_shell 80x24
keys "set -m; stty -a >$dir/before; $demo" Enter
expect 'STALLED' Ctrl-Z
keys C-z
expect 'ready>' Ctrl-Z
keys "stty -a >$dir/after; echo done >$dir/status" Enter
ended Ctrl-Z
whole Ctrl-Z
keys "fg" Enter
expect 'STALLED' fg
expect 'limit' fg
keys q
expect 'wait without' fg
keys w
expect 'demo: closed' fg

echo "# the terminal goes away, SIGHUP ignored: it ends at once (E07, E11)"
start_shell 80x24
keys "trap '' HUP; env $utf8 $demo --hang-up-ignored >$dir/out" Enter
expect 'STALLED' 'hang-up'
pid=$(pgrep -P "$(t display-message -p -t s '#{pane_pid}')" | head -n 1)
t kill-session -t s
gone() { ! kill -0 "$pid" 2>/dev/null; }
wait_for 10 gone || {
	fail 'hang-up: it goes on'
	kill "$pid"
}
grep -q 'demo: closed' "$dir/out" || fail 'hang-up: the session was not told'

[ "$failures" = 0 ] || {
	echo "$failures failures"
	exit 1
}
