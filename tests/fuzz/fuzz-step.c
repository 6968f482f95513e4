/* SPDX-License-Identifier: MIT
 *
 * Command lines: whatever they hold, the step has a name within its bounds, and the same line the same one.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/diagnose/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1); /* its end is watched */
	struct step one, other;

	if (size > 0)
		memcpy(line, data, size);
	step_of(&one, "comm", line, size, "/home/u/hello-2.10");
	step_of(&other, "comm", line, size, "/home/u/hello-2.10");
	if (one.kind == STEP_NONE || one.kind >= STEP_KIND_COUNT || !memchr(one.name, '\0', sizeof one.name) ||
	    strcmp(one.name, other.name) != 0 || one.kind != other.kind || one.hold > STEP_HOLDS_ALL)
		abort();
	free(line);
	return 0;
}
