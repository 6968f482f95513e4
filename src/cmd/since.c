/* SPDX-License-Identifier: MIT
 *
 * Reads what people write for "since when": an age, or a local date with or without a time of day. Knows the
 * clock on the wall and nothing else.
 */
#include "since.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

#define US_PER_S INT64_C(1000000)

bool since_parse(const char *text, int64_t *since_us)
{
	struct tm date = {.tm_isdst = -1};
	char *end;
	long number = strtol(text, &end, 10);
	if (end != text && number >= 0 && number < 100000 &&
	    (strcmp(end, "d") == 0 || strcmp(end, "h") == 0)) {
		*since_us = clock_wall_ns() / NS_PER_US - number * (*end == 'd' ? 86400 : 3600) * US_PER_S;
		return true;
	}
	end = strptime(text, "%Y-%m-%d", &date);
	if (end != NULL && (*end == ' ' || *end == 'T'))
		end = strptime(end + 1, "%H:%M", &date);
	if (end == NULL || *end != '\0')
		return false;
	*since_us = (int64_t)mktime(&date) * US_PER_S;
	return true;
}
