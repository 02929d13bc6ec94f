#ifndef ENGINE_LOG_FILE_SYSTEM_H
#define ENGINE_LOG_FILE_SYSTEM_H

/// The name of a file system (`sqlite3_vfs`) that writes the frames of a transaction to the write-ahead log with one call,
/// or some for a large one. SQLite makes two for each frame: one for the 24 bytes of its header and one for its page. In a
/// small transaction these calls are what most of the time goes into.
///
/// All else is done by SQLite's default file system, on which it is built at the first call. Safe to call from any thread.
///
/// The environment variable `OPENCOREDATA_LOG_FILE_SYSTEM=0` switches it off: SQLite then writes by itself. It is looked at
/// whenever a file is opened. Files written with and without it are the same.
///
/// - Returns: NULL when it is switched off, SQLite has no default file system, or won't have this one.
const char *_Nullable engine_log_file_system(void);

/// The system's number for the last read that failed of the rollback journal that was opened last in the calling thread; 0
/// when none failed.
int engine_last_journal_error(void);

/// The system's number for the last call on a file that failed in the calling thread, if SQLite was told `code` of it; else 0.
///
/// Asked for when SQLite's own number is gone: it closes logs and journals before it reports what failed in them.
int engine_last_file_error(int code);

#endif
