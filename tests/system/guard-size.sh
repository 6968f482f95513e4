#!/bin/sh
# SPDX-License-Identifier: MIT
# What is said about sizes, checked by doing it: the same build in a tmpfs of the size said to be enough passes, and in
# the one said to fail it fails when it was said to, within 2 %.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need unshare

cat >"$scratch/write.py" <<'END'
import sys, time
start = time.monotonic()
try:
    with open(sys.argv[1], "wb", buffering=0) as file:
        for i in range(200):
            time.sleep(max(0, start + i * 0.1 - time.monotonic()))
            file.write(b"x" * 209715)
except OSError:
    print(time.monotonic() - start)
    sys.exit(1)
END
mkdir "$scratch/d"
in_size() # SIZE NAME
{
	# shellcheck disable=SC2016 # read by the other shell
	unshare -m --propagation private sh -c 'mount -t tmpfs -o size=$1 none "$2/d" &&
		exec "$2/buildtop" --no-tui --no-record --summary "$2/$3.json" -- "$4" "$2/write.py" "$2/d/x" >"$2/$3.out" 2>"$2/$3.err"' \
		sh "$1" "$scratch" "$2" "$python"
}
in_size 300m large || fail "in a large one: status $?"
row="[t for t in d['tmpfs'] if t['mount'] == '$scratch/d'][0]"
enough=$(json "$scratch/large.json" "$row['enough_bytes']")
fails=$(json "$scratch/large.json" "$row['fails_bytes']")
at=$(json "$scratch/large.json" "$row['fails_at_seconds']")
cat "$scratch/large.err"
in_size "$enough" enough || fail "$enough bytes were said to be enough"
ok "$enough bytes are enough"
if in_size "$fails" fails; then
	fail "$fails bytes were said to fail"
fi
really=$(cat "$scratch/fails.out")
"$python" -c "import sys; sys.exit(abs($really - $at) > 0.02 * 20)" || fail "said to fail at $at s, failed at $really s"
ok "$fails bytes fail at $really s, said were $at s"
