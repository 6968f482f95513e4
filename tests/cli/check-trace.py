#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is FILE a Chrome trace that viewers take without a complaint? Slices of one lane nest, every async begin has its end,
arguments of counters are numbers. Prints the number of slices and of stalls."""
import json
import sys
from collections import defaultdict
from numbers import Real

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
assert isinstance(document, dict), "not the object form"
assert document["displayTimeUnit"] == "ms"
assert document["otherData"]["start_time"].endswith("Z")
events = document["traceEvents"]

slices = defaultdict(list)
open_spans = defaultdict(list)
spans = 0
named = set()
META = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}
for event in events:
    phase = event["ph"]
    assert isinstance(event["name"], str), event
    assert type(event["pid"]) is int, event
    if phase == "M":
        assert event["name"] in META and META[event["name"]] in event["args"], event
        if event["name"] == "thread_name":
            named.add((event["pid"], event["tid"]))
        continue
    assert isinstance(event["ts"], Real) and event["ts"] >= 0, event
    if phase == "X":
        assert type(event["tid"]) is int and isinstance(event["dur"], Real) and event["dur"] >= 0, event
        assert type(event["args"]["pid"]) is int, event
        slices[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    elif phase == "C":
        assert event["args"] and all(isinstance(v, Real) for v in event["args"].values()), event
    elif phase in "be":
        key = event["pid"], event["cat"], event["id"]
        if phase == "b":
            open_spans[key].append(event["ts"])
            spans += 1
        else:
            assert open_spans[key], ("an end without its begin", event)
            assert open_spans[key].pop() <= event["ts"], event
    elif phase == "i":
        assert event["s"] in "gpt", event
    else:
        raise AssertionError(("an unknown kind", event))

assert not any(open_spans.values()), ("begins without an end", open_spans)
for lane, laid in slices.items():
    assert lane in named, ("a lane without a name", lane)
    laid.sort(key=lambda slice: (slice[0], -slice[1]))
    stack = []
    for begin, end in laid:
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], ("slices overlap by half", lane, begin, end)
        stack.append(end)
print(sum(len(laid) for laid in slices.values()), spans)
