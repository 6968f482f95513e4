/* SPDX-License-Identifier: MIT
 *
 * Opens the file and sees that it is ours: application id, version, tables. Fifty builds may do so at once,
 * so the tables are made under the write lock and looked for first. The file is private. A file that is
 * damaged, foreign or newer than this program is left alone.
 */
#include "history/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <linux/magic.h>

#include "base/mem.h"
#include "pending.h"
#include "place.h"
#include "sql.h"

#define APPLICATION_ID 0x42544F50 /* "BTOP" */
#define SCHEMA_VERSION 1
#define MAGIC_SMB2     0xfe534d42
#define MAGIC_CIFS     0xff534d42
#define MAGIC_9P       0x01021997
#define MAGIC_FUSE     0x65735546

static const char schema[] =
	"CREATE TABLE build("
	" id TEXT PRIMARY KEY, schema_version INTEGER NOT NULL,"
	" start_us INTEGER NOT NULL, end_us INTEGER NOT NULL,"
	" host TEXT NOT NULL, project TEXT NOT NULL DEFAULT '', variant TEXT NOT NULL DEFAULT '',"
	" branch TEXT NOT NULL DEFAULT '', commit_id TEXT NOT NULL DEFAULT '', cpus INTEGER,"
	" outcome TEXT NOT NULL CHECK(outcome IN('success','failure','signal','interrupted','unknown')),"
	" exit_status INTEGER, wall_seconds REAL NOT NULL, cpu_user_seconds REAL, cpu_system_seconds REAL,"
	" stalled_seconds REAL, dirty_peak_bytes INTEGER, writeback_peak_bytes INTEGER,"
	" page_cache_peak_bytes INTEGER, rss_peak_bytes INTEGER,"
	" summary TEXT NOT NULL CHECK(json_valid(summary))) STRICT;"
	"CREATE INDEX build_key ON build(project, variant, host, start_us);"
	"CREATE TABLE stall(build_id TEXT NOT NULL REFERENCES build(id) ON DELETE CASCADE, cause TEXT NOT "
	"NULL,"
	" seconds REAL NOT NULL, episodes INTEGER NOT NULL, PRIMARY KEY(build_id,cause)) STRICT, WITHOUT "
	"ROWID;"
	"CREATE TABLE spool(build_id TEXT NOT NULL REFERENCES build(id) ON DELETE CASCADE, target TEXT NOT "
	"NULL,"
	" attempts INTEGER NOT NULL DEFAULT 0, next_us INTEGER NOT NULL DEFAULT 0, last_status INTEGER,"
	" last_error TEXT, PRIMARY KEY(build_id,target)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE target(name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;";

/* The write-ahead log needs memory that all users of the file share. */
static bool is_remote(const char *path)
{
	struct statfs status;
	if (statfs(path, &status) < 0)
		return true;
	switch ((unsigned long)status.f_type & 0xffffffff) {
	case NFS_SUPER_MAGIC:
	case SMB_SUPER_MAGIC:
	case MAGIC_SMB2:
	case MAGIC_CIFS:
	case MAGIC_9P:
	case MAGIC_FUSE:
		return true;
	default:
		return false;
	}
}

static int64_t pragma_value(struct history *history, const char *sql)
{
	sqlite3_stmt *statement = sql_prepare(history, sql, NULL);
	int64_t value = -1;
	if (statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
		value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return value;
}

static int make_tables(struct history *history, struct why *why)
{
	char *mark = sqlite3_mprintf("PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
				     APPLICATION_ID, SCHEMA_VERSION);
	int error = sql_run(history, "BEGIN IMMEDIATE", why);
	if (error == 0 && pragma_value(history, "PRAGMA user_version") == SCHEMA_VERSION) {
		sql_run(history, "ROLLBACK", NULL); /* another build was first */
	} else if (error == 0) {
		error = sql_run(history, schema, why);
		if (error == 0)
			error = sql_run(history, mark, why);
		if (error < 0)
			sql_run(history, "ROLLBACK", NULL);
	}
	sqlite3_free(mark);
	return error;
}

/* A file that SQLite can read, and that is ours, or is empty and becomes so. */
static int take_possession(struct history *history, struct why *why)
{
	int64_t version = pragma_value(history, "PRAGMA user_version");
	if (version < 0)
		return sql_error(history, why);
	if (version > SCHEMA_VERSION)
		return why_set(why, -EPROTO, "%s is of a newer buildtop", history->path);
	if (version == SCHEMA_VERSION) {
		if (pragma_value(history, "PRAGMA application_id") != APPLICATION_ID)
			return why_set(why, -EPROTO, "%s is no history of buildtop", history->path);
		return 0;
	}
	if (pragma_value(history, "SELECT count(*) FROM sqlite_schema") > 0)
		return why_set(why, -EPROTO, "%s is no history of buildtop", history->path);
	/* one that cannot be had for now is had by the next who opens it */
	if (!is_remote(history->path))
		sql_run(history, "PRAGMA journal_mode=WAL", NULL);
	return make_tables(history, why);
}

int history_open(struct history **out, int patience_ms, struct why *why)
{
	struct history *history = mem_alloc(1, sizeof *history);
	mode_t mask = umask(077);
	history->path = place_path("history.db", why);
	int error = -ENOENT;
	if (history->path != NULL) {
		int code = sqlite3_open_v2(history->path, &history->db,
					   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
					   NULL);
		error = code == SQLITE_OK ? 0 : sql_error(history, why);
	}
	if (error == 0) {
		sqlite3_busy_timeout(history->db, patience_ms);
		sql_run(history, "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON", NULL);
		error = take_possession(history, why);
	}
	umask(mask);
	if (error < 0) {
		history_close(history);
		return error;
	}
	pending_take_in(history);
	*out = history;
	return 0;
}

void history_close(struct history *history)
{
	if (history == NULL)
		return;
	sqlite3_close(history->db);
	free(history->path);
	free(history);
}

void history_hurry(struct history *history)
{
	sqlite3_db_config(history->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_wal_autocheckpoint(history->db, 0);
}
