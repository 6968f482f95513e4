# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What every shell test says and asks. A test that cannot run here skips with a sentence, and fails where CI=true: a
# machine that is there to run the tests must be able to.

: "${srcdir:=$(pwd)}" "${builddir:=$(pwd)/build}"
: "${BUILDTOP:=$builddir/buildtop}"

ok()
{
	printf 'ok: %s\n' "$*"
}

fail()
{
	printf 'FAIL: %s\n' "$*"
	exit 1
}

skip()
{
	[ "${CI:-}" != true ] || fail "cannot run in CI: $*"
	printf 'skipped: %s\n' "$*"
	exit 77
}

need()
{
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || skip "$tool is not there"
	done
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for()
{
	seconds=$1
	shift
	tries=$((seconds * 10))
	until "$@"; do
		[ "$tries" -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}
