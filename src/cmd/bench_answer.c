/* SPDX-License-Identifier: MIT
 *
 * The answer of a benchmark: results.txt, .md, .json and .html beside the runs, of what there is so far.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "base/mem.h"
#include "bench.h"
#include "output.h"
#include "report/compare.h"
#include "report/report.h"
#include "sides.h"

#define PAIRS_ALL 4 /* so many variants: each against each; more: those that differ in one setting */

/* A pattern names a variant's summaries, and the file system may have it as it likes. */
static int add_variant(struct compare *compare, const struct bench *bench, size_t variant, bool pictures,
		       struct why *why)
{
	struct buf path = {0};
	int error = 0;
	compare_add_side(compare, bench->variants[variant].name);
	for (unsigned run = 1; error == 0 && run <= bench->runs; run++) {
		bench_path(&path, bench, variant, run, "json");
		if (access(path.data, F_OK) < 0)
			continue;
		error = sides_add_run(compare, path.data, why);
		if (error == 0 && pictures)
			sides_add_picture_of(compare, path.data);
	}
	buf_fini(&path);
	return error;
}

static size_t find_pairs(const struct bench *bench, const struct compare *compare, struct compare_pair *pairs)
{
	size_t n = 0, usable = 0;
	for (size_t v = 0; v < bench->n_variants; v++)
		usable += compare_usable(compare, v) > 0;
	for (size_t base = 0; base < bench->n_variants; base++) {
		for (size_t v = base + 1; v < bench->n_variants; v++) {
			bool near = usable <= PAIRS_ALL ||
				    bench_variant_distance(&bench->variants[base], &bench->variants[v]) <= 1;
			if (near && compare_usable(compare, base) > 0 && compare_usable(compare, v) > 0)
				pairs[n++] = (struct compare_pair){base, v};
		}
	}
	return n;
}

/* Of the base: the newest run of the first variant that has one. */
static void add_advice(struct buf *out, const struct bench *bench, const struct compare *compare)
{
	struct buf path = {0};
	struct account account;
	struct summary summary;
	size_t v = 0;
	unsigned run = bench->runs;
	while (v < bench->n_variants && compare_usable(compare, v) == 0)
		v++;
	for (; v < bench->n_variants && run > 0; run--) {
		bench_path(&path, bench, v, run, "json");
		if (access(path.data, F_OK) == 0)
			break;
	}
	bench_path(&path, bench, v < bench->n_variants ? v : 0, run, "buildtop");
	if (run > 0 && account_open(&account, path.data, NULL) == 0) {
		if (account_summary(&account, &summary, NULL) == 0) {
			report_advice(out, &summary, 10);
			summary_fini(&summary);
		}
		account_close(&account);
	}
	buf_fini(&path);
}

static int put(const struct bench *bench, const char *name, const struct buf *out, struct why *why)
{
	struct buf path = {0};
	buf_add_format(&path, "%s/%s", bench->real, name);
	int error = output_put(path.data, out->data != NULL ? out->data : "", out->len, why);
	buf_fini(&path);
	return error;
}

static void make_format(struct buf *out, const char *format, const struct compare *compare,
			const struct compare_overview *overview)
{
	const struct compare_format *found = compare_formats;
	while (found->name != NULL && strcmp(found->name, format) != 0)
		found++;
	if (strcmp(format, "html") == 0) {
		compare_html(out, compare, overview);
		return;
	}
	if (strcmp(format, "text") == 0)
		compare_overview_text(out, compare, overview);
	if (strcmp(format, "markdown") == 0)
		compare_overview_markdown(out, compare, overview);
	if (out->len > 0)
		buf_add_byte(out, '\n');
	found->add(out, compare);
}

static int put_all(const struct bench *bench, const struct compare *compare, bool print, struct why *why)
{
	static const char *const files[][2] = {{"results.txt", "text"},
					       {"results.md", "markdown"},
					       {"results.json", "json"},
					       {"results.html", "html"}};
	struct compare_pair *pairs = mem_alloc(bench->n_variants * bench->n_variants + 1, sizeof *pairs);
	struct buf machine = {0}, advice = {0}, out = {0};
	int error = 0;
	bench_machine_add(&machine, bench);
	add_advice(&advice, bench, compare);
	struct compare_overview overview = {.title = "The same build, several ways",
					    .pairs = pairs,
					    .n_pairs = find_pairs(bench, compare, pairs),
					    .machine = machine.data,
					    .advice = advice.data != NULL ? advice.data : ""};
	for (size_t f = 0; error == 0 && f < sizeof files / sizeof *files; f++) {
		buf_clear(&out);
		make_format(&out, files[f][1], compare, &overview);
		error = put(bench, files[f][0], &out, why);
		if (print && f == 0 && error == 0)
			error = output_put("-", out.data, out.len, why);
	}
	free(pairs);
	buf_fini(&machine);
	buf_fini(&advice);
	buf_fini(&out);
	return error;
}

int bench_answer_put(const struct bench *bench, bool print, struct why *why)
{
	struct compare *compare = compare_new();
	size_t usable = 0;
	int error = 0;
	for (size_t v = 0; error == 0 && v < bench->n_variants; v++) {
		error = add_variant(compare, bench, v, print, why);
		usable += error == 0 ? compare_usable(compare, v) : 0;
	}
	if (error == 0 && usable == 0)
		error = why_set(why, -ENODATA, "no run succeeded");
	if (error == 0)
		error = put_all(bench, compare, print, why);
	compare_free(compare);
	return error;
}
