/* SPDX-License-Identifier: MIT
 *
 * JSON from what was measured. Comm, argv and mount points are bytes of any kind, and jansson refuses what is
 * not UTF-8, so it is made so here; control characters are escaped by jansson. Any thread.
 */
#include "field.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
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

json_t *field_json_text(const char *bytes, size_t len)
{
	struct buf valid = {0};
	text_utf8_add(&valid, bytes, len, SIZE_MAX);
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
