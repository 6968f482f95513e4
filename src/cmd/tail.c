/* SPDX-License-Identifier: MIT
 *
 * The build wrote for a terminal that was the panel of a screen: cursor moves and titles mean nothing outside
 * it, and may do harm, but a compiler's error in red should still be red. So colours (SGR sequences) pass and
 * nothing else does. A progress line that was written over by carriage returns is shown as it was left. Pure,
 * but for the tape.
 */
#include "tail.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define TAIL_BYTES (64 * 1024)
#define ESCAPE	   '\x1b'

static bool is_final(unsigned char byte)
{
	return byte >= 0x40 && byte <= 0x7e;
}

/* Length of the escape sequence at the start of the bytes; *colour: it only sets colours. */
static size_t sequence_length(const char *bytes, size_t len, bool *colour)
{
	*colour = false;
	if (len < 2)
		return len;
	if (bytes[1] == '[') {
		size_t at = 2;
		while (at < len && !is_final((unsigned char)bytes[at]))
			at++;
		*colour = at < len && bytes[at] == 'm' && strspn(bytes + 2, "0123456789;:") == at - 2;
		return at < len ? at + 1 : len;
	}
	if (strchr("]PX^_", bytes[1]) == NULL)
		return 2 + (bytes[1] >= 0x20 && bytes[1] <= 0x2f && len > 2);
	/* a string: ends with BEL or ESC \ */
	for (size_t at = 2; at < len; at++) {
		if (bytes[at] == '\a')
			return at + 1;
		if (bytes[at] == ESCAPE)
			return at + 1 < len && bytes[at + 1] == '\\' ? at + 2 : at;
	}
	return len;
}

/* One line, without its newline. */
static void add_line(struct buf *out, const char *bytes, size_t len)
{
	bool coloured = false, colour;
	for (size_t at = 0; at < len;) {
		if (bytes[at] == ESCAPE) {
			size_t length = sequence_length(bytes + at, len - at, &colour);
			if (colour)
				buf_add(out, bytes + at, length);
			coloured |= colour;
			at += length;
			continue;
		}
		size_t plain = at;
		while (plain < len && bytes[plain] != ESCAPE && (unsigned char)bytes[plain] >= ' ')
			plain++;
		text_clean_add(out, bytes + at, plain - at);
		if (plain < len && bytes[plain] == '\t')
			buf_add_byte(out, '\t');
		at = plain < len && bytes[plain] != ESCAPE ? plain + 1 : plain;
	}
	if (coloured)
		buf_add_string(out, "\x1b[0m");
	buf_add_byte(out, '\n');
}

/* What a terminal would still show of a line written over by carriage returns. */
static const char *skip_overwritten(const char *line, size_t *len)
{
	while (*len > 0 && line[*len - 1] == '\r')
		(*len)--;
	const char *back = memrchr(line, '\r', *len);
	if (back == NULL)
		return line;
	*len -= (size_t)(back + 1 - line);
	return back + 1;
}

void tail_clean(struct buf *out, const char *bytes, size_t len, size_t lines)
{
	if (len == 0 || lines == 0)
		return;
	if (bytes[len - 1] == '\n')
		len--; /* ends the last line; none begins behind it */
	size_t from = len;
	while (from > 0 && !(bytes[from - 1] == '\n' && --lines == 0))
		from--;
	while (from <= len) {
		const char *end = memchr(bytes + from, '\n', len - from);
		size_t length = end != NULL ? (size_t)(end - bytes) - from : len - from;
		size_t next = from + length + 1;
		const char *line = skip_overwritten(bytes + from, &length);
		add_line(out, line, length);
		from = next;
	}
}

void tail_take(struct buf *out, const struct tape *tape, size_t lines)
{
	uint64_t end = tape_end(tape), lost = 0;
	uint64_t position = end > TAIL_BYTES ? end - TAIL_BYTES : 0;
	char *bytes = mem_alloc(1, TAIL_BYTES);
	size_t len = 0, got;
	while (len < TAIL_BYTES &&
	       (got = tape_read(tape, &position, bytes + len, TAIL_BYTES - len, &lost)) > 0)
		len += got;
	tail_clean(out, bytes, len, lines);
	free(bytes);
}
