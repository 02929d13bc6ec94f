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

#endif
