/* SPDX-License-Identifier: MIT
 *
 * Turns SQLite's way of telling errors into ours. Knows no table. The thread of the handle.
 */
#include "sql.h"

#include <errno.h>
#include <math.h>

static int code_errno(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return -EROFS;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return -EUCLEAN;
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_ERROR: /* JSON that is none */
		return -EINVAL;
	default:
		return -EIO;
	}
}

int sql_error(const struct history *history, struct why *why)
{
	int error = code_errno(sqlite3_extended_errcode(history->db));
	if (error == -EUCLEAN)
		return why_set(why, error, "%s is damaged; move it away to begin a new one", history->path);
	return why_set(why, error, "%s: %s", history->path, sqlite3_errmsg(history->db));
}

int sql_run(struct history *history, const char *sql, struct why *why)
{
	return sqlite3_exec(history->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_error(history, why);
}

sqlite3_stmt *sql_prepare(struct history *history, const char *sql, struct why *why)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(history->db, sql, -1, &statement, NULL) != SQLITE_OK)
		sql_error(history, why);
	return statement;
}

void sql_bind_text(sqlite3_stmt *statement, const char *name, const char *text)
{
	if (statement != NULL)
		sqlite3_bind_text(statement, sqlite3_bind_parameter_index(statement, name), text, -1,
				  SQLITE_TRANSIENT);
}

void sql_bind_int(sqlite3_stmt *statement, const char *name, int64_t value)
{
	if (statement != NULL)
		sqlite3_bind_int64(statement, sqlite3_bind_parameter_index(statement, name), value);
}

int sql_finish(struct history *history, sqlite3_stmt *statement, struct why *why)
{
	if (statement == NULL)
		return -EIO;
	int code;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW)
		;
	int error = code == SQLITE_DONE ? 0 : sql_error(history, why);
	sqlite3_finalize(statement);
	return error;
}

const char *sql_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);
	return text != NULL ? (const char *)text : "";
}

double sql_real(sqlite3_stmt *statement, int column)
{
	if (sqlite3_column_type(statement, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(statement, column);
}
