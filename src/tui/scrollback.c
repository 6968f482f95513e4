/* SPDX-License-Identifier: MIT
 *
 * A carriage return goes back to the start of the line and what follows overwrites it (ninja, curl), a
 * backspace goes back one; "erase to the end of the line" is obeyed; all other escape sequences are read
 * over, whole, however they are cut. What is kept is clean.
 */
#include "scrollback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

enum state { PLAIN, ESCAPE, CHARSET, CSI, STRING, STRING_ESCAPE };

struct scrollback {
	char *lines[SCROLLBACK_LINES]; /* a ring; NULL beyond count */
	int64_t times[SCROLLBACK_LINES];
	int64_t now_ns;
	uint64_t total;
	size_t first, count;		    /* finished lines */
	uint32_t cells[SCROLLBACK_COLUMNS]; /* the line being written, in characters */
	size_t length, cursor;
	struct buf current; /* it, cleaned, when asked for */
	enum state state;
	int parameter;	  /* of a CSI */
	uint32_t partial; /* a UTF-8 character that is not complete yet */
	int missing;
};

void scrollback_set_time(struct scrollback *scrollback, int64_t mono_ns)
{
	scrollback->now_ns = mono_ns;
}

uint64_t scrollback_total(const struct scrollback *scrollback)
{
	return scrollback->total;
}

int64_t scrollback_time(const struct scrollback *s, size_t back)
{
	if (back == 0 || back > s->count)
		return s->now_ns;
	return s->times[(s->first + s->count - back) % SCROLLBACK_LINES];
}

struct scrollback *scrollback_new(void)
{
	return mem_alloc(1, sizeof(struct scrollback));
}

void scrollback_free(struct scrollback *scrollback)
{
	if (!scrollback)
		return;
	for (size_t i = 0; i < SCROLLBACK_LINES; i++)
		free(scrollback->lines[i]);
	buf_fini(&scrollback->current);
	free(scrollback);
}

static void encode(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_add_byte(out, (unsigned char)c);
	} else if (c < 0x800) {
		buf_add_byte(out, (unsigned char)(0xc0 | c >> 6));
		buf_add_byte(out, (unsigned char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_add_byte(out, (unsigned char)(0xe0 | c >> 12));
		buf_add_byte(out, (unsigned char)(0x80 | (c >> 6 & 0x3f)));
		buf_add_byte(out, (unsigned char)(0x80 | (c & 0x3f)));
	} else {
		buf_add_byte(out, (unsigned char)(0xf0 | c >> 18));
		buf_add_byte(out, (unsigned char)(0x80 | (c >> 12 & 0x3f)));
		buf_add_byte(out, (unsigned char)(0x80 | (c >> 6 & 0x3f)));
		buf_add_byte(out, (unsigned char)(0x80 | (c & 0x3f)));
	}
}

static void render(struct scrollback *s)
{
	struct buf raw = {0};

	for (size_t i = 0; i < s->length; i++)
		encode(&raw, s->cells[i]);
	buf_clear(&s->current);
	if (raw.len)
		text_clean_add(&s->current, raw.data, raw.len);
	buf_fini(&raw);
}

static void finish_line(struct scrollback *s)
{
	size_t at = (s->first + s->count) % SCROLLBACK_LINES;

	render(s);
	free(s->lines[at]);
	s->times[at] = s->now_ns;
	s->total++;
	s->lines[at] = mem_dup(s->current.data ? s->current.data : "");
	if (s->count < SCROLLBACK_LINES - 1)
		s->count++;
	else
		s->first = (s->first + 1) % SCROLLBACK_LINES;
	s->length = s->cursor = 0;
}

static void put(struct scrollback *s, uint32_t c)
{
	if (s->cursor >= SCROLLBACK_COLUMNS)
		return;
	while (s->length < s->cursor)
		s->cells[s->length++] = ' ';
	s->cells[s->cursor++] = c;
	if (s->length < s->cursor)
		s->length = s->cursor;
}

/* An incomplete or invalid character becomes one '?'; the byte that broke it is looked at afresh. */
static void put_byte(struct scrollback *s, unsigned char byte)
{
	if (s->missing > 0) {
		if ((byte & 0xc0) == 0x80) {
			s->partial = s->partial << 6 | (byte & 0x3f);
			if (--s->missing == 0)
				put(s, s->partial <= 0x10ffff ? s->partial : '?');
			return;
		}
		s->missing = 0;
		put(s, '?');
	}
	if (byte < 0x80) {
		put(s, byte);
	} else if (byte >= 0xc2 && byte <= 0xf4) {
		s->missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
		s->partial = byte & (0x3f >> s->missing);
	} else {
		put(s, '?');
	}
}

static void control(struct scrollback *s, unsigned char byte)
{
	switch (byte) {
	case '\n':
		finish_line(s);
		break;
	case '\r':
		s->cursor = 0;
		break;
	case '\b':
		s->cursor -= s->cursor > 0;
		break;
	case '\t':
		s->cursor = (s->cursor / 8 + 1) * 8;
		break;
	case 0x1b:
		s->state = ESCAPE;
		break;
	default:
		break; /* bells and the like are not shown */
	}
}

static enum state after_escape(unsigned char byte)
{
	if (byte == '[')
		return CSI;
	if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_')
		return STRING;
	return byte >= 0x20 && byte < 0x30 ? CHARSET : PLAIN;
}

static void step(struct scrollback *s, unsigned char byte)
{
	switch (s->state) {
	case PLAIN:
		if (byte < 0x20 || byte == 0x7f)
			control(s, byte);
		else
			put_byte(s, byte);
		break;
	case ESCAPE:
		s->state = after_escape(byte);
		s->parameter = 0;
		break;
	case CHARSET:
		if (byte >= 0x30)
			s->state = PLAIN;
		break;
	case CSI:
		if (byte >= '0' && byte <= '9')
			s->parameter = (s->parameter * 10 + byte - '0') % 1000;
		if (byte == 'K' && s->parameter == 0 && s->cursor < s->length)
			s->length = s->cursor;
		if (byte == 'K' && s->parameter == 2)
			s->length = 0;
		if (byte < 0x20)
			control(s, byte);
		if (byte >= 0x40)
			s->state = PLAIN;
		break;
	case STRING:
		s->state = byte == 0x07 ? PLAIN : byte == 0x1b ? STRING_ESCAPE : STRING;
		break;
	case STRING_ESCAPE:
		s->state = byte == '\\' ? PLAIN : after_escape(byte);
		break;
	}
}

void scrollback_add(struct scrollback *scrollback, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		step(scrollback, (unsigned char)bytes[i]);
}

void scrollback_lost(struct scrollback *scrollback, uint64_t bytes)
{
	char size[UNITS_SIZE], text[80];

	scrollback->state = PLAIN;
	scrollback->missing = 0;
	if (scrollback->length)
		finish_line(scrollback);
	snprintf(text, sizeof text, "[... %s not shown here ...]\n", units_bytes(size, bytes));
	scrollback_add(scrollback, text, strlen(text));
}

size_t scrollback_count(const struct scrollback *scrollback)
{
	return scrollback->count + 1;
}

const char *scrollback_line(struct scrollback *scrollback, size_t back)
{
	if (back == 0) {
		render(scrollback);
		return scrollback->current.data ? scrollback->current.data : "";
	}
	if (back > scrollback->count)
		return "";
	return scrollback->lines[(scrollback->first + scrollback->count - back) % SCROLLBACK_LINES];
}
