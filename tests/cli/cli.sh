# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the command-line tests share: a directory of their own, recordings kept in it, and a way to run and compare.

set -u
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/buildtop-cli.XXXXXX") || exit 1
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
XDG_STATE_HOME=$work/state
XDG_CONFIG_HOME=$work/config
LC_ALL=C.UTF-8
export XDG_STATE_HOME XDG_CONFIG_HOME LC_ALL
unset BUILDTOP_POST BUILDTOP_POST_TOKEN
escape=$(printf '\033')

# expect STATUS COMMAND...: runs it with output in out and err, and fails on another status.
expect()
{
	wanted=$1
	shift
	"$@" >out 2>err </dev/null
	status=$?
	[ "$status" -eq "$wanted" ] || {
		cat out err
		fail "status $status instead of $wanted: $*"
	}
	ok "$wanted: $*"
}

# says FILE TEXT: the file holds the text.
says()
{
	grep -qF -e "$2" "$1" || {
		cat "$1"
		fail "'$2' is not in $1"
	}
}

# silent FILE: the file is empty.
silent()
{
	[ ! -s "$1" ] || {
		cat "$1"
		fail "$1 is not empty"
	}
}
