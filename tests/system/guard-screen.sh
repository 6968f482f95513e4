#!/bin/sh
# SPDX-License-Identifier: MIT
# A build that is held, on the real screen: it says so and how to make room; key c lets it go on, Ctrl-C ends it.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
need tmux

cat >"$scratch/slow.sh" <<'END'
trap 'echo ended >"$1/how"; exit 3' INT TERM
i=0
while [ $i -lt 120 ]; do
	head -c 500000 /dev/zero >>"$1/d/x" 2>/dev/null || { echo full >"$1/how"; exit 9; }
	i=$((i + 1))
	sleep 0.02
done
END
cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/d"
mount -t tmpfs -o size=30m none "$1/d"
"$1/buildtop" --tui --no-record --pause-on-full -- sh "$1/slow.sh" "$1"
echo $? >"$1/status"
END
socket=buildtop-guard-$$
t() { tmux -u -L "$socket" -f /dev/null "$@"; }
at_end 't kill-server 2>/dev/null'
shown() { t capture-pane -p -t s | grep -qE -e "$1"; }
held() # KEYS: on a screen, until the build has ended
{
	rm -f "$scratch/how" "$scratch/status"
	t new-session -d -s s -x 140 -y 40 "TERM=screen-256color unshare -m --propagation private sh '$scratch/inside.sh' '$scratch'"
	wait_for 20 shown 'build held \(c: go on\): .*% full' || {
		t capture-pane -p -t s
		fail "the screen does not say that the build is held"
	}
	wait_for 20 shown 'mount -o remount,size=' || fail "the screen does not say how to make room"
	t send-keys -t s "$@"
	wait_for 20 test -s "$scratch/status" || {
		t capture-pane -p -t s
		fail "$1: it did not end"
	}
	t kill-session -t s 2>/dev/null || true
}
held c
[ "$(cat "$scratch/how") $(cat "$scratch/status")" = "full 9" ] || fail "c: $(cat "$scratch/how" "$scratch/status")"
ok "key c lets it go on, full or not"
held C-c
case $(cat "$scratch/status") in 3 | 130) ok "Ctrl-C ends it" ;; *) fail "Ctrl-C: status $(cat "$scratch/status")" ;; esac
