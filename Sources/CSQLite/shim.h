#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift does not import macros with casts, nor functions with variable arguments.

/// Tells SQLite to copy a bound value at once.
static inline sqlite3_destructor_type csqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

/// Tells SQLite that a bound value stays where it is until the statement is reset.
static inline sqlite3_destructor_type csqlite_static(void) {
    return SQLITE_STATIC;
}

/// Switches one of SQLite's per-connection options (`SQLITE_DBCONFIG_...`) on or off.
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Keeps the write-ahead log, emptied, and the file of its index when the last connection is closed.
static inline int csqlite_keep_log(sqlite3 *db) {
    int keeps = 1;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps);
}

/// The system's number of the last call on a database's file or on its log that failed; 0 for none.
static inline int csqlite_last_error_of(sqlite3 *db, const char *name) {
    int number = 0;
    if (sqlite3_file_control(db, name, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK && number) return number;
    sqlite3_file *log = 0;
    if (sqlite3_file_control(db, name, SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK || !log || !log->pMethods)
        return 0;
    return log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK ? number : 0;
}

/// The same for the database and for the one that migrations read from.
static inline int csqlite_last_file_error(sqlite3 *db) {
    int number = csqlite_last_error_of(db, "main");
    return number ? number : csqlite_last_error_of(db, "source");
}

/// The size of the write-ahead log in bytes, by the connection's file descriptor, or 0 if it hasn't opened the log.
static inline sqlite3_int64 csqlite_log_size(sqlite3 *db) {
    sqlite3_file *log = 0;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK || !log || !log->pMethods)
        return 0;
    return log->pMethods->xFileSize(log, &size) == SQLITE_OK ? size : 0;
}

#endif
