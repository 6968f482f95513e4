/* SPDX-License-Identifier: MIT
 *
 * Knows the ways and their sequences. OSC 9 is understood by iTerm2, kitty, WezTerm, Windows Terminal and
 * foot, OSC 777 by rxvt-unicode, VTE and foot; nobody can ask a terminal whether it is one, so they are only
 * used by who chose them. A terminal that takes nothing now is not waited for.
 */
#include "notice.h"

#include <string.h>

#include "terminal.h"

static const struct {
	const char *word;
	unsigned way;
} ways_known[] = {
	{"bell", NOTICE_BELL},
	{"flash", NOTICE_FLASH},
	{"osc9", NOTICE_OSC9},
	{"osc777", NOTICE_OSC777},
};

#define WAYS (sizeof ways_known / sizeof *ways_known)

unsigned notice_parse(const char *words)
{
	unsigned ways = 0;

	while (*words) {
		size_t len = strcspn(words, ", ");

		for (size_t i = 0; i < WAYS; i++)
			if (strlen(ways_known[i].word) == len && strncmp(words, ways_known[i].word, len) == 0)
				ways |= ways_known[i].way;
		words += len;
		words += strspn(words, ", ");
	}
	return ways;
}

void notice_words(unsigned ways, struct buf *out)
{
	size_t before = out->len;

	for (size_t i = 0; i < WAYS; i++)
		if (ways & ways_known[i].way)
			buf_add_format(out, "%s%s", out->len > before ? "," : "", ways_known[i].word);
	if (out->len == before)
		buf_add_string(out, "none");
}

/* A ';' would end the text of OSC 777. */
static void add_text(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_add_byte(out, (unsigned char)(*text == ';' ? ',' : *text));
}

void notice_sequence(unsigned ways, const char *text, struct buf *out)
{
	if (ways & NOTICE_OSC9) {
		buf_add_string(out, "\033]9;buildtop: ");
		add_text(out, text);
		buf_add_string(out, "\033\\");
	}
	if (ways & NOTICE_OSC777) {
		buf_add_string(out, "\033]777;notify;buildtop;");
		add_text(out, text);
		buf_add_string(out, "\033\\");
	}
}

void notice_give(struct terminal *terminal, unsigned ways, const char *text)
{
	struct buf sequence = {0};

	if (ways & NOTICE_FLASH)
		terminal_flash(terminal);
	if (ways & NOTICE_BELL)
		terminal_bell(terminal);
	notice_sequence(ways, text, &sequence);
	if (sequence.len > 0)
		terminal_tell(terminal, sequence.data);
	buf_fini(&sequence);
}
