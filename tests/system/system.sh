# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # used by those that source it
#
# Common ground of the system tests: root, a scratch directory that goes away, and questions put to what buildtop wrote.
# Knows nothing of slow disks (slowdisk.sh does). Every test that sources it gets `set -eu`, its own $scratch, and a
# state directory in it, so that nothing reaches the recordings of whoever runs the tests.

# shellcheck source=/dev/null
. "${srcdir:-.}/tests/lib.sh"

set -eu
[ "$(id -u)" = 0 ] || {
	echo "skipped: needs root"
	exit 77
}

here=$srcdir/tests/system
python=/usr/bin/python3
[ -x "$python" ] || python=python3
scratch=$(mktemp -d "${SYSTEM_SCRATCH:-/var/tmp}/buildtop-test.XXXXXX")
chmod 755 "$scratch"
XDG_STATE_HOME=$scratch/state
XDG_CONFIG_HOME=$scratch/config
LC_ALL=C.UTF-8
export XDG_STATE_HOME XDG_CONFIG_HOME LC_ALL
unset NO_COLOR MAKEFLAGS MFLAGS MAKELEVEL TMPDIR

# Functions and commands to be run at the end, the last one first.
finals=
at_end()
{
	finals="$*; $finals"
}

finish()
{
	status=$?
	trap '' INT TERM HUP
	set +e
	eval "$finals"
	rm -rf --one-file-system "$scratch"
	exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# A copy that any user can reach, wherever the build directory lies.
cp "$BUILDTOP" "$scratch/buildtop"
BUILDTOP=$scratch/buildtop

# Not where the root directory is no mount point (a plain chroot), nor where namespaces are forbidden (many containers).
need_mounts()
{
	need unshare
	unshare -m --propagation private true 2>/dev/null || skip "no mount namespace to be had"
}

# Without a screen and without a recording, the summary in $scratch/NAME.json, what buildtop said in NAME.err, the build's
# own output in NAME.out: watched NAME [OPTION...] -- COMMAND...
watched()
{
	name=$1
	shift
	"$BUILDTOP" --no-tui --no-record --summary "$scratch/$name.json" "$@" \
		>"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
}

# json FILE EXPRESSION: the value of a Python expression over the document d (of ndjson: over the list of rows).
json()
{
	"$python" - "$@" <<-'END'
		import datetime, json, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		try:
		    d = json.loads(text)
		except json.JSONDecodeError:
		    d = [json.loads(line) for line in text.splitlines()]
		print(eval(sys.argv[2]))
	END
}

# holds FILE EXPRESSION SENTENCE...: fails with the values that SENTENCE's fields have, a format of d.
holds()
{
	file=$1 expression=$2
	shift 2
	answer=$(json "$file" "$expression") || fail "$*: cannot be told from $file"
	if [ "$answer" != True ]; then
		cat "${file%.json}.err" 2>/dev/null || true
		echo "document: $file"
		head -c 6000 "$file"
		fail "$*: not ($expression)"
	fi
	ok "$*"
}

# A recording as rows of ndjson: rows RECORDING makes RECORDING.ndjson. In a Python expression d is the list of them.
rows()
{
	"$BUILDTOP" report --format ndjson -O "$1.ndjson" "$1" || fail "$1 cannot be read"
}
ticks='[r for r in d if r["type"] == "tick"]'

# says PATTERN FILE SENTENCE, silent PATTERN FILE SENTENCE
says()
{
	grep -qE -e "$1" "$2" || {
		cat "$2"
		fail "$3"
	}
	ok "$3"
}

silent()
{
	if grep -nE -e "$1" "$2"; then
		fail "$3"
	fi
	ok "$3"
}
