/* SPDX-License-Identifier: MIT
 *
 * Questions to the history. Every one takes the same filter, so there is one WHERE for all.
 */
#include "history/history.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sql.h"

#define ID_TAIL 8
#define WHERE                                                                                                \
	" WHERE (@project IS NULL OR project=@project) AND (@variant IS NULL OR variant=@variant)"           \
	" AND (@host IS NULL OR host=@host) AND (@outcome IS NULL OR outcome=@outcome)"                      \
	" AND start_us>=@since AND (@id IS NULL OR id=@id OR substr(id,-8)=@id)"

static void bind_filter(sqlite3_stmt *statement, const struct history_filter *filter)
{
	sql_bind_text(statement, "@project", filter->project);
	sql_bind_text(statement, "@variant", filter->variant);
	sql_bind_text(statement, "@host", filter->host);
	sql_bind_text(statement, "@outcome", filter->outcome);
	sql_bind_text(statement, "@id", filter->id);
	sql_bind_int(statement, "@since", filter->since_us);
	sql_bind_int(statement, "@limit", filter->limit > 0 ? filter->limit : -1);
}

static struct history_build read_build(sqlite3_stmt *row)
{
	struct history_build build = {
		.start_us = sqlite3_column_int64(row, 1),
		.end_us = sqlite3_column_int64(row, 2),
		.host = sql_text(row, 3),
		.project = sql_text(row, 4),
		.variant = sql_text(row, 5),
		.branch = sql_text(row, 6),
		.commit = sql_text(row, 7),
		.outcome = sql_text(row, 8),
		.exit_status = sqlite3_column_type(row, 9) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 9),
		.wall_s = sql_real(row, 10),
		.cpu_s = sql_real(row, 11),
		.stalled_s = sql_real(row, 12),
		.document = sql_text(row, 13),
	};
	snprintf(build.id, sizeof build.id, "%s", sql_text(row, 0));
	return build;
}

int history_each(struct history *history, const struct history_filter *filter,
		 bool (*take)(void *self, const struct history_build *build), void *self, struct why *why)
{
	static const char query[] =
		"SELECT * FROM (SELECT "
		"id,start_us,end_us,host,project,variant,branch,commit_id,outcome,exit_status,"
		"wall_seconds,cpu_user_seconds+cpu_system_seconds,stalled_seconds,summary FROM build" WHERE
		" ORDER BY start_us DESC LIMIT @limit) ORDER BY CASE WHEN @oldest THEN start_us ELSE "
		"-start_us END";
	sqlite3_stmt *statement = sql_prepare(history, query, why);
	if (statement == NULL)
		return -EIO;
	bind_filter(statement, filter);
	sql_bind_int(statement, "@oldest", filter->oldest_first);
	int code;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		struct history_build build = read_build(statement);
		if (!take(self, &build))
			break;
	}
	int error = code == SQLITE_DONE || code == SQLITE_ROW ? 0 : sql_error(history, why);
	sqlite3_finalize(statement);
	return error;
}

struct find {
	struct buf *out;
	bool found;
};

static bool take_document(void *self, const struct history_build *build)
{
	struct find *find = self;
	buf_clear(find->out);
	buf_add_string(find->out, build->document);
	find->found = true;
	return false;
}

int history_document(struct history *history, const char *id, struct buf *out, struct why *why)
{
	struct history_filter filter = {.id = id, .limit = 1};
	struct find find = {.out = out};
	int error = history_each(history, &filter, take_document, &find, why);
	if (error == 0 && !find.found)
		return why_set(why, -ENOENT, "there is no build %s in the history", id);
	return error;
}

bool history_is_id(const char *word)
{
	size_t len = strlen(word);
	for (size_t i = 0; i < len; i++) {
		bool dash = len == UUID_SIZE - 1 && (i == 8 || i == 13 || i == 18 || i == 23);
		if (dash ? word[i] != '-' : !isxdigit((unsigned char)word[i]))
			return false;
	}
	return len == ID_TAIL || len == UUID_SIZE - 1;
}

static int each_sum(struct history *history, const char *query, const struct history_filter *filter,
		    void (*take)(void *self, const struct history_sum *sum), void *self, struct why *why)
{
	sqlite3_stmt *statement = sql_prepare(history, query, why);
	if (statement == NULL)
		return -EIO;
	bind_filter(statement, filter);
	int code;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		struct history_sum sum = {
			.name = sql_text(statement, 0),
			.builds = (uint64_t)sqlite3_column_int64(statement, 1),
			.count = (uint64_t)sqlite3_column_int64(statement, 2),
			.seconds = sqlite3_column_double(statement, 3),
		};
		take(self, &sum);
	}
	int error = code == SQLITE_DONE ? 0 : sql_error(history, why);
	sqlite3_finalize(statement);
	return error;
}

int history_stalls(struct history *history, const struct history_filter *filter,
		   void (*take)(void *self, const struct history_sum *sum), void *self, struct why *why)
{
	static const char query[] =
		"WITH picked AS (SELECT id FROM build" WHERE " ORDER BY start_us DESC LIMIT @limit)"
		" SELECT cause,count(*),sum(episodes),sum(seconds) FROM stall JOIN picked ON id=build_id"
		" GROUP BY cause ORDER BY 4 DESC";
	return each_sum(history, query, filter, take, self, why);
}

int history_commands(struct history *history, const struct history_filter *filter,
		     void (*take)(void *self, const struct history_sum *sum), void *self, struct why *why)
{
	static const char query[] =
		"WITH picked AS (SELECT summary FROM build" WHERE " ORDER BY start_us DESC LIMIT @limit)"
		" SELECT json_extract(value,'$.name'),count(*),sum(json_extract(value,'$.count')),"
		"sum(json_extract(value,'$.cpu_seconds')) FROM picked, json_each(summary,'$.commands')"
		" GROUP BY 1 ORDER BY 4 DESC LIMIT 40";
	return each_sum(history, query, filter, take, self, why);
}

long history_prune(struct history *history, long keep, struct why *why)
{
	sqlite3_stmt *statement = sql_prepare(history,
					      "DELETE FROM build WHERE id NOT IN"
					      " (SELECT id FROM build ORDER BY start_us DESC LIMIT @keep)",
					      why);
	sql_bind_int(statement, "@keep", keep);
	int error = sql_finish(history, statement, why);
	long gone = error == 0 ? sqlite3_changes(history->db) : error;
	if (gone > 0)
		sql_run(history, "VACUUM", NULL);
	return gone;
}
