#!/bin/sh
# SPDX-License-Identifier: MIT
# The build's own exit status, always (F03).
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

expect 0 "$BUILDTOP" true
expect 7 "$BUILDTOP" sh -c 'exit 7'
says err "failed with status 7"
expect 44 "$BUILDTOP" sh -c 'exit 300'
expect 125 "$BUILDTOP" sh -c 'exit 125'
expect 137 "$BUILDTOP" sh -c 'kill -9 $$'
says err "SIGKILL"
expect 143 "$BUILDTOP" sh -c 'kill -TERM $$'
expect 127 "$BUILDTOP" ./missing
says err "missing"
echo >plain
expect 126 "$BUILDTOP" ./plain
expect 126 "$BUILDTOP" /
[ -z "$(find state -name '*.buildtop' -newer plain 2>/dev/null)" ] || fail "a recording of what never ran was kept"

# what goes wrong beside the build changes nothing
expect 7 env XDG_STATE_HOME=/proc/nosuch "$BUILDTOP" sh -c 'exit 7'
expect 0 "$BUILDTOP" --summary /dev/full true
expect 7 env TERM=nosuch "$BUILDTOP" --tui sh -c "exit 7"
says err "no screen"
mkdir dir
expect 7 "$BUILDTOP" --summary dir/s.json sh -c 'rm -r dir; exit 7'
says err "dir/s.json"

# a build that died of an interrupt that we got too: so do we
cat >interrupted.py <<'EOF'
import os, signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
child = subprocess.Popen([sys.argv[1], "-q", "--no-record", "sh", "-c", "echo up; exec sleep 60"],
                         stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
os.killpg(child.pid, signal.SIGINT)
sys.exit(0 if child.wait() == -signal.SIGINT else 1)
EOF
need python3
expect 0 python3 interrupted.py "$BUILDTOP"
