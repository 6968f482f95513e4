/* SPDX-License-Identifier: MIT
 *
 * Sums over the classes of one look. Waiting for a child, a pipe, a lock or a timer is no loss of this kind
 * and stands in neither part of the share.
 */
#include "look.h"

#include <string.h>

#include "base/clock.h"

/* Most looks see few stalled or none: the rest of `who` is not touched. */
void look_begin(struct look *look, int64_t from_ns, int64_t to_ns)
{
	memset(look, 0, offsetof(struct look, who));
	look->from_ns = from_ns;
	look->to_ns = to_ns;
}

void look_copy(struct look *to, const struct look *from)
{
	memcpy(to, from, offsetof(struct look, who) + from->n_who * sizeof *from->who);
}

double look_threads(const struct look *look, unsigned causes)
{
	double sum = 0;

	for (int cause = 0; cause < CAUSE_COUNT; cause++)
		if (causes & 1u << cause)
			sum += look->threads[cause];
	return sum;
}

double look_share(const struct look *look, unsigned causes)
{
	/* remote I/O and "blocked" stand in the whole only where they are asked for: they may be no loss at
	 * all */
	unsigned whole = LOOK_CAUSES_WORKING | LOOK_CAUSES_FLUSH | 1u << CAUSE_READ | 1u << CAUSE_MEMORY;
	double lost = look_threads(look, causes);

	return lost > 0 ? lost / look_threads(look, whole | causes) : 0;
}

double look_seconds(const struct look *look)
{
	return (double)(look->to_ns - look->from_ns) / (double)NS_PER_S;
}

void look_add(struct look *look, const char *comm, const char *wchan, enum cause cause, unsigned evidence)
{
	struct look_who new = {.cause = cause, .evidence = evidence, .threads = 1};

	strncpy(new.comm, comm, sizeof new.comm - 1);
	strncpy(new.wchan, wchan, sizeof new.wchan - 1);
	for (size_t i = 0; i < look->n_who; i++) {
		struct look_who *who = &look->who[i];

		if (who->cause == cause && who->evidence == evidence &&
		    !memcmp(who->comm, new.comm, sizeof new.comm) &&
		    !memcmp(who->wchan, new.wchan, sizeof new.wchan)) {
			who->threads++;
			return;
		}
	}
	if (look->n_who < LOOK_WHO_MAX)
		look->who[look->n_who++] = new;
}

bool look_progress(const struct look *look, unsigned causes)
{
	return look->progress || look_threads(look, LOOK_CAUSES_STALLED & ~causes) > 0;
}
