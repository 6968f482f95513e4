#!/bin/sh
# SPDX-License-Identifier: MIT
# The html of report and compare in a real browser without a head: pages of an hour, of ten hours and of real
# runs open without a word on the console, ask for nothing from anywhere, and are a picture that is not empty.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
for browser in chromium chromium-browser google-chrome none; do
	! command -v "$browser" >/dev/null 2>&1 || break
done
[ "$browser" != none ] || skip "chromium is not there"
[ -x "$builddir/tests/unit/report/test-html" ] || skip "the unit tests are not built"

BUILDTOP_TEST_HTML_HOUR=$work/hour.html BUILDTOP_TEST_HTML=$work/ten-hours.html \
	"$builddir/tests/unit/report/test-html" >/dev/null 2>&1 || fail "no pages were made"
[ "$(stat -c %s ten-hours.html)" -lt 1000000 ] || fail "ten hours are too large"
expect 0 "$BUILDTOP" bench -n 1 --variant disk --variant env=disk,env=A=1 -o benched -- sleep 1.2
expect 0 "$BUILDTOP" report --format html -O real.html benched/disk/1.buildtop
expect 0 "$BUILDTOP" compare --format html -O compared.html benched/disk benched/env
cp benched/results.html results.html

# The script must have run (it makes buttons of headings), and the console must be silent.
for page in hour ten-hours real compared results; do
	HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
		--host-resolver-rules='MAP * ~NOTFOUND' --window-size=1280,1800 --enable-logging=stderr \
		--disable-dev-shm-usage --screenshot="$work/$page.png" "file://$work/$page.html" >log 2>&1 || {
		echo "skipped: the browser does not start here: $(tail -n 1 log)" # a matter of the machine, in CI too
		exit 77
	}
	! grep -q 'CONSOLE' log || fail "$page: $(grep CONSOLE log)"
	[ "$(stat -c %s "$page.png")" -gt 20000 ] || fail "$page: the picture is empty"
	! grep -oE '(src|href)="[^#"][^"]*"' "$page.html" || fail "$page asks for something"
	HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --dump-dom \
		"file://$work/$page.html" >dom 2>/dev/null || fail "$page: no document"
	grep -q '<th[^>]*><button type="button">' dom || fail "$page: its tables cannot be sorted"
	ok "$page"
done
