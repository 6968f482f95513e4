/* SPDX-License-Identifier: MIT
 *
 * A matrix of variants from its file: every combination of what its lines offer. Knows how lines become
 * specifications, not what those mean. Any thread.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "bench/variant.h"

#define BLANKS	 " \t\r"
#define ROWS_MAX 16

struct row {
	const char *key;
	char **values;
	size_t n, cap;
};

struct matrix {
	struct row rows[ROWS_MAX];
	size_t n;
};

static int read_line(struct matrix *matrix, char *line, struct why *why)
{
	char *word, *values = strchr(line, '=');
	line += strspn(line, BLANKS);
	line[strcspn(line, "#")] = '\0';
	if (*line == '\0')
		return 0;
	if (values == NULL || *values == '\0')
		return why_set(why, -EINVAL, "a line of a matrix is KEY = VALUE VALUE..., not '%s'", line);
	if (matrix->n == ROWS_MAX)
		return why_set(why, -E2BIG, "a matrix has at most %d lines", ROWS_MAX);
	*values++ = '\0';
	line[strcspn(line, BLANKS)] = '\0';
	struct row *row = &matrix->rows[matrix->n++];
	row->key = line;
	while ((word = strsep(&values, BLANKS)) != NULL) {
		if (*word == '\0')
			continue;
		MEM_GROW(row->values, row->n, row->cap);
		row->values[row->n++] = word;
	}
	return row->n > 0 ? 0 : why_set(why, -EINVAL, "'%s' has no value in the matrix", line);
}

/* The combination of this number. */
static void add_spec(struct buf *spec, const struct matrix *matrix, size_t number)
{
	const char *place = "disk";
	size_t chosen[ROWS_MAX];
	for (size_t r = matrix->n; r-- > 0;) {
		chosen[r] = number % matrix->rows[r].n;
		number /= matrix->rows[r].n;
		if (strcmp(matrix->rows[r].key, "place") == 0)
			place = matrix->rows[r].values[chosen[r]];
	}
	buf_clear(spec);
	buf_add_string(spec, place);
	for (size_t r = 0; r < matrix->n; r++) {
		const struct row *row = &matrix->rows[r];
		const char *value = row->values[chosen[r]];
		if (strcmp(row->key, "place") != 0 && strcmp(value, "-") != 0)
			buf_add_format(spec, ",%s=%s", row->key, value);
	}
}

int bench_matrix_read(const char *text, int (*add)(void *self, const char *spec, struct why *why), void *self,
		      struct why *why)
{
	struct matrix matrix = {0};
	struct buf spec = {0};
	char *copy = mem_dup(text), *rest = copy, *line;
	size_t combinations = 1;
	int error = 0;
	while (error == 0 && (line = strsep(&rest, "\n")) != NULL)
		error = read_line(&matrix, line, why);
	if (error == 0 && matrix.n == 0)
		error = why_set(why, -EINVAL, "the matrix has no line");
	for (size_t r = 0; r < matrix.n; r++)
		combinations *= matrix.rows[r].n > 0 ? matrix.rows[r].n : 1;
	for (size_t i = 0; error == 0 && i < combinations; i++) {
		add_spec(&spec, &matrix, i);
		error = add(self, spec.data, why);
	}
	for (size_t r = 0; r < matrix.n; r++)
		free(matrix.rows[r].values);
	buf_fini(&spec);
	free(copy);
	return error;
}
