#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates the JSON document on standard input against the schema given. NaN and Infinity, which Python reads, are
not JSON."""
import json
import sys

import jsonschema


def refuse(word):
    raise ValueError(word + " is no JSON")


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
document = json.loads(sys.stdin.buffer.read().decode("utf-8"), parse_constant=refuse)
errors = list(jsonschema.Draft202012Validator(schema).iter_errors(document))
for error in errors:
    print("/".join(map(str, error.absolute_path)) + ": " + error.message)
sys.exit(1 if errors else 0)
