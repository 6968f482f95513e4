/* SPDX-License-Identifier: MIT
 *
 * Every metric once with its help and type, then its figures. Ids and the commit stand in an info metric, so
 * that no label of a figure changes from build to build. Lines have no times: neither the Pushgateway nor
 * node_exporter takes any; the end of the build is a figure of its own.
 */
#include "prom.h"

#include <errno.h>
#include <string.h>

#include "figures.h"
#include "post/post.h"

static void add_value(struct buf *out, const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value == '\n')
			buf_add_string(out, "\\n");
		else if (*value == '"' || *value == '\\')
			buf_add_format(out, "\\%c", *value);
		else
			buf_add_byte(out, (unsigned char)*value);
	}
}

static void add_label(struct buf *out, const char *key, const char *value, const char **separator)
{
	buf_add_format(out, "%s%s=\"", *separator, key);
	add_value(out, value);
	buf_add_byte(out, '"');
	*separator = ",";
}

static bool is_skipped(const char *key, const char *const *skip)
{
	for (; *skip != NULL; skip++) {
		if (strcmp(key, *skip) == 0)
			return true;
	}
	return false;
}

/* "{a="b",c="d"}", or nothing. */
static void add_labels(struct buf *out, const struct labels *labels, const char *const *skip, const char *tag,
		       const char *tag_value)
{
	const char *separator = "{";
	for (size_t i = 0; i < labels->count; i++) {
		if (!is_skipped(labels->list[i].key, skip))
			add_label(out, labels->list[i].key, labels->list[i].value, &separator);
	}
	if (tag_value != NULL)
		add_label(out, tag, tag_value, &separator);
	if (separator[0] == ',')
		buf_add_byte(out, '}');
}

static void add_head(struct buf *out, const char *group, const char *name, const char *help)
{
	const char *joint = group[0] != '\0' ? "_" : "";
	buf_add_format(out, "# HELP buildtop_build%s%s_%s %s\n", joint, group, name, help);
	buf_add_format(out, "# TYPE buildtop_build%s%s_%s gauge\n", joint, group, name);
}

static void add_kind(struct buf *out, const struct figures *figures, const struct figure_kind *kind,
		     const struct labels *labels, const char *const *skip, bool with_head)
{
	char text[FIGURE_TEXT_SIZE];
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->list[i];
		if (figure->kind != kind)
			continue;
		if (with_head)
			add_head(out, kind->group, kind->name, kind->help);
		with_head = false;
		buf_add_format(out, "buildtop_build%s%s_%s", kind->group[0] != '\0' ? "_" : "", kind->group,
			       kind->name);
		add_labels(out, labels, skip, kind->tag, figure->tag_value);
		buf_add_format(out, " %s\n", figure_text(text, figure));
	}
}

static void add_time(struct buf *out, const json_t *document, const char *name, const char *key,
		     const char *help, const struct labels *labels, const char *const *skip)
{
	long long ms = (long long)(document_time_ns(document_string(document, key)) / 1000000);
	add_head(out, "", name, help);
	buf_add_format(out, "buildtop_build_%s", name);
	add_labels(out, labels, skip, NULL, NULL);
	buf_add_format(out, " %lld.%03lld\n", ms / 1000, ms % 1000);
}

static void add_info(struct buf *out, const json_t *document, const struct labels *labels,
		     const char *const *skip)
{
	const char *separator = "{";
	add_head(out, "", "info", "The newest build.");
	buf_add_string(out, "buildtop_build_info");
	for (size_t i = 0; i < labels->count; i++) {
		if (!is_skipped(labels->list[i].key, skip))
			add_label(out, labels->list[i].key, labels->list[i].value, &separator);
	}
	add_label(out, "build_id", document_string(document, "id"), &separator);
	if (document_string(document, "vcs.commit")[0] != '\0')
		add_label(out, "commit", document_string(document, "vcs.commit"), &separator);
	buf_add_string(out, "} 1\n");
}

/* The first kind of a metric: cpu has two kinds that are one metric. */
static bool is_first(size_t index)
{
	const struct figure_kind *kind = &figure_kinds[index], *before = kind - 1;
	return index == 0 || strcmp(before->group, kind->group) != 0 || strcmp(before->name, kind->name) != 0;
}

void prom_write(struct buf *out, const json_t *document, const char *const *skip)
{
	struct labels labels;
	struct figures figures;
	labels_collect(&labels, document);
	figures_collect(&figures, document);
	for (size_t i = 0; i < figure_n_kinds; i++)
		add_kind(out, &figures, &figure_kinds[i], &labels, skip, is_first(i));
	add_time(out, document, "start_timestamp_seconds", "start_time", "Start of the build.", &labels,
		 skip);
	add_time(out, document, "end_timestamp_seconds", "end_time", "End of the build.", &labels, skip);
	add_info(out, document, &labels, skip);
	figures_fini(&figures);
}

int post_prometheus(struct buf *out, const char *text, struct why *why)
{
	static const char *const none[] = {NULL};
	json_t *document = json_loads(text, 0, NULL);
	if (document == NULL)
		return why_set(why, -EINVAL, "this is no summary of a build");
	prom_write(out, document, none);
	json_decref(document);
	return 0;
}
