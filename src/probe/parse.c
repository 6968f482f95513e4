/* SPDX-License-Identifier: MIT
 *
 * Knows the form of the /proc texts, and that a process may be called ") R 1 1": its name ends at the last
 * bracket. Refuses to know where a text came from. No allocation, no locale, no errno. Any thread.
 */
#include "parse.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "model/metric.h"
#include "model/sample.h"

bool parse_number(const char **text, uint64_t *value)
{
	const char *at = *text;
	uint64_t number = 0;

	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	*text = at;
	*value = number;
	return true;
}

/* The next word as a number, 0 for a negative one. */
static bool next_number(const char **text, uint64_t *value)
{
	bool negative;

	while (**text == ' ')
		++*text;
	negative = **text == '-';
	if (negative)
		++*text;
	if (!parse_number(text, value))
		return false;
	if (negative)
		*value = 0;
	return true;
}

bool parse_stat(const char *text, size_t len, struct parse_stat *out)
{
	enum {
		PPID = 4,
		MAJFLT = 12,
		UTIME = 14,
		STIME,
		CUTIME,
		CSTIME,
		THREADS = 20,
		START = 22,
		RSS = 24,
		STACK = 28
	};
	uint64_t field[STACK + 1];
	const char *open = memchr(text, '(', len);
	const char *close = memrchr(text, ')', len);
	size_t comm_len;

	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return false;
	comm_len = (size_t)(close - open - 1);
	if (comm_len > PARSE_COMM_MAX) /* only kernel threads have more to tell */
		comm_len = PARSE_COMM_MAX;
	memcpy(out->comm, open + 1, comm_len);
	out->comm[comm_len] = '\0';
	out->comm_len = (uint8_t)comm_len;
	out->state = close[2];
	text = close + 3;
	for (int i = PPID; i <= STACK; i++)
		if (!next_number(&text, &field[i]))
			return false;
	out->ppid = (int32_t)field[PPID];
	out->major_faults = field[MAJFLT];
	out->user = field[UTIME];
	out->system = field[STIME];
	out->reaped_user = field[CUTIME];
	out->reaped_system = field[CSTIME];
	out->threads = field[THREADS];
	out->start = field[START];
	out->rss_pages = field[RSS];
	out->stack = field[STACK];
	return true;
}

bool parse_schedstat(const char *text, struct parse_schedstat *out)
{
	return next_number(&text, &out->run_ns) && next_number(&text, &out->wait_ns) &&
	       next_number(&text, &out->slices);
}

bool parse_syscall(const char *text, int32_t *number)
{
	uint64_t value;

	if (!strncmp(text, "running", 7)) {
		*number = SITE_CALL_UNREAD;
		return true;
	}
	if (*text == '-') {
		*number = SITE_CALL_NONE;
		return true;
	}
	if (!parse_number(&text, &value) || value > INT32_MAX)
		return false;
	*number = (int32_t)value;
	return true;
}

bool parse_next_pid(const char **text, int32_t *pid)
{
	uint64_t value;

	if (!next_number(text, &value) || value > INT32_MAX)
		return false;
	*pid = (int32_t)value;
	return true;
}

/* The line after the one at text, or NULL. */
static const char *next_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end && end[1] ? end + 1 : NULL;
}

bool parse_pressure(const char *text, const char *kind, uint64_t *total_us)
{
	size_t len = strlen(kind);

	for (; text; text = next_line(text)) {
		const char *total;

		if (strncmp(text, kind, len) != 0 || text[len] != ' ')
			continue;
		total = strstr(text, " total=");
		if (!total)
			return false;
		total += strlen(" total=");
		return parse_number(&total, total_us);
	}
	return false;
}

bool parse_named(const char *text, const char *name, uint64_t *value)
{
	size_t len = strlen(name);

	for (; text; text = next_line(text)) {
		const char *at = text + len;

		if (strncmp(text, name, len) != 0 || (*at != ' ' && *at != ':'))
			continue;
		if (*at == ':')
			at++;
		return next_number(&at, value);
	}
	return false;
}

bool parse_next_flushes(const char **text, struct parse_flushes *out)
{
	enum { FLUSHES = 16 }; /* of the figures behind the name */
	const char *at = *text;
	uint64_t major, minor, value;

	if (!at || !next_number(&at, &major) || !next_number(&at, &minor))
		return false;
	out->device = makedev((unsigned)major, (unsigned)minor);
	out->flushes = METRIC_NA;
	while (*at == ' ')
		at++;
	while (*at && *at != ' ' && *at != '\n')
		at++;
	for (int i = 1; i <= FLUSHES && next_number(&at, &value); i++)
		if (i == FLUSHES)
			out->flushes = value;
	*text = next_line(at);
	return true;
}
