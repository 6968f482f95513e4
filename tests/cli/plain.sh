#!/bin/sh
# SPDX-License-Identifier: MIT
# Without a terminal the build's output is the build's own, byte for byte (E10), and so is its input (E11).
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

cat >build.sh <<'EOF'
printf 'out \033[31mred\033[m\r\n\000\377'
printf 'err' >&2
seq 1 20000
[ ! -t 0 ] && [ ! -t 1 ] && [ ! -t 2 ]
EOF

sh build.sh >plain.out 2>plain.err </dev/null || fail "there is a terminal here"
expect 0 "$BUILDTOP" -q sh build.sh
cmp out plain.out || fail "standard output differs"
cmp err plain.err || fail "standard error differs"

expect 0 "$BUILDTOP" sh build.sh
cmp out plain.out || fail "standard output differs when there is a summary"
tail -c +4 err >summary
! grep -q "$escape" summary || fail "an escape sequence in the summary"
says summary "build.sh succeeded"
[ "$(grep -c '' summary)" -le 10 ] || fail "the summary is longer than ten lines"

setsid -w "$BUILDTOP" -q sh build.sh >out 2>err </dev/null || fail "without a session"
cmp out plain.out || fail "standard output differs without a session"
for term in nosuch '' dumb vt100; do
	TERM=$term expect 0 "$BUILDTOP" -q sh build.sh
	cmp out plain.out || fail "standard output differs with TERM=$term"
done

[ "$(echo hi | "$BUILDTOP" -q cat)" = hi ] || fail "the build's input was taken"
expect 0 "$BUILDTOP" -q cat
silent out
[ "$("$BUILDTOP" -q sh build.sh </dev/null 2>/dev/null | cmp - plain.out)" = "" ] || fail "differs in a pipe"
"$BUILDTOP" -q seq 1 100000 | head -1 >out
says out 1

# a name with escape sequences does not reach the terminal
printf '#!/bin/sh\nsleep 0.3\n' >"ev${escape}[31mil"
chmod +x "ev${escape}[31mil"
expect 0 "$BUILDTOP" "./ev${escape}[31mil"
! grep -q "$escape" err || fail "an escape sequence of a file name came through"
