#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random splits of recorded runs, each put to `buildtop compare`: how often is the verdict the right one?"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

SPLITS = 20


def verdict(buildtop, base, new):
    """of compare, on two sets of summaries; all ten or five in a directory of links"""
    with tempfile.TemporaryDirectory() as place:
        for name, runs in (("base", base), ("new", new)):
            os.mkdir(f"{place}/{name}")
            for run in runs:
                os.symlink(run, f"{place}/{name}/{os.path.basename(os.path.dirname(run))}-{os.path.basename(run)}")
        out = subprocess.check_output([buildtop, "compare", "--format", "json", f"{place}/base/*", f"{place}/new/*"])
    return json.loads(out)["against"][0]["ratios"]["wall_seconds"]["verdict"]


def runs_of(directory, variant):
    return [os.path.abspath(run) for run in glob.glob(f"{directory}/{variant}/[1-9]*.json")]


def is_quiet(run):
    """Others kept at most a tenth of a CPU busy: what they take is no property of the build."""
    notes = dict(line.split() for line in open(run[: -len("json")] + "note"))
    return float(notes.get("others_cpus", 1)) <= 0.1


def main():
    buildtop, directory = sys.argv[1:3]
    same, slow = runs_of(directory, "same"), runs_of(directory, "slow")
    chance = random.Random(1)
    right = {"no_difference": 0, "more": 0}
    quiet, quiet_slow = list(filter(is_quiet, same)), list(filter(is_quiet, slow))
    if min(len(quiet), len(quiet_slow)) < 5:
        sys.exit("others were too busy here: fewer than five quiet runs a side")
    for _ in range(SPLITS):
        chance.shuffle(same)
        chance.shuffle(quiet)
        chance.shuffle(quiet_slow)
        half = len(same) // 2
        right["no_difference"] += verdict(buildtop, same[:half], same[half:]) == "no_difference"
        right["more"] += verdict(buildtop, quiet[:5], quiet_slow[:5]) == "more"
    print(f"the same build, {half} runs against {half}: no difference in {right['no_difference']} of {SPLITS} splits")
    print(f"8 % slower, 5 runs against 5, of {len(quiet)} and {len(quiet_slow)} that others left in quiet: "
          f"slower in {right['more']} of {SPLITS} splits")
    sys.exit(min(right.values()) < SPLITS - 1)


main()
