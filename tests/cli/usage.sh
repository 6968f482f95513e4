#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong words are refused with one sentence and status 2, before anything is started.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

# refused TEXT ARGUMENT...: status 2, the text on standard error, and the build was not started
refused()
{
	text=$1
	shift
	expect 2 "$BUILDTOP" "$@"
	says err "buildtop: "
	says err "$text"
	silent out
	[ ! -e started ] || fail "the build was started: $*"
}

refused "what is to be built" # nothing at all
refused "the command to run is missing" run
refused "the command to run is missing" -q
refused "0.1 to 60 seconds, not 'abc'" --interval abc touch started
refused "0.1 to 60 seconds" -i 0.05 touch started
refused "there is no option --nosuch" --nosuch touch started
refused "there is no option -Z" run -Z touch started
refused "--label takes KEY=VALUE" -l novalue touch started
refused "/nosuch" -w /nosuch touch started
refused "tmpfs>=101%" --alert 'tmpfs>=101%' touch started
refused "not 'swap<1G'" --alert 'swap<1G' touch started
refused "takes 1% to 99.9%" --pause-on-full=100% touch started
refused "influx-numeric" --post http://127.0.0.1:1/ --post-format nosuch touch started
refused "behind a --post URL" --post-format influx touch started
"$BUILDTOP" doctor | grep -q "built without libcurl" ||
	refused "user and password" --post http://a:b@127.0.0.1:1/ touch started
refused "contradict" -o x --no-record touch started
refused "--since takes" history --since yesterday
refused "buildtop report [OPTIONS]" -q report x
refused "takes one of" list
refused "takes one of" list nosuch
refused "needs a recording" report
refused "no format 'nosuch'" report --format nosuch x
refused "takes one recording" replay
refused "process numbers" watch abc
refused "of watch" --match x true
refused "one of them" watch --match x 1
refused "together" watch --match x --cgroup /
refused "Unmatched" watch --match "("
refused "name the processes" watch --pause-on-full
refused "no server is named" post @1
refused "takes no arguments" doctor x

expect 3 "$BUILDTOP" report nosuch.buildtop
says err "nosuch.buildtop"
expect 3 "$BUILDTOP" report @1
expect 3 "$BUILDTOP" replay nosuch.buildtop
expect 3 "$BUILDTOP" watch 2147483647
says err "no process"
expect 125 "$BUILDTOP" --summary /nosuch/x touch started
says err "/nosuch/x"
expect 125 "$BUILDTOP" -o /nosuch/x touch started
[ ! -e started ] || fail "the build was started in spite of a summary that cannot be written"

expect 0 "$BUILDTOP" --help
says out "Usage: buildtop"
silent err
expect 0 "$BUILDTOP" --version
for name in run watch replay report post history doctor list; do
	expect 0 "$BUILDTOP" "$name" --help
	says out "Usage: buildtop $name"
	silent err
done

# after --, and behind run, every word is the command's
printf '#!/bin/sh\necho "own $*"\n' >compare
chmod +x compare
PATH=$work:$PATH
expect 0 "$BUILDTOP" -q -- compare a
says out "own a"
expect 0 "$BUILDTOP" run -q compare --help
says out "own --help"
