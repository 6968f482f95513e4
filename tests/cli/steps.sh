#!/bin/sh
# SPDX-License-Identifier: MIT
# Steps of a small real build: what make compiles and links, by name, from the first look to the documents.
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
need cc make python3

mkdir src
for name in one two main; do
	{
		echo "int f_$name(int x);"
		# Long enough to be seen: a compile of a second or so at -O2.
		i=0
		while [ $i -lt 1500 ]; do
			echo "int ${name}_$i(int x){int s=0;for(int i=0;i<x;i++){s+=i*$i;if(s%7)s^=x;}return s;}"
			i=$((i + 1))
		done
		[ $name != main ] || echo 'int main(void){return 0;}'
	} >src/$name.c
done
cat >Makefile <<'END'
prog: src/one.o src/two.o src/main.o
	cc -o prog src/one.o src/two.o src/main.o
src/%.o: src/%.c
	cc -O2 -c -o $@ $<
END
expect 0 "$BUILDTOP" -i 0.2 --summary s.json -q make -j2
expect 0 "$BUILDTOP" report @1
for name in one two main; do
	grep -q "compile src/$name.c\$" out || fail "the page does not name $name.c"
done
grep -q 'for -j2 (by the command line)' out || fail "the page does not tell what -j2 needs"
python3 - s.json <<'PYTHON' || fail "the steps are not those of the build"
import json, sys
document = json.load(open(sys.argv[1]))
steps = {(step["kind"], step["name"]): step for step in document["steps"]}
for name in "one", "two", "main":
    step = steps["compile", f"src/{name}.c"]
    assert step["count"] == 1 and step["cpu_seconds"] > 0 and step["to_seconds"] > step["from_seconds"], step
compiled = sum(step["cpu_seconds"] for (kind, _), step in steps.items() if kind == "compile")
assert compiled > 0.5 * sum(step["cpu_seconds"] for step in document["steps"]), steps
assert document["memory"]["jobs"] == 2 and document["memory"]["jobs_source"] == "command line"
PYTHON
ok "steps"
