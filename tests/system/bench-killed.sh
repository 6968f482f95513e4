#!/bin/sh
# SPDX-License-Identifier: MIT
# A benchmark that is killed with -9 in a run with kernel settings, in a tmpfs and in a directory: after --cleanup
# or --resume settings, mounts and files are as they were, and finished runs are kept. The setting is one that
# only says how often times of lazily updated inodes are written.
# shellcheck source=tests/system/system.sh
. "${srcdir:-.}/tests/system/system.sh"
need_mounts

sysctl=/proc/sys/vm/dirtytime_expire_seconds
[ -w "$sysctl" ] || skip "no $sysctl"
before=$(cat "$sysctl")
at_end 'echo "$before" >"$sysctl"'
# One that somebody set, who is not us: must come back as it was.
other=$((before + 17))
echo "$other" >"$sysctl"

cd "$scratch"
mkdir source place
echo int >source/input
mounts_before=$(cut -d' ' -f5 /proc/self/mountinfo | sort)
files_before=$(ls -A place)
began=$scratch/began
export began

# The third run sleeps, so that a finished one stands before it.
build='cp input output; echo x >>"$began"; [ "$(wc -l <"$began")" != 3 ] || exec sleep 600'

killed_and() # killed_and resume|cleanup
{
	rm -f "$began"
	setsid "$BUILDTOP" bench -n 3 -o "$1" --copy source --seed 3 \
		--variant "dir=dir:place,sysctl=vm.dirtytime_expire_seconds=$((before + 100))" \
		--variant "tmpfs:16M,sysctl=vm.dirtytime_expire_seconds=$((before + 200))" -- \
		sh -c "$build" >bench.out 2>bench.err </dev/null &
	bench=$!
	wait_for 60 run_sleeps || fail "the third run did not begin"
	[ "$(cat "$sysctl")" != "$other" ] || fail "the setting was not made"
	finished=$(find "$1" -name '[1-9].json' | sort)
	[ -n "$finished" ] || fail "no run was finished"
	kill -9 "$bench"
	wait "$bench" 2>/dev/null || :
	[ "$(cat "$sysctl")" != "$other" ] || fail "killed too late to show anything"
	"$BUILDTOP" bench "--$1" -o "$1" >bench.out 2>bench.err || fail "--$1: $(cat bench.err)"
	[ "$(cat "$sysctl")" = "$other" ] || fail "--$1 left the setting at $(cat "$sysctl")"
	[ "$(cut -d' ' -f5 /proc/self/mountinfo | sort)" = "$mounts_before" ] || fail "--$1 left a mount"
	[ "$(ls -A place)" = "$files_before" ] || fail "--$1 left files: $(ls -A place)"
	[ ! -e /run/buildtop-bench.sysctl ] || fail "--$1 left its journal"
	for file in $finished; do
		[ -s "$file" ] && [ -s "${file%.json}.buildtop" ] || fail "--$1 lost $file"
	done
	[ ! -e "$1/.mnt" ] && [ ! -e "$1/.ccache" ] || fail "--$1 left its own directories"
	ok "--$1 after kill -9"
}

run_sleeps()
{
	[ -e "$began" ] && [ "$(wc -l <"$began")" -ge 3 ]
}

killed_and cleanup
[ "$(find cleanup -name '*.json' | wc -l)" -gt 1 ] || fail "nothing is left of the results"

killed_and resume
[ "$(find resume -name '[1-3].json' | wc -l)" = 6 ] || fail "it did not go on to the end"
[ -s resume/results.html ] || fail "no results"

# SIGTERM is no kill: all is put back at once
rm -f "$began"
"$BUILDTOP" bench -n 1 -o term --variant "place=dir:place,sysctl=vm.dirtytime_expire_seconds=$((before + 100))" -- \
	sh -c 'printf "1\n2\n3\n" >"$began"; exec sleep 600' >bench.out 2>bench.err </dev/null &
bench=$!
wait_for 60 run_sleeps || fail "the run did not begin"
kill "$bench"
wait "$bench" && fail "an interrupted benchmark succeeded"
[ "$(cat "$sysctl")" = "$other" ] || fail "SIGTERM left the setting at $(cat "$sysctl")"
[ -z "$(ls -A place)" ] || fail "SIGTERM left files"
ok "SIGTERM"
