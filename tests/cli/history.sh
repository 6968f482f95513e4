#!/bin/sh
# SPDX-License-Identifier: MIT
# The history: what was built is listed, a build never suffers from it, and fifty at once are fifty.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3

expect 0 "$BUILDTOP" -q -l project=one -l variant=v --summary s.json true
expect 3 "$BUILDTOP" -q -l project=two sh -c 'exit 3'
expect 0 "$BUILDTOP" -q --no-history -l project=three true
expect 0 "$BUILDTOP" history
[ "$(wc -l <out)" = 3 ] || fail "a line of headings and two builds are expected"
says out "failure"
expect 0 "$BUILDTOP" history --project one --since 1d
[ "$(wc -l <out)" = 2 ] || fail "one build is expected"
id=$(sed -n 's/^  "id": "\(.*\)",/\1/p' s.json)
expect 0 "$BUILDTOP" history --json "$id"
python3 -c 'import json; assert json.load(open("out")) == [json.load(open("s.json"))]' || fail "the document is not the same"
expect 0 "$BUILDTOP" history @1
expect 0 "$BUILDTOP" report "$id"
says out "true"
expect 3 "$BUILDTOP" report 00000000
expect 0 "$BUILDTOP" history --stalls
expect 0 "$BUILDTOP" history --commands
[ "$(wc -l <out)" -gt 1 ] || fail "no commands"
expect 0 "$BUILDTOP" history --change-point

# enough runs: a word about the last one
n=0
while [ $n -lt 6 ]; do
	expect 0 "$BUILDTOP" -l project=word sleep 0.2
	n=$((n + 1))
done
grep -qE '(than the median of the last 10|within the usual spread) .5 runs, spread [0-9]+ %' err || fail "no word: $(cat err)"
expect 0 "$BUILDTOP" -l project=word sleep 1
says err "% slower than the median of the last 10 (6 runs"

# a database that cannot be used harms no build
cp state/buildtop/history.db kept.db
rm -f state/buildtop/history.db-*
echo "this is no database, and longer than its header would be; this is no database, and longer than that" >state/buildtop/history.db
expect 5 "$BUILDTOP" -q -l project=later sh -c 'exit 5'
says err "damaged; move it away"
[ "$(wc -l <err)" = 1 ] || fail "more than one line"
expect 3 "$BUILDTOP" history
cp kept.db state/buildtop/history.db
expect 0 "$BUILDTOP" history --project later
says out "failure"
[ -z "$(ls state/buildtop/pending)" ] || fail "something is still pending"
expect 0 "$BUILDTOP" history prune --keep 1
expect 0 "$BUILDTOP" history
[ "$(wc -l <out)" = 2 ] || fail "one build should be left"

# fifty at once
rm -rf state
n=0
while [ $n -lt 50 ]; do
	"$BUILDTOP" -q --no-record -l project=many true 2>>many.err &
	n=$((n + 1))
done
wait
expect 0 "$BUILDTOP" history --project many -n 0
[ "$(wc -l <out)" = 51 ] || fail "not fifty builds: $(wc -l <out) lines; $(cat many.err)"
