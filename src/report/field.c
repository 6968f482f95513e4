/* SPDX-License-Identifier: MIT
 *
 * JSON from what was measured. Comm, argv and mount points are bytes of any kind, and jansson refuses what is
 * not UTF-8, so it is made so here; control characters are escaped by jansson. Any thread.
 */
#include "field.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "model/metric.h"

void field_count(json_t *object, const char *key, uint64_t value)
{
	if (value != METRIC_NA && value <= INT64_MAX)
		json_object_set_new(object, key, json_integer((json_int_t)value));
}

void field_real(json_t *object, const char *key, double value)
{
	if (isfinite(value))
		json_object_set_new(object, key,
				    json_real(fabs(value) < 1e9 ? round(value * 1e6) / 1e6 : value));
}

/* Length of the UTF-8 character at the start of the bytes; 0: not one (overlong, surrogate, beyond Unicode,
 * cut). */
static size_t utf8_length(const unsigned char *bytes, size_t len)
{
	static const struct {
		unsigned char mask, lead;
		unsigned least;
	} forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	for (size_t more = 0; more < 4; more++) {
		if ((bytes[0] & forms[more].mask) != forms[more].lead)
			continue;
		if (more >= len)
			return 0;
		unsigned code = bytes[0] & (unsigned char)~forms[more].mask;
		for (size_t i = 1; i <= more; i++) {
			if ((bytes[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (bytes[i] & 0x3f);
		}
		bool surrogate = code >= 0xd800 && code <= 0xdfff;
		return code >= forms[more].least && code <= 0x10ffff && !surrogate ? more + 1 : 0;
	}
	return 0;
}

json_t *field_json_text(const char *bytes, size_t len)
{
	struct buf valid = {0};
	for (size_t at = 0; at < len;) {
		size_t length = utf8_length((const unsigned char *)bytes + at, len - at);
		if (length > 0)
			buf_add(&valid, bytes + at, length);
		else
			buf_add_string(&valid, "\xef\xbf\xbd");
		at += length > 0 ? length : 1;
	}
	json_t *text = json_stringn(valid.len > 0 ? valid.data : "", valid.len);
	buf_fini(&valid);
	return text;
}

void field_text(json_t *object, const char *key, const char *bytes, size_t len)
{
	if (len > 0)
		json_object_set_new(object, key, field_json_text(bytes, len));
}

void field_string(json_t *object, const char *key, const char *string)
{
	if (string != NULL)
		json_object_set_new(object, key, field_json_text(string, strlen(string)));
}
