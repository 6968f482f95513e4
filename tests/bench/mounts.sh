#!/bin/sh
# SPDX-License-Identifier: MIT
# What a tick costs with one tmpfs more and with thousands of mounts: buildtop's own CPU time beside a build that sleeps.
# Root, for a mount namespace. MOUNTS, BINDS: how many; SECONDS_EACH: how long each.
set -eu
: "${BUILDTOP:=${builddir:-build}/buildtop}" "${MOUNTS:=1500}" "${BINDS:=3000}" "${SECONDS_EACH:=30}"
BUILDTOP=$(realpath "$BUILDTOP")
dir=$(mktemp -d /var/tmp/buildtop-mounts.XXXXXX)
trap 'rm -rf --one-file-system "$dir"' EXIT
cat >"$dir/inside.py" <<'END'
import ctypes, json, os, subprocess, sys
place, buildtop, mounts, binds, seconds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
libc = ctypes.CDLL(None, use_errno=True)
def mount(source, target, kind, flags, options):
    os.makedirs(target, exist_ok=True)
    if libc.mount(source.encode(), target.encode(), kind, flags, options):
        sys.exit(os.strerror(ctypes.get_errno()))
def run(name, length):
    path = "%s/%s.json" % (place, name)
    subprocess.run([buildtop, "--no-tui", "--no-record", "-q", "--summary", path, "--", "sleep", str(length)], check=True)
    monitor = json.load(open(path))["monitor"]
    return monitor["cpu_seconds"], monitor["samples"]
# The difference of a long run and a short one: what the start costs, which reads all of the table, is told apart.
def measure(name):
    begin, few = run(name, 2)
    whole, all = run(name, seconds + 2)
    cost = (whole - begin) / (all - few) * 1000
    print("%-8s %.2f ms of CPU time a tick, %.0f ms for the start" % (name, cost, begin * 1000), flush=True)
    return cost
mount("none", place + "/m/0", b"tmpfs", 0, b"size=1m")
few = measure("one")
for i in range(1, mounts):
    mount("none", "%s/m/%d" % (place, i), b"tmpfs", 0, b"size=1m")
for i in range(binds):
    mount("%s/m/%d" % (place, i % mounts), "%s/b/%d" % (place, i), None, 4096, None)
many = measure("many")
print("%d tmpfs and %d bind mounts: %.2f times the cost" % (mounts, binds, many / few))
sys.exit(many > 2 * few)
END
unshare -m --propagation private python3 "$dir/inside.py" "$dir" "$BUILDTOP" "$MOUNTS" "$BINDS" "$SECONDS_EACH"
