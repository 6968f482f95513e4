/* SPDX-License-Identifier: MIT
 *
 * Reads specifications of variants. A name that is not given is made of the settings, so that the directories
 * of a matrix tell what is in them. Knows no process. Any thread.
 */
#include "bench/variant.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/units.h"

#define JOBS_MAX 4096

static const char *const cache_words[] = {"", "cold", "evict", "warm", NULL};
static const char *const ccache_words[] = {"", "off", "empty", "filled", NULL};

static bool name_fits(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("._-", c) != NULL);
}

/* The name that was given, or words with what does not fit replaced. */
static int set_name(struct bench_variant *variant, const char *name, size_t len, bool given, struct why *why)
{
	if (len == 0 || (given && (len >= sizeof variant->name || *name == '.')))
		return why_set(why, -EINVAL, "'%.*s' is no name for a variant", (int)len, name);
	if (len >= sizeof variant->name)
		len = sizeof variant->name - 1;
	for (size_t i = 0; i < len; i++) {
		if (given && !name_fits(name[i]))
			return why_set(why, -EINVAL,
				       "the name of a variant has letters, digits and ._- only, not '%.*s'",
				       (int)len, name);
		variant->name[i] = name_fits(name[i]) ? name[i] : '-';
	}
	variant->name[len] = '\0';
	return 0;
}

static int make_name(struct bench_variant *variant, const char *place, struct why *why)
{
	struct buf name = {0};
	buf_add_string(&name, place);
	if (variant->cache != BENCH_CACHE_ANY)
		buf_add_format(&name, "-%s", cache_words[variant->cache]);
	if (variant->ccache != BENCH_CCACHE_ANY)
		buf_add_format(&name, "-ccache-%s", ccache_words[variant->ccache]);
	if (variant->jobs > 0)
		buf_add_format(&name, "-j%u", variant->jobs);
	for (size_t i = 0; i < variant->env.n; i++)
		buf_add_format(&name, "-%s", variant->env.words[i]);
	for (size_t i = 0; i < variant->sysctl.n; i++)
		buf_add_format(&name, "-%s", variant->sysctl.words[i]);
	int error = set_name(variant, name.data, name.len, false, why);
	buf_fini(&name);
	return error;
}

static int set_place(struct bench_variant *variant, const char *what, struct why *why)
{
	if (strcmp(what, "disk") == 0) {
		variant->path = mem_dup(".");
	} else if (strncmp(what, "dir:", 4) == 0 && what[4] != '\0') {
		variant->path = mem_dup(what + 4);
	} else if (strcmp(what, "tmpfs") == 0) {
		variant->kind = BENCH_TMPFS;
	} else if (strncmp(what, "tmpfs:", 6) == 0 && units_parse_bytes(what + 6, &variant->size_bytes) &&
		   variant->size_bytes > 0) {
		variant->kind = BENCH_TMPFS;
	} else {
		return why_set(why, -EINVAL, "a variant is disk, dir:PATH, tmpfs or tmpfs:SIZE, not '%s'",
			       what);
	}
	return 0;
}

/* The index of a word in a list that begins with "no setting"; 0: it is not in it. */
static unsigned word_find(const char *const words[], const char *word)
{
	for (unsigned i = 1; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0)
			return i;
	}
	return 0;
}

static int add_word(struct bench_words *list, const char *word)
{
	MEM_GROW(list->words, list->n, list->cap);
	list->words[list->n++] = mem_dup(word);
	return 0;
}

/* "vm.dirty_ratio=5": a number, of nothing but vm, and no way out of it. */
static bool is_sysctl(const char *word)
{
	size_t len = strcspn(word, "=");
	return strncmp(word, "vm.", 3) == 0 && len > 3 &&
	       strspn(word + 3, "abcdefghijklmnopqrstuvwxyz0123456789_") == len - 3 && word[len] == '=' &&
	       word[len + 1] != '\0' && strspn(word + len + 1, "0123456789") == strlen(word + len + 1);
}

static int set_setting(struct bench_variant *variant, const char *key, const char *value, struct why *why)
{
	char *rest;
	if (strcmp(key, "cache") == 0 && (variant->cache = word_find(cache_words, value)) != 0)
		return 0;
	if (strcmp(key, "ccache") == 0 && (variant->ccache = word_find(ccache_words, value)) != 0)
		return 0;
	if (strcmp(key, "env") == 0 && *value != '=' && strchr(value, '=') != NULL)
		return add_word(&variant->env, value);
	if (strcmp(key, "sysctl") == 0 && is_sysctl(value))
		return add_word(&variant->sysctl, value);
	unsigned long jobs = strtoul(value, &rest, 10);
	if (strcmp(key, "jobs") == 0 && *value != '-' && *rest == '\0' && jobs > 0 && jobs <= JOBS_MAX) {
		variant->jobs = (unsigned)jobs;
		return 0;
	}
	return why_set(why, -EINVAL,
		       "'%s=%s' is no setting of a variant: cache=cold, evict or warm, ccache=off, empty or "
		       "filled, jobs=N, env=NAME=VALUE, sysctl=vm.NAME=NUMBER",
		       key, value);
}

static int parse_words(struct bench_variant *variant, char *words, bool given, struct why *why)
{
	char *place = strsep(&words, ","), *word;
	int error = set_place(variant, place, why);
	while (error == 0 && (word = strsep(&words, ",")) != NULL) {
		char *value = strchr(word, '=');
		if (value == NULL)
			return why_set(why, -EINVAL, "'%s' is no setting of a variant", word);
		*value++ = '\0';
		error = set_setting(variant, word, value, why);
	}
	return error < 0 || given ? error : make_name(variant, place, why);
}

int bench_variant_parse(struct bench_variant *variant, const char *spec, struct why *why)
{
	*variant = (struct bench_variant){0};
	size_t len = strcspn(spec, "=:/,");
	bool given = spec[len] == '=';
	char *words = mem_dup(given ? spec + len + 1 : spec);
	int error = given ? set_name(variant, spec, len, true, why) : 0;
	if (error == 0)
		error = parse_words(variant, words, given, why);
	free(words);
	return error;
}

static void words_fini(struct bench_words *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->words[i]);
	free(list->words);
}

void bench_variant_fini(struct bench_variant *variant)
{
	free(variant->path);
	words_fini(&variant->env);
	words_fini(&variant->sysctl);
	*variant = (struct bench_variant){0};
}

static bool words_differ(const struct bench_words *a, const struct bench_words *b)
{
	bool differ = a->n != b->n;
	for (size_t i = 0; !differ && i < a->n; i++)
		differ = strcmp(a->words[i], b->words[i]) != 0;
	return differ;
}

unsigned bench_variant_distance(const struct bench_variant *a, const struct bench_variant *b)
{
	bool elsewhere = a->kind != b->kind || a->size_bytes != b->size_bytes ||
			 (a->path != NULL && b->path != NULL && strcmp(a->path, b->path) != 0);
	return (unsigned)elsewhere + (a->cache != b->cache) + (a->ccache != b->ccache) +
	       (a->jobs != b->jobs) + (unsigned)words_differ(&a->env, &b->env) +
	       (unsigned)words_differ(&a->sysctl, &b->sysctl);
}
