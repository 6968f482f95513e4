/* SPDX-License-Identifier: MIT
 *
 * The table of the classes of waiting, made from causes.def.
 */
#include "model/cause.h"

#include <string.h>

const struct cause_info cause_table[CAUSE_COUNT] = {
#define CAUSE(id, key, letter, label, stall, help)                                                           \
	[CAUSE_##id] = {key, letter, label, CAUSE_STALL_##stall, help},
#include "model/causes.def"
#undef CAUSE
};

int cause_find(const char *key)
{
	for (int i = 0; i < CAUSE_COUNT; i++)
		if (strcmp(cause_table[i].key, key) == 0)
			return i;
	return -1;
}
