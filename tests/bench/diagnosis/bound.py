#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of bound.sh: what was gained in memory, and whether the bound has it to 2 % of the wall time."""
import json
import sys

held = {"without": 0, "with": 0}
runs = [json.loads(line) for line in sys.stdin]
print(f"{'workload':10} {'wall':>5} {'memory':>6} {'gain':>6} {'CPU less':>8}   {'bound without':>13}   {'and with the path':>17}   width")
for run in runs:
    gain = run["wall"] - run["fast"]
    least, most = run["full"], max(run["full"], min(run["some"], run["floor"]))
    tight = max(least, min(most, run["path"]))
    near = 0.02 * run["wall"]
    holds = {"without": least - near <= gain <= most + near, "with": least - near <= gain <= tight + near}
    for key, value in holds.items():
        held[key] += value
    width = f"{(tight - least) / (most - least):.2f}" if most - least > near else "-"
    print(f"{run['name']:10} {run['wall']:5.1f} {run['fast']:6.1f} {gain:6.2f} {run["cpu"] - run["fast_cpu"]:8.2f}   {least:5.2f} to {most:5.2f}{' ' if holds['without'] else '!'}  "
          f"{least:7.2f} to {tight:5.2f}{' ' if holds['with'] else '!'}   {width}{' (a task beside the path)' if run['beside'] else ''}")
print(f"held without the path: {held['without']} of {len(runs)}, with it: {held['with']} of {len(runs)}")
