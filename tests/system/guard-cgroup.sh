#!/bin/sh
# SPDX-License-Identifier: MIT
# A large tmpfs in a control group with little memory: told long before the OOM killer comes, and why.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need unshare

if [ -f /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	group=/sys/fs/cgroup/memory/buildtop-test-$$ limit=memory.limit_in_bytes
elif grep -qw memory /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
	group=/sys/fs/cgroup/buildtop-test-$$ limit=memory.max
else
	skip "no control group with a memory limit to be had"
fi
mkdir "$group" 2>/dev/null || skip "no control group can be made here"
at_end 'rmdir "$group"'
echo 209715200 >"$group/$limit" || skip "no memory limit can be set here"

cat >"$scratch/inside.sh" <<'END2'
mkdir -p "$1/big"
mount -t tmpfs -o size=8g none "$1/big"
echo $$ >"$2/cgroup.procs"
cat >"$1/fill.sh" <<'FILL'
i=0
while [ $i -lt 91 ]; do
	head -c 2097152 /dev/zero >>"$1/big/data"
	i=$((i + 1))
	sleep 0.1
done
sleep 1
FILL
exec "$1/buildtop" --no-tui --no-record --summary "$1/guard.json" -- sh "$1/fill.sh" "$1" 2>"$1/guard.err"
END2
unshare -m --propagation private sh "$scratch/inside.sh" "$scratch" "$group" || fail "exit status $?"
cat "$scratch/guard.err"
says "big will be full in about .* that its control group leaves" "$scratch/guard.err" "the forecast ends with the group's memory"
says "big is 9[0-9] % full .* that its control group leaves" "$scratch/guard.err" "nearly full, by the group's limit"
