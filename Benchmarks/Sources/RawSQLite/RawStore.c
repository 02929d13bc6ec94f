#include "RawStore.h"
#include <stdlib.h>
#include <time.h>

static const char *const schema =
    "CREATE TABLE IF NOT EXISTS ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
    " ZBORN TIMESTAMP, ZCOUNTRY VARCHAR, ZNAME VARCHAR);"
    "CREATE TABLE IF NOT EXISTS ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
    " ZINPRINT INTEGER, ZPAGES INTEGER, ZAUTHOR INTEGER, ZPRICE FLOAT, ZPUBLISHED TIMESTAMP, ZRATING FLOAT,"
    " ZISBN VARCHAR, ZSUMMARY VARCHAR, ZTITLE VARCHAR);"
    "CREATE TABLE IF NOT EXISTS ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);"
    "CREATE TABLE IF NOT EXISTS Z_2TAGS (Z_2BOOKS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2BOOKS, Z_3TAGS));"
    "CREATE INDEX IF NOT EXISTS ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);"
    "CREATE INDEX IF NOT EXISTS Z_Book_byIsbn ON ZBOOK (ZISBN COLLATE BINARY ASC);"
    "CREATE INDEX IF NOT EXISTS Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2BOOKS);";

int rawStoreOpen(const char *path, RawStore **store) {
    RawStore *opened = calloc(1, sizeof(RawStore));
    *store = opened;
    if (opened == NULL) return SQLITE_NOMEM;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path, &opened->database, flags, NULL);
    if (code == SQLITE_OK) code = rawExecute(opened, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
    if (code == SQLITE_OK) code = rawExecute(opened, schema);
    if (code == SQLITE_OK) code = rawRegisterMatch(opened->database);
    return code;
}

void rawStoreClose(RawStore *store) {
    if (store == NULL) return;
    rawExecute(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(store->database);
    free(store);
}

const char *rawStoreMessage(RawStore *store) {
    return sqlite3_errmsg(store->database);
}

int rawPrepare(RawStore *store, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int rawExecute(RawStore *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL);
}

int rawScalar(RawStore *store, const char *sql, int64_t *value) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, sql, &statement);
    if (code != SQLITE_OK) return code;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

int rawStepDone(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static double secondsOf(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

RawClock rawClockStart(void) {
    return (RawClock){secondsOf(CLOCK_MONOTONIC), secondsOf(CLOCK_PROCESS_CPUTIME_ID)};
}

void rawClockStop(RawClock start, RawMeasurement *measurement) {
    measurement->wall = secondsOf(CLOCK_MONOTONIC) - start.wall;
    measurement->cpu = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - start.cpu;
}
