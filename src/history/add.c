/* SPDX-License-Identifier: MIT
 *
 * A document becomes a row. The columns are taken out of it by SQLite's own JSON functions, so that they
 * cannot say anything but what the document says. One transaction: the build, its stalls, and what is to be
 * sent of it are there together or not at all.
 */
#include "history/history.h"

#include <errno.h>

#include "sql.h"

/* RFC 3339 in UTC as microseconds since 1970. */
#define MICROSECONDS(key)                                                                                    \
	"CAST(strftime('%s',substr(" key ",1,19)) AS INTEGER)*1000000"                                       \
	"+CAST(round(CAST('0.'||rtrim(substr(" key ",21),'Z') AS REAL)*1e6) AS INTEGER)"
#define TEXT(path)    "coalesce(json_extract(?1,'$." path "'),'')"
#define REAL(path)    "CAST(json_extract(?1,'$." path "') AS REAL)"
#define INTEGER(path) "CAST(json_extract(?1,'$." path "') AS INTEGER)"

static const char
	add_build
		[] =
			"INSERT INTO build SELECT " TEXT("id") "," INTEGER("schema_version") "," MICROSECONDS(
				TEXT(
					"start_"
					"time")) "," MICROSECONDS(TEXT("end_time")) "," TEXT("host.name") "," TEXT("labels.project") "," TEXT("label"
																	      "s."
																	      "varia"
																	      "nt") "," TEXT("labels"
																			     ".branc"
																			     "h") "," TEXT("vcs.commit") "," INTEGER("host.cpus") "," TEXT("exit.outcome") "," INTEGER("exit.status") "," REAL("wall_seconds") "," REAL("cpu.user_seconds") "," REAL("cpu.system_seconds") "," REAL("stalls.stalled_seconds") "," INTEGER("memory.dirty_peak_bytes") "," INTEGER("memory.writeback_peak_bytes") "," INTEGER("memory.page_cache_peak_bytes") "," INTEGER("memory.rss_peak_bytes") ",?1 WHERE true ON CONFLICT(id) DO NOTHING";

static const char add_stalls[] = "INSERT INTO stall SELECT " TEXT(
	"id") ",json_extract(value,'$.cause'),"
	      "CAST(json_extract(value,'$.seconds') AS REAL),CAST(json_extract(value,'$.episodes') AS "
	      "INTEGER)"
	      " FROM json_each(?1,'$.stalls.by_cause') WHERE true ON CONFLICT DO NOTHING";

static const char add_parcel[] =
	"INSERT INTO spool(build_id,target) SELECT " TEXT("id") ",@target WHERE true ON CONFLICT DO NOTHING";

static const char add_target[] = "INSERT INTO target VALUES(@target,@settings)"
				 " ON CONFLICT(name) DO UPDATE SET settings=excluded.settings";

static int run_with(struct history *history, const char *sql, const char *document,
		    const struct history_target *target, struct why *why)
{
	sqlite3_stmt *statement = sql_prepare(history, sql, why);
	sql_bind_text(statement, "?1", document);
	if (target != NULL) {
		sql_bind_text(statement, "@target", target->name);
		sql_bind_text(statement, "@settings", target->settings);
	}
	return sql_finish(history, statement, why);
}

static int add_all(struct history *history, const char *document, const struct history_target *targets,
		   size_t n_targets, struct why *why)
{
	int error = run_with(history, add_build, document, NULL, why);
	bool is_new = error == 0 && sqlite3_changes(history->db) > 0;
	if (error == 0 && is_new)
		error = run_with(history, add_stalls, document, NULL, why);
	for (size_t i = 0; error == 0 && is_new && i < n_targets; i++) {
		error = run_with(history, add_target, document, &targets[i], why);
		if (error == 0)
			error = run_with(history, add_parcel, document, &targets[i], why);
	}
	return error;
}

int history_add(struct history *history, const char *document, const struct history_target *targets,
		size_t n_targets, struct why *why)
{
	int error = sql_run(history, "BEGIN IMMEDIATE", why);
	if (error < 0)
		return error;
	error = add_all(history, document, targets, n_targets, why);
	if (error == 0)
		error = sql_run(history, "COMMIT", why);
	if (error < 0)
		sql_run(history, "ROLLBACK", NULL);
	return error;
}

int history_post_later(struct history *history, const char *id, const struct history_target *target,
		       struct why *why)
{
	sqlite3_stmt *statement = sql_prepare(history, add_target, why);
	sql_bind_text(statement, "@target", target->name);
	sql_bind_text(statement, "@settings", target->settings);
	int error = sql_finish(history, statement, why);
	if (error < 0)
		return error;
	statement = sql_prepare(
		history, "INSERT INTO spool(build_id,target) VALUES(@id,@target) ON CONFLICT DO NOTHING",
		why);
	sql_bind_text(statement, "@id", id);
	sql_bind_text(statement, "@target", target->name);
	return sql_finish(history, statement, why);
}
