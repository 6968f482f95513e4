/* SPDX-License-Identifier: MIT
 *
 * The lists of who writes into a file system and what takes its room: how they are laid out and how they
 * read.
 */
#include "model/counted.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

void counted_add(struct buf *list, uint64_t amount, enum counted_unit unit, const char *name, size_t len)
{
	if (list->len > 0)
		buf_add_byte(list, 0);
	buf_add_format(list, "%" PRIu64 "%c ", amount, (char)unit);
	buf_add(list, name, len);
}

static bool take_entry(const char *at, const char *end, struct counted *entry)
{
	uint64_t amount = 0;
	const char *from = at;

	for (; at < end && *at >= '0' && *at <= '9'; at++)
		amount = amount > UINT64_MAX / 10 - 1 ? UINT64_MAX - 1 : amount * 10 + (uint64_t)(*at - '0');
	if (at == from || end - at < 3 || !strchr("BFT", at[0]) || at[1] != ' ')
		return false;
	*entry = (struct counted){
		.amount = amount, .unit = at[0], .name = at + 2, .len = (size_t)(end - at) - 2};
	return true;
}

bool counted_next(const char **at, const char *end, struct counted *entry)
{
	while (*at < end) {
		const char *from = *at, *to = memchr(from, 0, (size_t)(end - from));

		if (!to)
			to = end;
		*at = to < end ? to + 1 : end;
		if (take_entry(from, to, entry))
			return true;
	}
	return false;
}

static void say_amount(struct buf *out, const struct counted *entry)
{
	char text[UNITS_SIZE];

	if (entry->unit == COUNTED_BYTES)
		buf_add_format(out, " %s", units_bytes(text, entry->amount));
	else if (entry->unit == COUNTED_FILES)
		buf_add_format(out, " %" PRIu64 " %s", entry->amount, entry->amount == 1 ? "file" : "files");
	else if (entry->amount > 1)
		buf_add_format(out, " (%" PRIu64 ")", entry->amount);
}

void counted_say(struct buf *out, const char *list, size_t len, size_t most)
{
	const char *at = list;
	struct counted entry;

	for (size_t i = 0; i < most && counted_next(&at, list + len, &entry); i++) {
		buf_add_string(out, i > 0 ? ", " : "");
		text_clean_add(out, entry.name, entry.len);
		say_amount(out, &entry);
	}
}
