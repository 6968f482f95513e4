#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A name that two rooms define is one too many: the linker takes whichever archive it meets first, without a word.
. "${srcdir:-.}/tests/lib.sh"
need nm

cd "${builddir:-.}" || exit 1
ls src/*/lib*.a >/dev/null 2>&1 || fail "no archives here: build first"
twice=$(nm -g --defined-only src/*/lib*.a 2>/dev/null | awk 'NF == 3 && $2 != "w" && $2 != "W" { print $3 }' | sort | uniq -d |
	grep -Ev '^(__(asan|tsan|odr_asan|ubsan)|_)')
[ -z "$twice" ] || fail "defined in two places: $(echo $twice)"
ok "every name of the rooms is defined once"
