# SPDX-License-Identifier: MIT
"""What counting each process costs the build: CPU seconds of the build with it and without buildtop, in rounds of
none, counted, none again. The second "none" tells what the machine's noise alone makes of it.

usage: accounting.py BUILDTOP STORM PROJECT ROUNDS. PROJECT is a directory of make-project.sh's.
Ends with 1 when the build pays more than was promised, as far as the noise lets that be told."""
import json, os, random, statistics, subprocess, sys, tempfile

buildtop, storm, project, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
scratch = tempfile.mkdtemp()
summary = os.path.join(scratch, "summary.json")


def used(command):
    """CPU seconds of a command and of all that it waited for."""
    null = os.open(os.devnull, os.O_RDWR)
    child = subprocess.Popen(command, stdin=null, stdout=null, stderr=null)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    os.close(null)
    if child.returncode != 0:
        sys.exit(f"accounting: {command} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def counted(command):
    """Those of the build, and of buildtop beside it."""
    both = used([buildtop, "-q", "--no-tui", "--no-record", "--summary", summary, "--", *command])
    with open(summary, encoding="utf-8") as file:
        document = json.load(file)
    if document["accounting"]["source"] != "exits":
        print("accounting: each process cannot be counted here:", document["sources"].get("exits"))
        sys.exit(77)
    build = document["cpu"]["user_seconds"] + document["cpu"]["system_seconds"]
    return build, both - build


def middle(values):
    low, mid, high = statistics.quantiles(values, n=4)
    return f"{100 * mid:+6.2f} %  ({100 * low:+.2f} to {100 * high:+.2f})", mid, high - low


def compare(name, command, promised):
    costs, noise, own, spent = [], [], [], []
    used(command)
    for _ in range(rounds):
        order = ["none", "counted", "again"]
        random.shuffle(order)
        got = {kind: counted(command) if kind == "counted" else (used(command), 0) for kind in order}
        none, again = got["none"][0], got["again"][0]
        costs.append(2 * got["counted"][0] / (none + again) - 1)
        noise.append(again / none - 1)
        own.append(got["counted"][1])
        spent.append(none)
    cost, mid, spread = middle(costs)
    print(f"{name:10} {statistics.median(spent):8.2f} CPU-s   the build pays {cost}, promised {100 * promised:.0f} %;"
          f"   none against none {middle(noise)[0]};   buildtop itself {statistics.median(own):.3f} CPU-s", flush=True)
    # The middle of so many pairs is known no better than this.
    return mid <= promised + 1.25 * spread / rounds ** 0.5


random.seed(1)
make = ["make", "-s", "-B", "-j2", "-C", project, f"O={scratch}"]
kept = [compare("compile", make, 0.01), compare("storm", [storm, "1000", "2"], 0.08)]
subprocess.run(["rm", "-rf", scratch], check=True)
sys.exit(0 if all(kept) else 1)
