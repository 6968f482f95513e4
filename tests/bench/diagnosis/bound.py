#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of bound.sh: what was gained in memory, and whether the bound has it to 2 % of the wall time.

A compiler that took a second more of CPU in one of the two runs, since others were on the machine or its caches were cold,
says nothing about waiting. So it is told twice how often the bound held: as measured, and with that difference, over as many
CPUs as the build keeps busy, taken out of the gain.
"""
import json
import sys

runs = [json.loads(line) for line in sys.stdin]
measured, corrected = {"without": 0, "with": 0}, {"without": 0, "with": 0}
print(f"{'workload':10} {'wall':>5} {'memory':>6} {'gain':>6} {'by CPU':>6}   {'bound without':>13}   {'and with the path':>17}   width")
for run in runs:
    gain = run["wall"] - run["fast"]
    by_cpu = (run["cpu"] - run["fast_cpu"]) / max(1, min(2, run["fast_cpu"] / run["fast"]))
    least, most = run["full"], max(run["full"], min(run["some"], run["floor"]))
    tight = max(least, min(most, run["path"]))
    near = 0.02 * run["wall"]
    marks = {}
    for key, upper in (("without", most), ("with", tight)):
        raw, mended = (least - near <= value <= upper + near for value in (gain, gain - by_cpu))
        measured[key] += raw
        corrected[key] += raw or mended
        marks[key] = " " if raw else "~" if mended else "!"
    width = f"{(tight - least) / (most - least):.2f}" if most - least > near else "-"
    print(f"{run['name']:10} {run['wall']:5.1f} {run['fast']:6.1f} {gain:6.2f} {by_cpu:6.2f}   {least:5.2f} to {most:5.2f}{marks['without']}  "
          f"{least:7.2f} to {tight:5.2f}{marks['with']}   {width}{' (a task beside the path)' if run['beside'] else ''}")
print(f"held as measured: without the path {measured['without']} of {len(runs)}, with it {measured['with']}; "
      f"with the CPU difference taken out (~): {corrected['without']} and {corrected['with']}")
