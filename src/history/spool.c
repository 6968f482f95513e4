/* SPDX-License-Identifier: MIT
 *
 * What is still to be sent, a row for each document and target. Payloads are not kept: they are made of the
 * document when it is sent. A row that the server refused has no time for another try.
 */
#include "history/history.h"

#include <errno.h>
#include <stdio.h>

#include "sql.h"

#define NEVER_US     INT64_MAX
#define ERROR_BYTES  512
#define KEEP_US	     (INT64_C(30) * 86400 * 1000000)
#define KEEP_PARCELS 1000

int history_parcels(struct history *history, bool (*take)(void *self, const struct history_parcel *parcel),
		    void *self, struct why *why)
{
	static const char query[] = "SELECT "
				    "build_id,target,coalesce(settings,''),attempts,next_us,coalesce(last_"
				    "status,0),last_error,start_us"
				    " FROM spool JOIN build ON id=build_id LEFT JOIN target ON name=target "
				    "ORDER BY target,start_us";
	sqlite3_stmt *row = sql_prepare(history, query, why);
	if (row == NULL)
		return -EIO;
	int code;
	while ((code = sqlite3_step(row)) == SQLITE_ROW) {
		struct history_parcel parcel = {
			.target = sql_text(row, 1),
			.settings = sql_text(row, 2),
			.attempts = (unsigned)sqlite3_column_int(row, 3),
			.next_us = sqlite3_column_int64(row, 4),
			.start_us = sqlite3_column_int64(row, 7),
			.last_status = sqlite3_column_int(row, 5),
			.last_error = (const char *)sqlite3_column_text(row, 6),
		};
		parcel.rejected = parcel.next_us == NEVER_US;
		snprintf(parcel.id, sizeof parcel.id, "%s", sql_text(row, 0));
		if (!take(self, &parcel))
			break;
	}
	int error = code == SQLITE_DONE || code == SQLITE_ROW ? 0 : sql_error(history, why);
	sqlite3_finalize(row);
	return error;
}

int history_posted(struct history *history, const char *id, const char *target)
{
	sqlite3_stmt *statement =
		sql_prepare(history, "DELETE FROM spool WHERE build_id=@id AND target=@target", NULL);
	sql_bind_text(statement, "@id", id);
	sql_bind_text(statement, "@target", target);
	return sql_finish(history, statement, NULL);
}

int history_post_failed(struct history *history, const char *id, const char *target, int64_t next_us,
			int status, const char *error, bool rejected)
{
	char text[ERROR_BYTES + 1];
	sqlite3_stmt *statement = sql_prepare(history,
					      "UPDATE spool SET attempts=attempts+1,next_us=@next,"
					      "last_status=@status,last_error=@error"
					      " WHERE build_id=@id AND target=@target",
					      NULL);
	snprintf(text, sizeof text, "%s", error);
	sql_bind_text(statement, "@id", id);
	sql_bind_text(statement, "@target", target);
	sql_bind_int(statement, "@next", rejected ? NEVER_US : next_us);
	sql_bind_int(statement, "@status", status);
	sql_bind_text(statement, "@error", text);
	return sql_finish(history, statement, NULL);
}

long history_spool_trim(struct history *history, int64_t now_us)
{
	sqlite3_stmt *statement =
		sql_prepare(history,
			    "DELETE FROM spool WHERE (build_id,target) IN (SELECT build_id,target FROM ("
			    "SELECT build_id,target,start_us,row_number() OVER (PARTITION BY target ORDER BY"
			    " start_us DESC) n FROM spool JOIN build ON id=build_id)"
			    " WHERE n>@keep OR start_us<@oldest)",
			    NULL);
	sql_bind_int(statement, "@keep", KEEP_PARCELS);
	sql_bind_int(statement, "@oldest", now_us - KEEP_US);
	return sql_finish(history, statement, NULL) == 0 ? sqlite3_changes(history->db) : 0;
}

int history_posted_newest(struct history *history, const char *id, const char *target)
{
	sqlite3_stmt *statement = sql_prepare(history,
					      "DELETE FROM spool WHERE target=@target AND build_id IN ("
					      "SELECT b.id FROM build b JOIN build me ON me.id=@id"
					      " WHERE b.project=me.project AND b.variant=me.variant"
					      " AND b.host=me.host AND b.start_us<me.start_us)",
					      NULL);
	sql_bind_text(statement, "@id", id);
	sql_bind_text(statement, "@target", target);
	return sql_finish(history, statement, NULL);
}

bool history_waits(struct history *history, const char *id, const char *target)
{
	sqlite3_stmt *statement =
		sql_prepare(history, "SELECT 1 FROM spool WHERE build_id=@id AND target=@target", NULL);
	sql_bind_text(statement, "@id", id);
	sql_bind_text(statement, "@target", target);
	bool waits = statement != NULL && sqlite3_step(statement) == SQLITE_ROW;
	sqlite3_finalize(statement);
	return waits;
}
