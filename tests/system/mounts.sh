#!/bin/sh
# SPDX-License-Identifier: MIT
# tmpfs mounts of all sorts: odd names, without a limit, mounted twice, covered by another. One row each, the right figures.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

cat >"$scratch/inside.sh" <<'END'
newline=$(printf 'a\nb#c')
cd "$1" && mkdir -p m && cd m
put() { mkdir -p "$1" && mount -t tmpfs -o "$2" none "$1"; }
put 'a b' size=1m
put "$newline" size=2m
put 'x - y' size=3m
put 'back\slash' size=5m
put endless size=0
head -c 3145728 /dev/zero >endless/data
put twice size=6m
mkdir -p again
mount --bind twice again
head -c 1048576 /dev/zero >twice/data
put under size=7m
mkdir -p shown
mount --bind under shown
head -c 2097152 /dev/zero >under/data
put under size=8m
exec "$1/buildtop" --no-tui --no-record --summary "$1/mounts.json" -- sleep 2 2>"$1/mounts.err"
END
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" || fail "exit status $?"

size() { echo "[t for t in d['tmpfs'] if t['mount'].startswith('$scratch/m/') and t.get('size_bytes') == $1 * 1048576]"; }
for row in "1:a b" "3:x - y"; do
	holds "$scratch/mounts.json" "[t['mount'] for t in $(size "${row%%:*}")] == ['$scratch/m/${row#*:}']" "'${row#*:}' by its name, once"
done
holds "$scratch/mounts.json" "[t['mount'] for t in $(size 5)] == ['$scratch/m/back' + chr(92) + 'slash']" "a backslash in a name"
holds "$scratch/mounts.json" "len($(size 2)) == 1" "a newline in a name: one row"
holds "$scratch/mounts.json" "[t['peak_bytes'] for t in $(size 6)] == [1048576]" "mounted on two paths: one row"
holds "$scratch/mounts.json" "[t['peak_bytes'] for t in $(size 7)] == [2097152]" "covered, but to be reached by another path: its own figures"
holds "$scratch/mounts.json" "[t['peak_bytes'] for t in $(size 8)] == [0]" "the one that covers it: its own figures"
holds "$scratch/mounts.json" \
	"[t.get('size_bytes') for t in d['tmpfs'] if t['mount'] == '$scratch/m/endless'] == [None]" "without a limit: no size"
silent 'endless' "$scratch/mounts.err" "without a limit: no alarm"
