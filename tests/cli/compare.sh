#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs against others: made-up summaries, and real recordings.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need python3

# summary FILE WALL OUTCOME CC1-SECONDS
summary()
{
	cat >"$1" <<END
{"schema": "buildtop.summary", "schema_version": 1, "complete": true, "exit": {"outcome": "$3"},
 "wall_seconds": $2, "cpu": {"user_seconds": 70.5, "system_seconds": 2},
 "stalls": {"stalled_seconds": 3.5, "flush_seconds": 3}, "memory": {"dirty_peak_bytes": 1048576},
 "time_seconds": {"cpu": 72, "dirty_throttle": 4}, "unknown_to_us": [1],
 "steps": [{"name": "link vmlinux", "kind": "link", "wall_seconds": $(awk "BEGIN { print $2 * 0.3 }")}, {"name": "same", "wall_seconds": 4}],
 "commands": [{"name": "cc1", "count": 9, "cpu_seconds": $4}, {"name": "l\\u001b[2Jd", "count": 1, "cpu_seconds": 1}]}
END
}
mkdir disk tmpfs slow few
n=0
for wall in 103.1 103.9 102.7 103.4 103.0; do
	n=$((n + 1))
	summary disk/$n.json $wall success 60
	summary tmpfs/$n.json "$(echo "$wall" | awk '{ print $1 * 1.001 }')" success 60
	summary slow/$n.json "$(echo "$wall" | awk '{ print $1 * 1.08 }')" success 70
done
summary disk/failed.json 5 failure 1
summary few/1.json 99 success 60

expect 0 "$BUILDTOP" compare 'disk/*' 'tmpfs/*' 'slow/*'
says out "no difference that these runs could show"
says out "8 % slower ("
says out "left out: disk/failed.json, it failed"
says out "disk/*: 1:43"
says out "5 runs against 5"
says out "dirty throttling"
grep -q 'cc1 *1:00 *1:10 *+17 %' out || fail "where the time went"
says out "Where did the 8.2 s go? Steps whose wall time changed most"
grep -q 'link vmlinux *30.9 s *33.4 s *+8 %' out || fail "which step it was"
! grep -q '^ *same ' out || fail "a step that did not change"
! grep -q "$escape" out || fail "an escape sequence"
expect 0 "$BUILDTOP" compare disk/1.json few/1.json
says out "too few runs"
expect 0 "$BUILDTOP" compare --format markdown -O table.md 'disk/*' 'slow/*'
says table.md "| wall time |"
says table.md '### slow/\* against disk/\*'
expect 0 "$BUILDTOP" compare --format json 'disk/*' 'slow/*' 'tmpfs/*'
python3 - <<'END' || fail "json"
import json
d = json.load(open("out"))
assert d["base"]["runs"] == 5 and len(d["base"]["left_out"]) == 1
slow, same = d["against"]
wall = slow["ratios"]["wall_seconds"]
assert wall["verdict"] == "more" and 1 < wall["min"] < 1.08 < wall["max"], wall
assert same["ratios"]["wall_seconds"]["verdict"] == "no_difference"
assert slow["figures"]["cpu_seconds"]["median"] == 72.5 and slow["commands"][0]["name"] == "cc1"
END
mv out first.json
expect 0 "$BUILDTOP" compare --format json 'disk/*' 'slow/*' 'tmpfs/*'
cmp out first.json || fail "chance is not the same twice"

# for CI
expect 0 "$BUILDTOP" compare --fail-over 10 'disk/*' 'slow/*'
expect 1 "$BUILDTOP" compare --fail-over 5 'disk/*' 'slow/*'
expect 0 "$BUILDTOP" compare --fail-over 0 'disk/*' 'tmpfs/*'
expect 3 "$BUILDTOP" compare --fail-over 5 'disk/[1-5].json' disk/failed.json # no fast one
says err "it failed"
expect 3 "$BUILDTOP" compare disk/1.json nosuch
expect 3 "$BUILDTOP" compare disk/1.json 'nosuch/*'
echo '{"schema": "other"}' >other.json
expect 3 "$BUILDTOP" compare disk/1.json other.json
expect 2 "$BUILDTOP" compare disk/1.json
expect 2 "$BUILDTOP" compare --fail-over x disk/1.json few/1.json

# html, with the timelines of recordings; patterns over what `bench` leaves count each run once
expect 0 "$BUILDTOP" compare --format html -O page.html 'disk/*' 'slow/*'
says page.html "slow/* against disk/*: 8 % slower ("
! grep -qE 'https?:|<script src|\[2J' page.html || fail "html that needs the network, or an escape sequence"
expect 0 "$BUILDTOP" bench -n 1 --warmup --variant disk --variant tmpfs -o benched -- sleep 1.2
expect 0 "$BUILDTOP" compare --format html -O page.html 'benched/disk/*' 'benched/tmpfs/*'
[ "$(grep -c "aria-label=\"Timeline of the run\"" page.html)" = 2 ] || fail "not two timelines"
expect 0 "$BUILDTOP" compare 'benched/disk/*' 'benched/tmpfs/*'
says out "1 run against 1"

# recordings, and one that is cut
mkdir kept
expect 0 "$BUILDTOP" -q -o kept/one.buildtop true
expect 0 "$BUILDTOP" -q true
expect 0 "$BUILDTOP" compare kept @1
says out "1 run against 1"
head -c $(($(stat -c %s kept/one.buildtop) * 3 / 4)) kept/one.buildtop >cut.buildtop
expect 3 "$BUILDTOP" compare kept cut.buildtop
