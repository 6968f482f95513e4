#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that hold terminal escape sequences, or what /proc/PID/stat is delimited with: no such byte reaches an output.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts
need script

escape=$(printf '\033')
evil="$scratch/ev${escape}[31mil"
cp /bin/sleep "$evil"
cp /bin/sleep "$scratch/a ) R 1 1"
cat >"$scratch/build.sh" <<'END'
"$1" 3 &
"$2" 3 &
bash -c 'exec -a "$(printf "cc\033]0;P\007\033[2J")" sleep 3' &
wait
END
command -v bash >/dev/null || skip "no bash"
mkdir "$scratch/mnt"
mkdir "$scratch/mnt/t${escape}[7mmp"
cat >"$scratch/inside.sh" <<'END'
mount -t tmpfs -o size=1m none "$1"/mnt/t*mp
shift
exec "$@"
END
inside() { unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$@"; }

inside "$BUILDTOP" --no-tui -o "$scratch/escape.buildtop" --summary "$scratch/escape.json" --summary-text "$scratch/escape.txt" -- \
	sh "$scratch/build.sh" "$evil" "$scratch/a ) R 1 1" 2>"$scratch/escape.err" >"$scratch/escape.out" || fail "exit status $?"
for format in text json csv ndjson; do
	"$BUILDTOP" report --format $format "$scratch/escape.buildtop" >"$scratch/report.$format" 2>"$scratch/report.$format.err" ||
		fail "report --format $format"
done
"$BUILDTOP" doctor >"$scratch/doctor.out" 2>&1 || true
# A carriage return is allowed: CSV ends its lines so.
for file in escape.err escape.out escape.txt escape.json report.text report.json report.csv report.ndjson doctor.out; do
	silent "$(printf '[\001-\010\013\014\016-\037\177]')" "$scratch/$file" "$file: no control byte"
done
says 'ev(.|\\u001[bB])\[31mil' "$scratch/report.ndjson" "the process is there, by its cleaned name"
says 'a \) R 1 1' "$scratch/report.ndjson" "and so is the one with the parenthesis"

# On the screen there are escape sequences: ours. Those of the names are not among them.
inside env TERM=xterm-256color script -qec "'$BUILDTOP' --tui --no-record -- sh '$scratch/build.sh' '$evil' '$scratch/a ) R 1 1'" \
	"$scratch/typescript" >/dev/null 2>&1 </dev/null || fail "exit status $? with a screen"
# The first line is what script itself says of the command.
sed -i 1d "$scratch/typescript"
for wrong in "${escape}]0;P" "${escape}\\[2Jsleep" "ev${escape}" "t${escape}\\[7mmp"; do
	silent "$wrong" "$scratch/typescript" "the screen: not $(printf '%s' "$wrong" | tr "$escape" E)"
done
says 'il' "$scratch/typescript" "the screen: the process is there"
