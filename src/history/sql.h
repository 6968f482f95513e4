/* SPDX-License-Identifier: MIT
 *
 * SQLite as this room uses it: statements prepared once they are needed, errors as -errno with a sentence.
 */
#ifndef HISTORY_SQL_H
#define HISTORY_SQL_H

#include <stdint.h>

#include <sqlite3.h>

#include "history/history.h"

struct history {
	sqlite3 *db;
	char *path;
};

/* What SQLite says last, as -errno: -EBUSY locked, -ENOSPC, -EROFS, -EUCLEAN damaged, -EINVAL not what
 * the tables take, else -EIO. */
int sql_error(const struct history *history, struct why *why);
int sql_run(struct history *history, const char *sql, struct why *why);
/* NULL: see why. */
sqlite3_stmt *sql_prepare(struct history *history, const char *sql, struct why *why);
/* A NULL string is bound as NULL. */
void sql_bind_text(sqlite3_stmt *statement, const char *name, const char *text);
void sql_bind_int(sqlite3_stmt *statement, const char *name, int64_t value);
/* Runs it to its end and puts it away; 0 or -errno. A NULL statement gives -EIO. */
int sql_finish(struct history *history, sqlite3_stmt *statement, struct why *why);
const char *sql_text(sqlite3_stmt *statement, int column); /* never NULL */
double sql_real(sqlite3_stmt *statement, int column);	   /* NAN for NULL */

#endif
