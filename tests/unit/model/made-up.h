/* SPDX-License-Identifier: MIT
 *
 * Made-up summaries: one of which nothing is known, an ordinary one, and a hostile one. Used by the unit test
 * and by the program that prints them for the schema.
 */
#ifndef TESTS_UNIT_MODEL_MADE_UP_H
#define TESTS_UNIT_MODEL_MADE_UP_H

#include "model/summary.h"

struct made_up {
	const char *name;
	void (*fill)(struct summary *summary, struct run *run);
};

extern const struct made_up made_up_table[3];

/* The document of one of them; free() it. */
char *made_up_document(const struct made_up *made_up);

#endif
