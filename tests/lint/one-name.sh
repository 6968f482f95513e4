#!/bin/sh
# SPDX-License-Identifier: MIT
#
# No two rooms give one name to two functions or variables: the linker takes the first it finds in the archives, without a word.

builddir=${builddir:-.}
command -v nm >/dev/null 2>&1 || { echo "nm is not installed"; [ "${CI:-}" = true ] && exit 1; exit 77; }
twice=$(nm -A --defined-only "$builddir"/src/*/lib*.a 2>/dev/null | awk '$2 ~ /^[TDBR]$/ && $3 !~ /^__/ {print $3}' | sort | uniq -d)
[ -n "$(nm --defined-only "$builddir"/src/base/libbase.a 2>/dev/null)" ] || {
	echo "nm finds nothing in $builddir/src/base/libbase.a"
	exit 1
}
[ -z "$twice" ] || {
	echo "defined more than once:"
	nm -A --defined-only "$builddir"/src/*/lib*.a | grep -wF "$twice"
	exit 1
}
