#!/bin/sh
# SPDX-License-Identifier: MIT
# A tmpfs that fills, in bytes and in inodes: told once, before it is full, and kept in the summary.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need_mounts

cat >"$scratch/inside.sh" <<'END'
mkdir -p "$1/bytes" "$1/inodes"
mount -t tmpfs -o size=64m none "$1/bytes"
mount -t tmpfs -o size=8m,nr_inodes=101 none "$1/inodes"
cat >"$1/fill.sh" <<'FILL'
i=0
while [ $i -lt 61 ]; do
	head -c 1048576 /dev/zero >>"$1/bytes/data"
	: >"$1/inodes/$i"
	i=$((i + 1))
	sleep 0.12
done
while [ $i -lt 97 ]; do
	: >"$1/inodes/$i"
	i=$((i + 1))
done
sleep 3
FILL
exec "$1/buildtop" --no-tui --no-record --summary "$1/fill.json" -- sh "$1/fill.sh" "$1" 2>"$1/fill.err"
END
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" || fail "exit status $?"
cat "$scratch/fill.err"
# What is said while it runs, without the summary that follows.
for what in bytes inodes; do
	times=$(grep -c "^buildtop: .*$scratch/$what" "$scratch/fill.err") || true
	[ "$times" -ge 1 ] || fail "$what: nothing was said"
	[ "$times" -le 2 ] || fail "$what: said $times times"
	ok "$what: said, and not again and again ($times)"
done
holds "$scratch/fill.json" "[t['peak_bytes'] for t in d['tmpfs'] if t['mount'] == '$scratch/bytes'] == [61 * 1048576]" "the peak is in the summary"
