#!/bin/sh
# SPDX-License-Identifier: MIT
# The memory of the whole tree at its peak against what its control group counted: 20 processes of known sizes that all
# map one large file. And who was killed when there was not enough.
# shellcheck source=tests/system/system.sh
. "$srcdir/tests/system/system.sh"
need cc "$python"

if [ -f /sys/fs/cgroup/memory/memory.max_usage_in_bytes ]; then
	group=/sys/fs/cgroup/memory/buildtop-test-$$ peak=memory.max_usage_in_bytes limit=memory.limit_in_bytes
elif grep -qw memory /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
	group=/sys/fs/cgroup/buildtop-test-$$ peak=memory.peak limit=memory.max
else
	skip "no control group that counts memory to be had"
fi
mkdir "$group" 2>/dev/null || skip "no control group can be made here"
at_end 'rmdir "$group"'
[ -f "$group/$peak" ] || skip "the control group does not tell its peak (Linux before 5.19)"

cat >"$scratch/take.c" <<'END'
/* take MIB SECONDS FILE: so much memory of its own, and all of the file mapped. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t len = argc > 3 ? (size_t)atoi(argv[1]) << 20 : 0;
	char *own = malloc(len);
	volatile long sum = 0;
	struct stat st;
	int fd = open(argv[3], O_RDONLY);
	if (!own || fd < 0 || fstat(fd, &st) < 0)
		return 1;
	memset(own, 1, len);
	char *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	for (off_t at = 0; file != MAP_FAILED && at < st.st_size; at += 4096)
		sum += file[at];
	sleep((unsigned)atoi(argv[2]));
	return own[len / 2] + sum == -1;
}
END
cc -O1 -o "$scratch/take" "$scratch/take.c"

cat >"$scratch/build.sh" <<'END'
[ -z "$2" ] || echo $$ >"$2/cgroup.procs"
cat /dev/zero | head -c 67108864 >"$1/library"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$1/take" $((10 + 2 * i)) 4 "$1/library" &
done
wait
END
watched tree -- sh "$scratch/build.sh" "$scratch" "$group"
"$python" - "$scratch/tree.json" "$(cat "$group/$peak")" <<'END' || fail "the peak of the tree is not that of its control group"
import json, sys
memory = json.load(open(sys.argv[1]))["memory"]
told, counted = memory["rss_peak_bytes"], int(sys.argv[2])
print(f"told {told / 2**20:.1f} MiB, counted {counted / 2**20:.1f} MiB: {100 * (told / counted - 1):+.2f} %")
first = memory["peak_by_command"][0]
assert abs(told / counted - 1) < 0.05
assert first["name"] == "take" and first["count"] == 20, first
END
ok "20 processes: within 5 %, and who they were"

# One that takes more than there is, the monitor in the same group.
echo 125829120 >"$group/$limit" || skip "no memory limit can be set here"
swap=$group/memory.memsw.limit_in_bytes
[ ! -f "$swap" ] || echo 125829120 >"$swap" || :
[ ! -f "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
cat >"$scratch/inside.sh" <<'END'
echo $$ >"$2/cgroup.procs"
exec "$1/buildtop" --no-tui --no-record -i 0.2 --summary "$1/oom.json" -- sh -c "\"$1/take\" 60 2 \"$1/take\"; \"$1/take\" 60 1 \"$1/take\" & sleep 1; \"$1/take\" 400 1 \"$1/take\"; wait; sleep 1; exit 0" 2>"$1/oom.err"
END
sh "$scratch/inside.sh" "$scratch" "$group" || fail "exit status $?"
cat "$scratch/oom.err"
says "killed .*1 for lack of memory: at .* most likely take" "$scratch/oom.err" "one line tells who was killed"
"$python" - "$scratch/oom.json" <<'END' || fail "the document does not tell the kill"
import json, sys
memory = json.load(open(sys.argv[1]))["memory"]
assert memory["oom_kills"] == 1 and memory["oom_kills_of"] == "cgroup", memory
assert memory["killed"][0]["likely"] == "take", memory["killed"]
END
ok "the document as well"
