#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: make-project.sh DIR FILES FUNCTIONS
#
# Writes a C project that compiles, links and runs: FILES files of FUNCTIONS functions each, a header that all of them read,
# and a Makefile that builds into $(O). The same words give the same project, byte for byte.
set -eu
dir=$1
mkdir -p "$dir"

cat >"$dir/shape.h" <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	uint64_t corner[16];
	struct shape *next;
};
uint64_t shape_turn(struct shape *shape, uint64_t by);
END

awk -v dir="$dir" -v files="$2" -v functions="$3" '
function body(file, f,    name, k) {
	name = sprintf("part%d_%d", file, f)
	printf "static uint64_t %s(struct shape *shape, uint64_t by)\n{\n\tuint64_t sum = by;\n", name > out
	printf "\tfor (size_t i = 0; i < 16; i++) {\n" > out
	for (k = 1; k <= 6; k++)
		printf "\t\tif ((shape->corner[(i + %d) %% 16] ^ sum) & %d)\n\t\t\tsum = sum * %d + shape->corner[i] / (by + %d);\n", k, 2 ^ k, 2 * (file + f * k) + 1, k > out
	printf "\t\tshape->corner[i] = sum;\n\t}\n\treturn sum;\n}\n\n" > out
}
BEGIN {
	for (file = 0; file < files; file++) {
		out = sprintf("%s/part%d.c", dir, file)
		printf "#include \"shape.h\"\n\nuint64_t part%d(struct shape *shape, uint64_t by);\n\n", file > out
		for (f = 0; f < functions; f++)
			body(file, f)
		printf "uint64_t part%d(struct shape *shape, uint64_t by)\n{\n", file > out
		for (f = 0; f < functions; f++)
			printf "\tby += part%d_%d(shape, by);\n", file, f > out
		printf "\treturn by;\n}\n" > out
		close(out)
	}
	out = dir "/main.c"
	printf "#include \"shape.h\"\n\n" > out
	for (file = 0; file < files; file++)
		printf "uint64_t part%d(struct shape *shape, uint64_t by);\n", file > out
	printf "\nint main(void)\n{\n\tstruct shape shape = {{0}, NULL};\n\tuint64_t by = 1;\n" > out
	for (file = 0; file < files; file++)
		printf "\tby = part%d(&shape, by);\n", file > out
	printf "\tprintf(\"%%llu\\n\", (unsigned long long)by);\n\treturn 0;\n}\n" > out
	close(out)
	out = dir "/Makefile"
	printf "O = .\nCFLAGS = -O1 -g\nOBJS = $(O)/main.o" > out
	for (file = 0; file < files; file++)
		printf " $(O)/part%d.o", file > out
	printf "\n$(O)/program: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n" > out
	printf "$(O)/%%.o: %%.c shape.h\n\t$(CC) $(CFLAGS) -c -o $@ $<\n" > out
}'
