/* SPDX-License-Identifier: MIT
 *
 * Knows the little language of alerts: a subject, perhaps a path, a comparison, a limit. What each subject
 * can be compared with stands in one table. A path may hold any byte: it ends at the last sign of comparison.
 */
#include "model/alert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"

#define SHARE	(1u << ALERT_SHARE)
#define BYTES	(1u << ALERT_BYTES)
#define SECONDS (1u << ALERT_SECONDS)

enum path_use { PATH_NONE, PATH_OPTIONAL, PATH_NEEDED };

static const struct alert_word {
	const char *word;
	enum alert_subject subject;
	enum path_use path;
	unsigned above, below; /* measures */
	const char *example;
} words[] = {
	{"tmpfs", ALERT_TMPFS, PATH_OPTIONAL, SHARE | BYTES, SHARE | BYTES | SECONDS,
	 "tmpfs>=90%, tmpfs:/tmp>=6G or tmpfs<60s"},
	{"inodes", ALERT_INODES, PATH_OPTIONAL, SHARE, SHARE | SECONDS, "inodes>=95%"},
	{"memory", ALERT_MEMORY, PATH_NONE, 0, SHARE | BYTES, "memory<2G"},
	{"disk", ALERT_DISK, PATH_NEEDED, SHARE | BYTES, SHARE | BYTES | SECONDS, "disk:/build<5G"},
	{"stall", ALERT_STALL, PATH_NONE, SECONDS, 0, "stall>30s"},
	{"dirty", ALERT_DIRTY, PATH_NONE, SHARE | BYTES, 0, "dirty>=80%"},
};

const char *const alert_defaults[] = {"tmpfs>=90%", "tmpfs<60s", NULL};

/* The last '<' or '>'; NULL: there is none. */
static const char *find_sign(const char *text)
{
	const char *less = strrchr(text, '<'), *more = strrchr(text, '>');

	return more == NULL || (less != NULL && less > more) ? less : more;
}

static const struct alert_word *find_word(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == len && strncmp(words[i].word, text, len) == 0)
			return &words[i];
	return NULL;
}

static bool is_duration(const char *text)
{
	return strchr(text, ':') != NULL || strchr("smh", text[strlen(text) - 1]) != NULL;
}

/* One of the allowed measures; false: it is none of them. */
static bool parse_limit(struct alert_spec *spec, const char *text, unsigned allowed)
{
	size_t len = strlen(text);
	uint64_t bytes;
	int64_t ns;
	bool good = false;

	if (len == 0)
		return false;
	if (text[len - 1] == '%') {
		char *number = mem_dup_n(text, len - 1);

		good = allowed & SHARE && units_parse_number(number, &spec->limit) && spec->limit >= 0 &&
		       spec->limit <= 100;
		free(number);
		spec->limit /= 100;
		spec->measure = ALERT_SHARE;
	} else if (is_duration(text)) {
		good = allowed & SECONDS && units_parse_duration(text, &ns);
		spec->limit = good ? (double)ns / (double)NS_PER_S : 0;
		spec->measure = ALERT_SECONDS;
	} else {
		good = allowed & BYTES && units_parse_bytes(text, &bytes);
		spec->limit = good ? (double)bytes : 0;
		spec->measure = ALERT_BYTES;
	}
	return good;
}

static int parse_words(struct alert_spec *spec, const char *text, struct why *why)
{
	const char *sign = find_sign(text), *colon = strchr(text, ':');
	const struct alert_word *word;
	size_t len;

	if (sign == NULL)
		return why_set(why, -EINVAL, "an alert reads like tmpfs>=90%% or stall>30s, not '%s'", text);
	if (colon > sign)
		colon = NULL; /* 1:30 */
	len = (size_t)((colon != NULL ? colon : sign) - text);
	word = find_word(text, len);
	if (word == NULL)
		return why_set(why, -EINVAL,
			       "alerts are about tmpfs, inodes, memory, disk, stall or dirty, not '%s'",
			       text);
	if (colon != NULL && sign > colon + 1)
		spec->path = mem_dup_n(colon + 1, (size_t)(sign - colon - 1));
	if ((word->path == PATH_NEEDED) > (spec->path != NULL) ||
	    (word->path == PATH_NONE && colon != NULL) || (colon != NULL && spec->path == NULL) ||
	    (spec->path != NULL && spec->path[0] != '/'))
		return why_set(why, -EINVAL, "an alert about %s reads like %s, not '%s'", word->word,
			       word->example, text);
	spec->subject = word->subject;
	spec->above = *sign == '>';
	if (!parse_limit(spec, sign + 1 + (sign[1] == '='), spec->above ? word->above : word->below))
		return why_set(why, -EINVAL, "an alert about %s reads like %s, not '%s'", word->word,
			       word->example, text);
	return 0;
}

int alert_spec_parse(struct alert_spec *spec, const char *text, struct why *why)
{
	int error = 0;

	*spec = (struct alert_spec){.text = mem_dup(text)};
	if (strcmp(text, "none") != 0)
		error = parse_words(spec, text, why);
	if (error < 0)
		alert_spec_fini(spec);
	return error;
}

void alert_spec_fini(struct alert_spec *spec)
{
	free(spec->text);
	free(spec->path);
	spec->text = spec->path = NULL;
}

void alert_fill_run(struct run *run, const char *const *texts, size_t n)
{
	bool defaults = true;

	for (size_t i = 0; i < n; i++) {
		struct alert_spec spec;

		if (alert_spec_parse(&spec, texts[i], NULL) < 0)
			continue;
		defaults &= spec.subject != ALERT_NONE && spec.subject != ALERT_TMPFS;
		alert_spec_fini(&spec);
	}
	for (size_t i = 0; defaults && alert_defaults[i] != NULL; i++)
		run_add_alert(run, alert_defaults[i]);
	for (size_t i = 0; i < n; i++)
		run_add_alert(run, texts[i]);
}
