/* SPDX-License-Identifier: MIT
 *
 * The sentence of reader_damage().
 */
#include "damage.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format.h"

void damage_init(struct damage *damage)
{
	damage->sentence = mem_alloc(1, sizeof *damage->sentence);
}

void damage_fini(struct damage *damage)
{
	buf_fini(&damage->first);
	if (damage->sentence)
		buf_fini(damage->sentence);
	free(damage->sentence);
}

void damage_pass(struct damage *damage, uint64_t offset)
{
	if (damage->passed <= offset)
		damage->passed = offset + 1;
}

void damage_note(struct damage *damage, size_t frame, uint64_t offset, const char *what)
{
	if (offset < damage->passed)
		return;
	if (damage->count++ == 0)
		buf_add_format(&damage->first, "frame %zu at byte %llu: %s", frame,
			       (unsigned long long)offset, what);
	damage_pass(damage, offset);
}

void damage_say(struct damage *damage, uint64_t offset, const char *what)
{
	if (offset < damage->passed)
		return;
	if (damage->count++ == 0)
		buf_add_format(&damage->first, "at byte %llu: %s", (unsigned long long)offset, what);
	damage_pass(damage, offset);
}

void damage_gap(struct damage *damage, uint64_t offset, uint64_t why, uint64_t samples)
{
	if (offset < damage->passed)
		return;
	if (why == GAP_QUEUE)
		damage->gap_queue += samples;
	else
		damage->gap_write += samples;
}

static void part(struct buf *sentence)
{
	if (sentence->len > 0)
		buf_add_string(sentence, "; ");
}

static void cut_add(struct buf *sentence, const struct damage_state *state)
{
	unsigned long long at = (unsigned long long)state->read_to;
	if (!state->at_end || !(state->header_missing || state->end_missing || state->index_missing))
		return;
	part(sentence);
	if (state->header_missing)
		buf_add_format(sentence, "the file breaks off in its header, at byte %llu", at);
	else if (state->end_missing)
		buf_add_format(sentence, "the file breaks off at byte %llu, before the end of the run", at);
	else
		buf_add_format(sentence,
			       "the file breaks off at byte %llu, in its index; no sample is missing", at);
}

const char *damage_sentence(const struct damage *damage, const struct damage_state *state)
{
	struct buf *sentence = damage->sentence;
	buf_clear(sentence);
	if (damage->count > 0)
		buf_add(sentence, damage->first.data, damage->first.len);
	if (damage->count > 1)
		buf_add_format(sentence, " (and %zu more)", damage->count - 1);
	cut_add(sentence, state);
	if (damage->gap_queue > 0) {
		part(sentence);
		buf_add_format(sentence, "%llu samples were not recorded: the disk was too slow",
			       (unsigned long long)damage->gap_queue);
	}
	if (damage->gap_write > 0) {
		part(sentence);
		buf_add_format(sentence, "%llu samples were not recorded: they could not be written",
			       (unsigned long long)damage->gap_write);
	}
	return sentence->len > 0 ? sentence->data : NULL;
}
