/* SPDX-License-Identifier: MIT
 *
 * Specifications of variants, and the shuffle (Fisher and Yates in each round). Knows no process. Any thread.
 */
#include "bench/plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

static bool name_fits(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("._-", c) != NULL);
}

/* The name that was given, or the specification with what does not fit replaced. */
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

int bench_variant_parse(struct bench_variant *variant, const char *spec, struct why *why)
{
	*variant = (struct bench_variant){0};
	const char *equals = strchr(spec, '='), *what = spec;
	bool given = equals != NULL && memchr(spec, ':', (size_t)(equals - spec)) == NULL &&
		     memchr(spec, '/', (size_t)(equals - spec)) == NULL;
	if (given)
		what = equals + 1;
	int error = set_name(variant, spec, given ? (size_t)(equals - spec) : strlen(spec), given, why);
	if (error < 0)
		return error;
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

void bench_variant_fini(struct bench_variant *variant)
{
	free(variant->path);
	*variant = (struct bench_variant){0};
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void bench_plan(struct bench_turn *turns, size_t n_variants, unsigned runs, uint64_t seed)
{
	for (unsigned run = 0; run < runs; run++, turns += n_variants) {
		for (size_t v = 0; v < n_variants; v++)
			turns[v] = (struct bench_turn){v, run + 1};
		for (size_t v = n_variants; v > 1; v--) {
			size_t other = next_random(&seed) % v;
			struct bench_turn last = turns[v - 1];
			turns[v - 1] = turns[other];
			turns[other] = last;
		}
	}
}
