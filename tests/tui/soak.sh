#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Random keys, sizes, pastes and stops, live and replayed, for SOAK_SECONDS each (8; the sanitizer builds are where it counts). The
# seed is the same each time; SOAK_SEED=$(date +%s) is another walk. At its end the screen must still answer, and leave the terminal whole.
demo=$builddir/tests/tui/demo-screen
seconds=${SOAK_SECONDS:-8}
seed=${SOAK_SEED:-1}

if ! command -v tmux >/dev/null 2>&1 || ! command -v awk >/dev/null 2>&1; then
	echo "tmux is not installed"
	[ "${CI:-}" = true ] && exit 1
	exit 77
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/buildtop-soak.XXXXXX") || exit 1
socket=buildtop-soak-$$
cleanup() {
	t kill-server 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

t() { tmux -u -L "$socket" -f /dev/null "$@"; }

fail() {
	echo "FAIL: seed $seed: $*"
	t capture-pane -p -t s 2>/dev/null | sed 's/^/    | /'
	cat "$dir/err" 2>/dev/null
	exit 1
}

wait_for() {
	until_s=$(($(date +%s) + 15))
	until "$@"; do
		[ "$(date +%s)" -le "$until_s" ] || return 1
		sleep 0.1
	done
}
seen() { t capture-pane -p -t s | grep -q -e "$1"; }
ended() { test -s "$dir/code"; }

# One tmux command a line. No q, no Ctrl-C and no Ctrl-Z among the keys: those end or stop it.
commands() {
	awk -v seed="$1" -v seconds="$2" 'BEGIN {
		srand(seed)
		n = split("Left Right S-Left S-Right Up Down PageUp PageDown Home End Tab BTab Enter Escape Space " \
			  "F1 F3 F4 F5 F6 1 2 3 4 5 6 o n N w d g s t T e E i C-] m + - ? h j k ^ $ [ ] { } / BSpace C-l C-u " \
			  "a : 0 9 x M-x C-Left", key, " ")
		for (i = 0; i < seconds * 12; i++) {
			r = rand()
			if (r < 0.12)
				printf "resize-window -t s -x %d -y %d\n", 1 + int(rand() * rand() * 250), 1 + int(rand() * rand() * 80)
			else if (r < 0.16)
				print "set-buffer \"qs\\n\\033[31mqw\\003 8:00\\n\" ; paste-buffer -p -t s"
			else
				printf "send-keys -t s %s\n", (k = key[1 + int(rand() * n)]) == "$" ? "\\$" : k == "{" ? "\"{\"" : k == "}" ? "\"}\"" : k == "?" ? "\"?\"" : k
			print "run-shell \"sleep 0.06\""
		}
	}'
}

soak() {
	rm -f "$dir/code" "$dir/err"
	t start-server \; set-option -g exit-empty off
	t kill-session -t s 2>/dev/null
	t new-session -d -s s -x 100 -y 30 "stty -a | grep -v rows >$dir/before; env LC_ALL=$2 XDG_CONFIG_HOME=$dir $demo $1 2>$dir/err; echo \$? >$dir/code.new; stty -a | grep -v rows >$dir/after; mv $dir/code.new $dir/code; sleep 1000"
	t set-option -g status off
	wait_for seen 'quit' || fail "$1: no screen"
	commands "$seed" "$seconds" >"$dir/commands"
	while read -r command; do
		eval "t $command" >/dev/null 2>&1
	done <<-END
		$(grep -v run-shell "$dir/commands" | sed 's/ ; / \\\\; /')
	END
	ended && fail "$1: it ended"
	t resize-window -t s -x 80 -y 24
	# Out of whatever prompt it is in.
	t send-keys -t s C-]
	t send-keys -t s Escape
	sleep 0.3
	t send-keys -t s Escape
	sleep 0.3
	t send-keys -t s 1
	wait_for seen 'cause' || fail "$1: it does not answer"
	t send-keys -t s q
	case $1 in
	*--replay*) ;;
	*)
		wait_for seen 'wait without' || fail "$1: q"
		t send-keys -t s w
		;;
	esac
	wait_for ended || fail "$1: it does not end"
	[ "$(cat "$dir/code")" = 0 ] || fail "$1: status $(cat "$dir/code")"
	cmp -s "$dir/before" "$dir/after" || fail "$1: terminal modes differ"
	! grep -q 'Sanitizer\|runtime error' "$dir/err" || fail "$1"
	echo "ok $1 $2"
}

echo "# seed $seed"
soak "--period 50" C.UTF-8
soak "--replay --ticks 400 --period 50" C.UTF-8
soak "--period 50" C
