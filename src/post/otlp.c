/* SPDX-License-Identifier: MIT
 *
 * OpenTelemetry's protocol over HTTP in its JSON form: the figures as gauges, the stalls as log records. As
 * its JSON mapping wants it, 64-bit integers and times are strings. Units stand beside the name and not in
 * it.
 */
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "format.h"

#define METRICS_PATH "/v1/metrics"
#define LOGS_PATH    "/v1/logs"
#define WARN	     13 /* severity */

static json_t *attribute(const char *key, const char *value)
{
	return json_pack("{s:s,s:{s:s}}", "key", key, "value", "stringValue", value);
}

static json_t *integer(int64_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%lld", (long long)value);
	return json_string(text);
}

static json_t *make_resource(const json_t *document)
{
	struct labels labels;
	json_t *list = json_array();
	const char *project, *commit = document_string(document, "vcs.commit");
	labels_collect(&labels, document);
	json_array_append_new(list, attribute("service.name", "buildtop"));
	json_array_append_new(list, attribute("service.version", document_string(document, "tool.version")));
	json_array_append_new(list, attribute("host.name", document_string(document, "host.name")));
	json_array_append_new(list, attribute("cicd.pipeline.run.id", document_string(document, "id")));
	if ((project = labels_find(&labels, "project")) != NULL)
		json_array_append_new(list, attribute("cicd.pipeline.name", project));
	if (commit[0] != '\0')
		json_array_append_new(list, attribute("vcs.ref.head.revision", commit));
	for (size_t i = 0; i < labels.count; i++) {
		if (strcmp(labels.list[i].key, "host") != 0)
			json_array_append_new(list, attribute(labels.list[i].key, labels.list[i].value));
	}
	return json_pack("{s:o}", "attributes", list);
}

/* buildtop.build.stall.duration of group "stall" and name "seconds". */
static json_t *make_name(const struct figure_kind *kind)
{
	static const char *const units[] = {"_seconds", "_bytes"};
	char name[100], word[60];
	snprintf(word, sizeof word, "%s", kind->name);
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(word), unit = strlen(units[i]);
		if (len > unit && strcmp(word + len - unit, units[i]) == 0)
			word[len - unit] = '\0';
	}
	if (strcmp(word, "seconds") == 0)
		strcpy(word, "time");
	snprintf(name, sizeof name, "buildtop.build.%s%s%s", kind->group, kind->group[0] != '\0' ? "." : "",
		 word);
	return json_string(name);
}

static json_t *make_point(const struct figure *figure, int64_t end_ns)
{
	json_t *point = json_object();
	json_object_set_new(point, "timeUnixNano", integer(end_ns));
	if (figure->is_integer)
		json_object_set_new(point, "asInt", integer(figure->integer));
	else
		json_object_set_new(point, "asDouble", json_real(figure->real));
	if (figure->tag_value != NULL)
		json_object_set_new(point, "attributes",
				    json_pack("[o]", attribute(figure->kind->tag, figure->tag_value)));
	return point;
}

static json_t *make_metrics(const json_t *document)
{
	static const char *const units[] = {
		[FIGURE_SECONDS] = "s", [FIGURE_BYTES] = "By", [FIGURE_COUNT] = "1", [FIGURE_STATE] = "1"};
	int64_t end_ns = document_time_ns(document_string(document, "end_time"));
	json_t *metrics = json_array(), *points = NULL;
	struct figures figures;
	figures_collect(&figures, document);
	for (size_t i = 0; i < figure_n_kinds; i++) {
		const struct figure_kind *kind = &figure_kinds[i];
		bool goes_on = i > 0 && strcmp(kind->group, kind[-1].group) == 0 &&
			       strcmp(kind->name, kind[-1].name) == 0;
		if (!goes_on)
			points = NULL;
		for (size_t k = 0; k < figures.count; k++) {
			if (figures.list[k].kind != kind)
				continue;
			if (points == NULL) {
				points = json_array();
				json_array_append_new(
					metrics, json_pack("{s:o,s:s,s:s,s:{s:o}}", "name", make_name(kind),
							   "description", kind->help, "unit",
							   units[kind->unit], "gauge", "dataPoints", points));
			}
			json_array_append_new(points, make_point(&figures.list[k], end_ns));
		}
	}
	figures_fini(&figures);
	return metrics;
}

static json_t *make_record(const json_t *episode)
{
	const json_t *seconds = json_object_get(episode, "duration_seconds");
	const json_t *blocked = json_object_get(episode, "blocked_peak");
	json_t *attributes = json_array();
	json_array_append_new(attributes, attribute("cause", document_string(episode, "cause")));
	if (json_is_number(seconds))
		json_array_append_new(attributes,
				      json_pack("{s:s,s:{s:f}}", "key", "duration_seconds", "value",
						"doubleValue", json_number_value(seconds)));
	if (json_is_integer(blocked))
		json_array_append_new(attributes,
				      json_pack("{s:s,s:{s:o}}", "key", "blocked_peak", "value", "intValue",
						integer(json_integer_value(blocked))));
	return json_pack("{s:o,s:i,s:s,s:s,s:{s:s},s:o}", "timeUnixNano",
			 integer(document_time_ns(document_string(episode, "start_time"))), "severityNumber",
			 WARN, "severityText", "WARN", "eventName", "buildtop.stall", "body", "stringValue",
			 document_string(episode, "detail"), "attributes", attributes);
}

static void put_json(struct letter_part *part, json_t *body)
{
	char *text = json_dumps(body, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (text != NULL)
		buf_add_string(&part->body, text);
	free(text);
	json_decref(body);
}

static json_t *wrap(const char *resources, const char *scopes, const char *items, const json_t *document,
		    json_t *list)
{
	return json_pack("{s:[{s:o,s:[{s:{s:s,s:s},s:o}]}]}", resources, "resource", make_resource(document),
			 scopes, "scope", "name", "buildtop", "version",
			 document_string(document, "tool.version"), items, list);
}

/* The address of a signal: given for metrics, or for both without a path. */
static void set_url(struct buf *out, const char *url, const char *path)
{
	const char *found = strstr(url, METRICS_PATH);
	size_t len = found != NULL ? (size_t)(found - url) : strlen(url);
	while (len > 0 && url[len - 1] == '/')
		len--;
	buf_add(out, url, len);
	buf_add_format(out, "%s%s", path, found != NULL ? found + strlen(METRICS_PATH) : "");
}

static void write_signals(struct letter *letter, const json_t *document, const char *url)
{
	const json_t *episodes = document_at(document, "stalls.episodes");
	struct letter_part *part = letter_add(letter, "POST", "", "application/json");
	set_url(&part->url, url, METRICS_PATH);
	put_json(part, wrap("resourceMetrics", "scopeMetrics", "metrics", document, make_metrics(document)));
	if (json_array_size(episodes) == 0)
		return;
	json_t *records = json_array();
	for (size_t i = 0; i < json_array_size(episodes); i++)
		json_array_append_new(records, make_record(json_array_get(episodes, i)));
	part = letter_add(letter, "POST", "", "application/json");
	set_url(&part->url, url, LOGS_PATH);
	put_json(part, wrap("resourceLogs", "scopeLogs", "logRecords", document, records));
}

static const char *partial_success(long status, const char *answer)
{
	json_t *document = json_loads(answer, 0, NULL);
	const json_t *partial = json_object_get(document, "partialSuccess");
	bool refused = false;
	const char *key;
	json_t *value, *object = json_object_get(document, "partialSuccess");
	json_object_foreach(object, key, value)
	{
		const char *text = json_string_value(value);
		if (strncmp(key, "rejected", 8) == 0)
			refused |= json_integer_value(value) > 0 || (text != NULL && strcmp(text, "0") != 0);
	}
	refused = partial != NULL && refused && status == 200;
	json_decref(document);
	return refused ? "it took only a part" : NULL;
}

const struct post_format format_otlp = {
	.name = "otlp",
	.help = "OpenTelemetry over HTTP, as JSON: metrics, and the stalls as logs",
	.path = METRICS_PATH,
	.write = write_signals,
	.warning = partial_success,
};
