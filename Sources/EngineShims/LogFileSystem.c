#include "LogFileSystem.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * The layout of the log is that of https://sqlite.org/fileformat2.html#the_write_ahead_log: a header of 32 bytes, then
 * frames of a header of 24 bytes and a page. The last frame of a transaction has the size of the database in its header,
 * all others have 0 there.
 *
 * Frames are held back only where they are appended, right behind what was written last, and only until the transaction's
 * last one, so that a transaction is in the file before SQLite tells other connections of it. Headers that are written
 * again on their own, when checksums change, stand before the end. Whatever else is asked of the file has what is held
 * written first.
 */
enum { frame_header_size = 24, size_in_header = 4, largest_page = 65536 };

/* With one more frame this stays below 128 KiB, the most that SQLite's file system for Unix writes with one call. */
enum { most_held = 60 * 1024 };

/* What stands behind the default file system's own structure for a file. */
typedef struct {
    const sqlite3_io_methods *base;
    sqlite3_io_methods methods;
    /* The end of what was written last, held or not; 0 when it does not matter. */
    sqlite3_int64 end;
    /* Where the first of the `held` bytes in `buffer` belongs. */
    sqlite3_int64 held_at;
    int held;
    /* Whether a header was held last: its page comes next. */
    int is_page_next;
    /* Whether it is that of a transaction's last frame. */
    int is_last;
    int capacity;
    unsigned char *buffer;
    /* Why the file could only be opened for reading, though it was to be written; 0 where it wasn't. */
    int open_error;
} Log;

static sqlite3_vfs file_system;

static sqlite3_vfs *base_of(sqlite3_vfs *system) { return (sqlite3_vfs *)system->pAppData; }

static size_t base_file_size(const sqlite3_vfs *base) { return ((size_t)base->szOsFile + 15) & ~(size_t)15; }

static Log *log_of(sqlite3_file *file) { return (Log *)((char *)file + base_file_size(base_of(&file_system))); }

static _Thread_local int failed_code;
static _Thread_local int failed_number;

int engine_last_file_error(int code) { return code == failed_code ? failed_number : 0; }

static int is_failure(int code) { return (code & 0xff) == SQLITE_IOERR && code != SQLITE_IOERR_SHORT_READ; }

static void record(int code, int number) {
    failed_code = code;
    failed_number = number;
}

/* Records the system's number for a call that failed: SQLite may have closed the file when it reports the failure. */
static int checked(sqlite3_file *file, int code) {
    if (!is_failure(code)) return code;
    int number = 0;
    log_of(file)->base->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
    record(code, number);
    return code;
}

static int write_held(sqlite3_file *file) {
    Log *log = log_of(file);
    int held = log->held;
    log->held = 0;
    log->is_page_next = 0;
    return held == 0 ? SQLITE_OK : checked(file, log->base->xWrite(file, log->buffer, held, log->held_at));
}

static int make_room(Log *log, int size) {
    if (log->capacity >= size) return 1;
    int larger_size = size > 2 * log->capacity ? size : 2 * log->capacity;
    unsigned char *larger = sqlite3_realloc(log->buffer, larger_size);
    if (larger == NULL) return 0;
    log->buffer = larger;
    log->capacity = larger_size;
    return 1;
}

static int ends_transaction(const unsigned char *header) {
    static const unsigned char none[4] = {0, 0, 0, 0};
    return memcmp(header + size_in_header, none, sizeof none) != 0;
}

static int log_write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
    Log *log = log_of(file);
    int is_page = log->is_page_next && count <= largest_page;
    int is_header = !log->is_page_next && count == frame_header_size;
    int is_held = offset == log->end && (is_page || is_header) && make_room(log, log->held + count);
    log->end = offset + count;
    if (!is_held) {
        int code = write_held(file);
        return code != SQLITE_OK ? code : checked(file, log->base->xWrite(file, data, count, offset));
    }
    memcpy(log->buffer + log->held, data, (size_t)count);
    if (log->held == 0) log->held_at = offset;
    log->held += count;
    log->is_page_next = is_header;
    if (is_header) {
        log->is_last = ends_transaction(data);
        return SQLITE_OK;
    }
    return log->is_last || log->held >= most_held ? write_held(file) : SQLITE_OK;
}

static int log_close(sqlite3_file *file) {
    Log *log = log_of(file);
    int written = write_held(file);
    sqlite3_free(log->buffer);
    log->buffer = NULL;
    int closed = log->base->xClose(file);
    return written != SQLITE_OK ? written : closed;
}

static int log_read(sqlite3_file *file, void *data, int count, sqlite3_int64 offset) {
    int code = write_held(file);
    return code != SQLITE_OK ? code : checked(file, log_of(file)->base->xRead(file, data, count, offset));
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = write_held(file);
    log_of(file)->end = 0;
    return code != SQLITE_OK ? code : checked(file, log_of(file)->base->xTruncate(file, size));
}

static int log_sync(sqlite3_file *file, int flags) {
    int code = write_held(file);
    // What SQLite leaves for after a sync may be the rest of a page, which must not be taken for a header.
    log_of(file)->end = 0;
    return code != SQLITE_OK ? code : checked(file, log_of(file)->base->xSync(file, flags));
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = write_held(file);
    return code != SQLITE_OK ? code : log_of(file)->base->xFileSize(file, size);
}

static _Thread_local int journal_error;

int engine_last_journal_error(void) { return journal_error; }

/* SQLite calls the database damaged when its rollback journal can't be read back, and closes the journal. */
static int journal_read(sqlite3_file *file, void *data, int count, sqlite3_int64 offset) {
    int code = checked(file, log_of(file)->base->xRead(file, data, count, offset));
    if (is_failure(code)) journal_error = failed_number;
    return code;
}

static int watched_write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
    return checked(file, log_of(file)->base->xWrite(file, data, count, offset));
}

static int watched_sync(sqlite3_file *file, int flags) { return checked(file, log_of(file)->base->xSync(file, flags)); }

static int watched_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return checked(file, log_of(file)->base->xTruncate(file, size));
}

/* A file that could only be opened for reading can't be locked for writing: that it couldn't be opened is the reason. */
static int watched_lock(sqlite3_file *file, int level) {
    int code = checked(file, log_of(file)->base->xLock(file, level));
    if (code == SQLITE_IOERR_LOCK && log_of(file)->open_error != 0) record(code, log_of(file)->open_error);
    return code;
}

/* Failures of the memory that connections share have no number in the file. */
static int shared_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    int code = log_of(file)->base->xShmMap(file, page, size, extends, memory);
    if (is_failure(code)) record(code, errno);
    return code;
}

/* Puts methods of its own in front of a file's. */
static Log *replace_methods(sqlite3_file *file) {
    Log *log = log_of(file);
    memset(log, 0, sizeof(Log));
    log->base = file->pMethods;
    log->methods = *file->pMethods;
    file->pMethods = &log->methods;
    return log;
}

static void watch_journal(sqlite3_file *file) {
    Log *journal = replace_methods(file);
    journal_error = 0;
    journal->methods.xRead = journal_read;
    journal->methods.xWrite = watched_write;
    journal->methods.xSync = watched_sync;
    journal->methods.xTruncate = watched_truncate;
}

static void watch_database(sqlite3_file *file, int open_error) {
    Log *database = replace_methods(file);
    database->open_error = open_error;
    database->methods.xLock = watched_lock;
    database->methods.xSync = watched_sync;
    database->methods.xTruncate = watched_truncate;
    if (database->methods.iVersion >= 2 && database->methods.xShmMap != NULL) database->methods.xShmMap = shared_map;
}

static int open_file(sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    sqlite3_vfs *base = base_of(system);
    int given = 0;
    errno = 0;
    int code = base->xOpen(base, name, file, flags, &given);
    int open_error = (flags & SQLITE_OPEN_READWRITE) != 0 && (given & SQLITE_OPEN_READONLY) != 0 ? errno : 0;
    if (out_flags != NULL) *out_flags = given;
    if (code != SQLITE_OK || file->pMethods == NULL) return code;
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0) watch_database(file, open_error);
    if ((flags & SQLITE_OPEN_MAIN_JOURNAL) != 0) watch_journal(file);
    if ((flags & SQLITE_OPEN_WAL) == 0) return code;
    Log *log = replace_methods(file);
    log->methods.xClose = log_close;
    log->methods.xRead = log_read;
    log->methods.xWrite = log_write;
    log->methods.xTruncate = log_truncate;
    log->methods.xSync = log_sync;
    log->methods.xFileSize = log_size;
    return code;
}

/* SQLite keeps the system's number for what fails in a file, but not for a file that can't be removed. */
static int delete_file(sqlite3_vfs *system, const char *name, int sync) {
    int code = base_of(system)->xDelete(base_of(system), name, sync);
    if (code == SQLITE_IOERR_DELETE) record(code, errno);
    return code;
}

/* The rest is the default file system's. */

static int access_file(sqlite3_vfs *system, const char *name, int flags, int *result) {
    return base_of(system)->xAccess(base_of(system), name, flags, result);
}

static int full_name(sqlite3_vfs *system, const char *name, int size, char *out) {
    return base_of(system)->xFullPathname(base_of(system), name, size, out);
}

static void *open_library(sqlite3_vfs *system, const char *name) {
    return base_of(system)->xDlOpen(base_of(system), name);
}

static void library_error(sqlite3_vfs *system, int size, char *message) {
    base_of(system)->xDlError(base_of(system), size, message);
}

static void (*library_symbol(sqlite3_vfs *system, void *library, const char *name))(void) {
    return base_of(system)->xDlSym(base_of(system), library, name);
}

static void close_library(sqlite3_vfs *system, void *library) {
    base_of(system)->xDlClose(base_of(system), library);
}

static int randomness(sqlite3_vfs *system, int size, char *out) {
    return base_of(system)->xRandomness(base_of(system), size, out);
}

static int sleep_for(sqlite3_vfs *system, int microseconds) {
    return base_of(system)->xSleep(base_of(system), microseconds);
}

static int current_time(sqlite3_vfs *system, double *time) {
    return base_of(system)->xCurrentTime(base_of(system), time);
}

static int last_error(sqlite3_vfs *system, int size, char *message) {
    return base_of(system)->xGetLastError(base_of(system), size, message);
}

static int current_time_in_milliseconds(sqlite3_vfs *system, sqlite3_int64 *time) {
    return base_of(system)->xCurrentTimeInt64(base_of(system), time);
}

static int is_switched_off(void) {
    const char *value = getenv("OPENCOREDATA_LOG_FILE_SYSTEM");
    return value != NULL && strcmp(value, "0") == 0;
}

const char *engine_log_file_system(void) {
    static const char name[] = "opencoredata-log";
    if (is_switched_off() || sqlite3_initialize() != SQLITE_OK) return NULL;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
    sqlite3_vfs *base = file_system.pAppData == NULL ? sqlite3_vfs_find(NULL) : NULL;
    if (base != NULL && base->iVersion >= 1) {
        file_system = *base;
        // Of the later versions only what is forwarded below.
        file_system.iVersion = base->iVersion >= 2 && base->xCurrentTimeInt64 != NULL ? 2 : 1;
        file_system.szOsFile = (int)(base_file_size(base) + sizeof(Log));
        file_system.pNext = NULL;
        file_system.zName = name;
        file_system.pAppData = base;
        file_system.xOpen = open_file;
        file_system.xDelete = delete_file;
        file_system.xAccess = access_file;
        file_system.xFullPathname = full_name;
        file_system.xDlOpen = open_library;
        file_system.xDlError = library_error;
        file_system.xDlSym = library_symbol;
        file_system.xDlClose = close_library;
        file_system.xRandomness = randomness;
        file_system.xSleep = sleep_for;
        file_system.xCurrentTime = current_time;
        file_system.xGetLastError = last_error;
        file_system.xCurrentTimeInt64 = current_time_in_milliseconds;
        if (sqlite3_vfs_register(&file_system, 0) != SQLITE_OK) file_system.pAppData = NULL;
    }
    const char *known = file_system.pAppData == NULL ? NULL : name;
    sqlite3_mutex_leave(mutex);
    return known;
}
