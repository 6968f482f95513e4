/* SPDX-License-Identifier: MIT
 *
 * Fields of JSON objects: what is unknown gets no field, and whatever bytes come in, the text is valid.
 */
#ifndef REPORT_FIELD_H
#define REPORT_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

void field_count(json_t *object, const char *key, uint64_t value); /* METRIC_NA: no field */
void field_real(json_t *object, const char *key,
		double value); /* rounded to a millionth; not finite: no field */
void field_text(json_t *object, const char *key, const char *bytes, size_t len); /* empty: no field */
void field_string(json_t *object, const char *key, const char *string);		 /* NULL: no field */
/* Text from raw bytes; those that are not UTF-8 become U+FFFD. */
json_t *field_json_text(const char *bytes, size_t len);

#endif
