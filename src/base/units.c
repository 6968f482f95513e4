/* SPDX-License-Identifier: MIT
 *
 * Numbers for people. All printing goes through whole numbers (tenths), and parsing is by hand, so that no
 * locale can put a comma where a script expects a point.
 */
#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const char units_letters[] = "KMGTPE";

/* Shown for what is no number: NAN, and what is less than nothing. */
static char *units_none(char *out)
{
	return strcpy(out, "-");
}

/* Divides by 1024 until the value, rounded to tenths, stays below 1024; returns the index of the letter. */
static int units_scale(uint64_t bytes, uint64_t *tenths)
{
	double value = (double)bytes / 1024;
	int letter = 0;

	while (value >= 1023.5) {
		value /= 1024;
		letter++;
	}
	*tenths = (uint64_t)(value * 10 + 0.5);
	return letter;
}

/* Tenths as "9.9" below `whole_from` tenths, as "10" from there on. */
static int units_put_tenths(char *out, uint64_t tenths, uint64_t whole_from)
{
	if (tenths < whole_from)
		return snprintf(out, UNITS_SIZE, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
	return snprintf(out, UNITS_SIZE, "%" PRIu64, (tenths + 5) / 10);
}

char *units_bytes(char *out, uint64_t bytes)
{
	uint64_t tenths;
	int letter, at;

	if (bytes < 1024) {
		snprintf(out, UNITS_SIZE, "%" PRIu64 " B", bytes);
		return out;
	}
	letter = units_scale(bytes, &tenths);
	at = units_put_tenths(out, tenths, 1000);
	snprintf(out + at, (size_t)(UNITS_SIZE - at), " %ciB", units_letters[letter]);
	return out;
}

char *units_bytes_short(char *out, uint64_t bytes)
{
	uint64_t tenths;
	int letter, at;

	if (bytes < 1024) {
		snprintf(out, UNITS_SIZE, "%" PRIu64 "B", bytes);
		return out;
	}
	letter = units_scale(bytes, &tenths);
	at = units_put_tenths(out, tenths, 100);
	snprintf(out + at, (size_t)(UNITS_SIZE - at), "%c", units_letters[letter]);
	return out;
}

char *units_rate(char *out, double bytes_per_s)
{
	if (!(bytes_per_s >= 0))
		return units_none(out);
	units_bytes(out, bytes_per_s < 0x1p63 ? (uint64_t)(bytes_per_s + 0.5) : UINT64_C(1) << 63);
	return strcat(out, "/s");
}

static char *units_clock(char *out, uint64_t seconds)
{
	unsigned s = seconds % 60, m = seconds / 60 % 60;
	uint64_t h = seconds / 3600;

	if (h)
		snprintf(out, UNITS_SIZE, "%" PRIu64 ":%02u:%02u", h, m, s);
	else
		snprintf(out, UNITS_SIZE, "%u:%02u", m, s);
	return out;
}

/* 30,000 years, so that any number fits UNITS_SIZE. */
#define UNITS_SECONDS_MAX 1e12

char *units_duration(char *out, double seconds)
{
	if (!(seconds >= 0))
		return units_none(out);
	if (seconds >= 59.95)
		return units_clock(out, (uint64_t)(fmin(seconds, UNITS_SECONDS_MAX) + 0.5));
	strcpy(out + units_put_tenths(out, (uint64_t)(seconds * 10 + 0.5), UINT64_MAX), " s");
	return out;
}

char *units_elapsed(char *out, double seconds)
{
	return units_clock(out, seconds >= 0 ? (uint64_t)fmin(seconds, UNITS_SECONDS_MAX) : 0);
}

char *units_percent(char *out, double fraction)
{
	if (!(fraction >= 0))
		return units_none(out);
	if (fraction == 0)
		return strcpy(out, "0 %");
	strcpy(out + units_put_tenths(out, (uint64_t)(fmin(fraction, 1e9) * 1000 + 0.5), 100), " %");
	return out;
}

/* Digits, and perhaps a point and digits; *nanos gets the fraction in billionths. Moves *text behind them. */
static bool units_scan(const char **text, uint64_t *whole, uint64_t *nanos)
{
	const char *at = *text;
	uint64_t weight = NS_PER_S;
	bool any = false;

	*whole = *nanos = 0;
	for (; isdigit((unsigned char)*at); at++, any = true) {
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, (uint64_t)(*at - '0'), whole))
			return false;
	}
	if (*at == '.') {
		for (at++; isdigit((unsigned char)*at); at++, any = true) {
			weight /= 10;
			*nanos += weight * (uint64_t)(*at - '0');
		}
	}
	*text = at;
	return any;
}

bool units_parse_bytes(const char *text, uint64_t *bytes)
{
	uint64_t whole, nanos, unit = 1, total;
	const char *letter;

	if (!units_scan(&text, &whole, &nanos))
		return false;
	letter = *text ? strchr(units_letters, toupper((unsigned char)*text)) : NULL;
	if (letter) {
		unit <<= 10 * (letter - units_letters + 1);
		text++;
		if (text[0] == 'i' && text[1] == 'B')
			text++;
	}
	if (*text == 'B')
		text++;
	if (*text || __builtin_mul_overflow(whole, unit, &total))
		return false;
	return !__builtin_add_overflow(total, (uint64_t)((double)nanos / 1e9 * (double)unit), bytes);
}

/* "m:ss", "h:mm:ss" after the first field, which is in `total`, in its unit. */
static bool units_scan_clock(const char **text, uint64_t *total, uint64_t *nanos)
{
	for (int fields = 1; **text == ':'; fields++) {
		uint64_t field;

		(*text)++;
		if (fields > 2 || *nanos || !units_scan(text, &field, nanos) || field >= 60)
			return false;
		if (__builtin_mul_overflow(*total, 60, total) || __builtin_add_overflow(*total, field, total))
			return false;
	}
	return true;
}

bool units_parse_duration(const char *text, int64_t *ns)
{
	uint64_t total, nanos, unit = 1;
	bool clock;

	if (!units_scan(&text, &total, &nanos))
		return false;
	clock = *text == ':';
	if (!units_scan_clock(&text, &total, &nanos))
		return false;
	if (!clock && *text) {
		unit = *text == 's' ? 1 : *text == 'm' ? 60 : *text == 'h' ? 3600 : 0;
		text++;
	}
	if (*text || !unit || total > (uint64_t)(INT64_MAX / NS_PER_S) / unit - 1)
		return false;
	*ns = (int64_t)(total * unit) * NS_PER_S + (int64_t)(nanos * unit);
	return true;
}

bool units_parse_number(const char *text, double *value)
{
	uint64_t whole, nanos;
	bool negative = *text == '-';

	if (negative)
		text++;
	if (!units_scan(&text, &whole, &nanos) || *text)
		return false;
	*value = (double)whole + (double)nanos / 1e9;
	if (negative)
		*value = -*value;
	return true;
}
