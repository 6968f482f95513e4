/* SPDX-License-Identifier: MIT
 *
 * Knows UTF-8 and what of it may reach a terminal. Refuses to know where the bytes came from: none is
 * trusted. Invariant: what it writes is printable, on one line, and ends at a character's end.
 */
#include "base/text.h"

#include <langinfo.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "base/buf.h"

static bool text_utf8;

void text_init(void)
{
	text_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool text_is_utf8(void)
{
	return text_utf8;
}

/* Decodes one character of at least one byte: its length, or 0 when what stands there is not UTF-8. */
static size_t text_decode(const char *in, size_t len, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)in;
	size_t need;

	if (bytes[0] < 0x80) {
		*code = bytes[0];
		return 1;
	}
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 0;
	need = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	if (len < need)
		return 0;
	*code = bytes[0] & (0xffU >> (need + 1));
	for (size_t i = 1; i < need; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	if (*code < least[need] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return need;
}

/* Characters that are harmless alone but turn around or break the text beside them. */
static bool text_is_treacherous(uint32_t code)
{
	return code == 0x061c || (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static bool text_is_showable(uint32_t code)
{
	if (code < 0x80)
		return code >= 0x20 && code < 0x7f;
	return text_utf8 && code >= 0xa0 && !text_is_treacherous(code) && iswprint((wint_t)code) &&
	       wcwidth((wchar_t)code) >= 0;
}

/* Cleans the next character; *to points at *to_len bytes to show for it. Returns the bytes used, at least 1.
 */
static size_t text_clean_next(const char *in, size_t len, const char **to, size_t *to_len)
{
	uint32_t code;
	size_t used = text_decode(in, len, &code);

	*to = in;
	*to_len = used;
	if (used && text_is_showable(code))
		return used;
	*to = used && (code == '\n' || code == '\t') ? " " : "?";
	*to_len = 1;
	return used ? used : 1;
}

size_t text_clean(char *out, size_t cap, const char *in, size_t len)
{
	size_t at = 0;

	if (!cap)
		return 0;
	while (len) {
		const char *show;
		size_t show_len;
		size_t used = text_clean_next(in, len, &show, &show_len);

		if (show_len > cap - 1 - at)
			break;
		memcpy(out + at, show, show_len);
		at += show_len;
		in += used;
		len -= used;
	}
	out[at] = '\0';
	return at;
}

char *text_clean_string(char *out, size_t cap, const char *in)
{
	text_clean(out, cap, in, strlen(in));
	return out;
}

void text_clean_add(struct buf *out, const char *in, size_t len)
{
	/* Clean text is never longer than what it was made of. */
	char *room = buf_reserve(out, len);

	out->len += text_clean(room, len + 1, in, len);
}

void text_utf8_add(struct buf *out, const char *in, size_t len, size_t max)
{
	static const char replacement[] = "\xef\xbf\xbd";

	while (len) {
		uint32_t code;
		size_t used = text_decode(in, len, &code);
		size_t show_len = used ? used : sizeof replacement - 1;

		if (show_len > max)
			break;
		buf_add(out, used ? in : replacement, show_len);
		max -= show_len;
		used = used ? used : 1;
		in += used;
		len -= used;
	}
}

/* Bytes and columns of the first character of clean text. */
static size_t text_measure(const char *clean, size_t len, size_t *columns)
{
	uint32_t code;
	size_t used = text_decode(clean, len, &code);
	int width = used ? wcwidth((wchar_t)code) : 1;

	*columns = width < 0 ? 1 : (size_t)width;
	return used ? used : 1;
}

size_t text_width(const char *clean)
{
	size_t used;

	text_fit(clean, SIZE_MAX, &used);
	return used;
}

size_t text_fit(const char *clean, size_t columns, size_t *used)
{
	size_t len = strlen(clean);
	size_t at = 0, taken = 0;

	while (at < len) {
		size_t width;
		size_t step = text_measure(clean + at, len - at, &width);

		if (width > columns - taken)
			break;
		taken += width;
		at += step;
	}
	if (used)
		*used = taken;
	return at;
}

void text_command(struct buf *out, char *const *argv)
{
	for (size_t i = 0; argv[i]; i++) {
		const char *word = argv[i];
		bool plain = *word && !word[strcspn(word, " \t\n'\"\\")];

		if (i)
			buf_add_byte(out, ' ');
		if (plain) {
			text_clean_add(out, word, strlen(word));
			continue;
		}
		buf_add_byte(out, '\'');
		for (size_t len; *word; word += len) {
			len = strcspn(word, "'");
			text_clean_add(out, word, len);
			if (word[len] == '\'') {
				buf_add_string(out, "'\\''");
				len++;
			}
		}
		buf_add_byte(out, '\'');
	}
}
