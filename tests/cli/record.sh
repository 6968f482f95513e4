#!/bin/sh
# SPDX-License-Identifier: MIT
# What becomes of the recording is no matter of the build's: files limited in size, FIFOs without a reader, pipes.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

# A limit on the size of files: the recording stops there and the build does not; for the build the limit is what it was.
expect 0 sh -c 'ulimit -f 1; exec "$0" -q -o limited.buildtop true' "$BUILDTOP"
says err "limited.buildtop: File too large"
expect 153 sh -c 'ulimit -f 1; exec "$0" -q --no-record sh -c "kill -XFSZ \$\$"' "$BUILDTOP"

# A FIFO that nobody reads does not keep the build from its work, nor for long from its end.
mkfifo unread.fifo
expect 7 timeout 20 "$BUILDTOP" -q -o unread.fifo sh -c 'echo done >done; exit 7'
[ -s done ] || fail "the build waited for a reader"
says err "were lost"

# One that is read from the second second on is whole.
mkfifo late.fifo
"$BUILDTOP" -q -o late.fifo sleep 2 &
sleep 1
cat late.fifo >late.buildtop
wait $! || fail "the build failed"
expect 0 "$BUILDTOP" report late.buildtop
silent err
says out "sleep 2"

# Through a pipe, both ways.
"$BUILDTOP" -q -o - sleep 1 | cat >piped.buildtop
expect 0 sh -c 'cat piped.buildtop | "$0" report -' "$BUILDTOP"
silent err
says out "sleep 1"

# A recording that is still written can be told of.
"$BUILDTOP" -q -i 0.1 -o growing.buildtop sleep 3 &
wait_for 10 test -s growing.buildtop
sleep 1
expect 0 "$BUILDTOP" report growing.buildtop
says err "before the end of the run"
says out "sleep 3"
wait $! || fail "the build failed"
