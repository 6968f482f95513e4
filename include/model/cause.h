/* SPDX-License-Identifier: MIT
 *
 * The classes of DIAGNOSIS.md. CAUSE_NONE stands for "no stall".
 */
#ifndef MODEL_CAUSE_H
#define MODEL_CAUSE_H

enum cause {
#define CAUSE(id, ...) CAUSE_##id,
#include "model/causes.def"
#undef CAUSE
	CAUSE_COUNT,
	CAUSE_NONE = CAUSE_COUNT
};

enum cause_stall { CAUSE_STALL_NONE, CAUSE_STALL_FLUSH, CAUSE_STALL_BLOCK };

struct cause_info {
	const char *key;
	char letter;
	const char *label;
	enum cause_stall stall;
	const char *help;
};

extern const struct cause_info cause_table[CAUSE_COUNT];

int cause_find(const char *key); /* -1: none of that name */

#endif
