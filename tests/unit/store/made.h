/* SPDX-License-Identifier: MIT
 *
 * A made-up build for the tests and the bench of the store: always the same for the same seed. Compilers come
 * and go under make and shells, counters grow, threads are seen at sites, strings hold odd bytes.
 */
#ifndef TEST_STORE_MADE_H
#define TEST_STORE_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/run.h"
#include "model/sample.h"

struct made {
	uint64_t random;
	size_t n_tasks;
	bool odd; /* with all that is rare: values not available, many looks, odd bytes, gaps */
	int32_t last_pid;
	struct sample *sample; /* the last one */
};

struct run *made_run(void);
struct made made_begin(uint64_t seed, size_t n_tasks, bool odd);
/* The next sample; free it. */
struct sample *made_next(struct made *made);
void made_fini(struct made *made);

/* Says on stderr what differs. */
bool made_equal(const struct sample *a, const struct sample *b);

#endif
