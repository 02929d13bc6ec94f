#define _GNU_SOURCE
#include "FaultInjection.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int effect, is_short, is_forever;
static long chosen, count;
static int is_armed, fired;
static unsigned injected;
static int log_file = -1;
static __thread int is_inside;

#define REAL(name, type, ...)                                    \
    static type (*real)(__VA_ARGS__);                            \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

void fault_injection_configure(const char *path, const char *name, int forever) {
    if (path && realpath(path, folder)) folder_length = strlen(folder);
    effect = EIO;
    if (name && !strcmp(name, "ENOSPC")) effect = ENOSPC;
    if (name && !strcmp(name, "EINTR")) effect = EINTR;
    is_short = name && !strcmp(name, "SHORT");
    is_forever = forever;
}

__attribute__((constructor)) static void start(void) {
    const char *log = getenv("FAULT_LOG");
    fault_injection_configure(getenv("FAULT_FOLDER"), getenv("FAULT_EFFECT"), getenv("FAULT_FOREVER") != NULL);
    const char *call = getenv("FAULT_CALL");
    if (call) fault_injection_arm(atol(call));
    if (log) {
        is_inside = 1;
        log_file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        is_inside = 0;
    }
}

/// Says how many calls there were, and whether one failed.
__attribute__((destructor)) static void end(void) {
    const char *result = getenv("FAULT_RESULT");
    FILE *file = result ? fopen(result, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld %d\n", count, fired);
    fclose(file);
}

void fault_injection_arm(long call) {
    pthread_mutex_lock(&lock);
    chosen = call;
    count = 0;
    fired = 0;
    injected = 0;
    is_armed = 1;
    pthread_mutex_unlock(&lock);
}

void fault_injection_disarm(void) {
    pthread_mutex_lock(&lock);
    is_armed = 0;
    pthread_mutex_unlock(&lock);
}

long fault_injection_count(void) { return count; }
int fault_injection_fired(void) { return fired; }
unsigned fault_injection_errors(void) { return injected; }

// MARK: Which files

/// The path below the folder, or NULL for a file elsewhere.
static const char *below(const char *path, char *buffer) {
    if (!folder_length || !path) return NULL;
    if (path[0] != '/') {
        char here[PATH_MAX / 2];
        if (!getcwd(here, sizeof here)) return NULL;
        snprintf(buffer, PATH_MAX, "%s/%s", here, path);
        path = buffer;
    }
    if (strncmp(path, folder, folder_length) || (path[folder_length] != '/' && path[folder_length])) return NULL;
    return path + folder_length + (path[folder_length] == '/');
}

static const char *below_file(int file, char *buffer) {
    if (!folder_length) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length <= 0) return NULL;
    buffer[length] = 0;
    if (strncmp(buffer, folder, folder_length) || (buffer[folder_length] != '/' && buffer[folder_length])) return NULL;
    return buffer + folder_length + (buffer[folder_length] == '/');
}

/// Files that other processes and the next opening create again.
static int is_shared_memory(const char *name) {
    size_t length = strlen(name);
    return length >= 4 && !strcmp(name + length - 4, "-shm");
}

/// Counts a call; nonzero when it shall fail.
static int shall_fail(void) {
    pthread_mutex_lock(&lock);
    int fails = 0;
    if (is_armed) {
        count++;
        fails = chosen > 0 && (count == chosen || (is_forever && count > chosen));
        if (fails) fired = 1;
    }
    pthread_mutex_unlock(&lock);
    return fails;
}

/// Keeps the number that a call gives.
static int given(int number) {
    pthread_mutex_lock(&lock);
    injected |= number == EIO ? FAULT_INJECTION_EIO : number == ENOSPC ? FAULT_INJECTION_ENOSPC : FAULT_INJECTION_OTHER;
    pthread_mutex_unlock(&lock);
    return number;
}

// MARK: Log

/// One record: kind, lengths of the two names and of the bytes, a number, then names and bytes.
static void record(char kind, const char *name, const char *other, int64_t number, const void *bytes, size_t length) {
    if (log_file < 0) return;
    struct __attribute__((packed)) {
        char kind;
        uint32_t name, other, bytes;
        int64_t number;
    } head = {kind, name ? strlen(name) : 0, other ? strlen(other) : 0, length, number};
    REAL("write", ssize_t, int, const void *, size_t);
    pthread_mutex_lock(&lock);
    real(log_file, &head, sizeof head);
    if (head.name) real(log_file, name, head.name);
    if (head.other) real(log_file, other, head.other);
    if (length) real(log_file, bytes, length);
    pthread_mutex_unlock(&lock);
}

void fault_injection_mark(long number) { record('M', NULL, NULL, number, NULL, 0); }

// MARK: Opening

static int opened(const char *symbol, const char *path, int flags, mode_t mode) {
    static int (*real_open)(const char *, int, ...);
    if (!real_open) real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    (void)symbol;
    char buffer[PATH_MAX];
    const char *name = is_inside ? NULL : below(path, buffer);
    if (!name) return real_open(path, flags, mode);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    struct stat status;
    int existed = stat(path, &status) == 0;
    int file = real_open(path, flags, mode);
    if (file >= 0 && !is_shared_memory(name)) {
        if (!existed && (flags & O_CREAT)) record('C', name, NULL, 0, NULL, 0);
        if (existed && (flags & O_TRUNC)) record('T', name, NULL, 0, NULL, 0);
    }
    return file;
}

#define MODE(flags, mode)                            \
    mode_t mode = 0;                                 \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {         \
        va_list list;                                \
        va_start(list, flags);                       \
        mode = va_arg(list, mode_t);                 \
        va_end(list);                                \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened("open64", path, flags, mode);
}

int mkstemp(char *template) {
    REAL("mkstemp", int, char *);
    char buffer[PATH_MAX];
    if (below(template, buffer) && shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int file = real(template);
    const char *name = below(template, buffer);
    if (file >= 0 && name) record('C', name, NULL, 0, NULL, 0);
    return file;
}

// MARK: Reading

/// A disk that is full can be read.
static int read_error(void) { return effect == ENOSPC ? EIO : effect; }

ssize_t read(int file, void *bytes, size_t length) {
    REAL("read", ssize_t, int, void *, size_t);
    char buffer[PATH_MAX];
    if (is_inside || !is_armed || !below_file(file, buffer)) return real(file, bytes, length);
    if (shall_fail()) {
        if (!is_short) {
            errno = given(read_error());
            return -1;
        }
        length = (length + 1) / 2;
    }
    return real(file, bytes, length);
}

static ssize_t read_at(int file, void *bytes, size_t length, int64_t offset) {
    REAL("pread64", ssize_t, int, void *, size_t, int64_t);
    char buffer[PATH_MAX];
    if (is_inside || !is_armed || !below_file(file, buffer)) return real(file, bytes, length, offset);
    if (shall_fail()) {
        if (!is_short) {
            errno = given(read_error());
            return -1;
        }
        length = (length + 1) / 2;
    }
    return real(file, bytes, length, offset);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) { return read_at(file, bytes, length, offset); }
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) { return read_at(file, bytes, length, offset); }

// MARK: Writing

ssize_t write(int file, const void *bytes, size_t length) {
    REAL("write", ssize_t, int, const void *, size_t);
    char buffer[PATH_MAX];
    const char *name = below_file(file, buffer);
    if (!name) return real(file, bytes, length);
    if (shall_fail()) {
        if (!is_short) {
            errno = given(effect);
            return -1;
        }
        length = (length + 1) / 2;
    }
    int64_t offset = lseek(file, 0, SEEK_CUR);
    if (fcntl(file, F_GETFL) & O_APPEND) offset = lseek(file, 0, SEEK_END);
    ssize_t written = real(file, bytes, length);
    if (written > 0 && !is_shared_memory(name)) record('W', name, NULL, offset, bytes, written);
    return written;
}

static ssize_t written_at(int file, const void *bytes, size_t length, int64_t offset) {
    REAL("pwrite64", ssize_t, int, const void *, size_t, int64_t);
    char buffer[PATH_MAX];
    const char *name = below_file(file, buffer);
    if (!name) return real(file, bytes, length, offset);
    if (shall_fail()) {
        if (!is_short) {
            errno = given(effect);
            return -1;
        }
        length = (length + 1) / 2;
    }
    ssize_t written = real(file, bytes, length, offset);
    if (written > 0 && !is_shared_memory(name)) record('W', name, NULL, offset, bytes, written);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return written_at(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    return written_at(file, bytes, length, offset);
}

/// Writes down what a file holds from an offset on; for calls that copy inside of the system.
static void record_content(const char *name, int64_t offset, size_t length) {
    if (log_file < 0) return;
    char path[PATH_MAX * 2];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    is_inside = 1;
    int file = open64(path, O_RDONLY | O_CLOEXEC);
    is_inside = 0;
    char *bytes = malloc(length);
    if (file >= 0 && bytes && pread64(file, bytes, length, offset) == (ssize_t)length)
        record('W', name, NULL, offset, bytes, length);
    free(bytes);
    if (file >= 0) close(file);
}

static ssize_t sent(int out, int in, off64_t *offset, size_t length) {
    REAL("sendfile64", ssize_t, int, int, off64_t *, size_t);
    char buffer[PATH_MAX];
    const char *name = below_file(out, buffer);
    if (!name) return real(out, in, offset, length);
    if (shall_fail()) {
        if (!is_short) {
            errno = given(effect);
            return -1;
        }
        length = (length + 1) / 2;
    }
    int64_t start = lseek(out, 0, SEEK_CUR);
    ssize_t copied = real(out, in, offset, length);
    if (copied > 0 && !is_shared_memory(name)) record_content(name, start, copied);
    return copied;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t length) { return sent(out, in, offset, length); }
ssize_t sendfile64(int out, int in, off64_t *offset, size_t length) { return sent(out, in, offset, length); }

// MARK: Flushing, cutting, mapping

static int flushed(int (*real)(int), int file) {
    char buffer[PATH_MAX];
    const char *name = below_file(file, buffer);
    if (!name) return real(file);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(file);
    if (status == 0) record('S', name, NULL, 0, NULL, 0);
    return status;
}

int fsync(int file) {
    REAL("fsync", int, int);
    return flushed(real, file);
}

int fdatasync(int file) {
    REAL("fdatasync", int, int);
    return flushed(real, file);
}

static int cut(int file, int64_t length) {
    REAL("ftruncate64", int, int, int64_t);
    char buffer[PATH_MAX];
    const char *name = below_file(file, buffer);
    if (!name) return real(file, length);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(file, length);
    if (status == 0 && !is_shared_memory(name)) record('T', name, NULL, length, NULL, 0);
    return status;
}

int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off64_t length) { return cut(file, length); }

static void *mapped(void *address, size_t length, int protection, int flags, int file, int64_t offset) {
    REAL("mmap64", void *, void *, size_t, int, int, int, int64_t);
    char buffer[PATH_MAX];
    if (file >= 0 && !(flags & MAP_ANONYMOUS) && below_file(file, buffer) && shall_fail() && !is_short) {
        errno = given(effect == ENOSPC || effect == EINTR ? ENOMEM : effect);
        return MAP_FAILED;
    }
    return real(address, length, protection, flags, file, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    return mapped(address, length, protection, flags, file, offset);
}

// MARK: Names

int rename(const char *from, const char *to) {
    REAL("rename", int, const char *, const char *);
    char first[PATH_MAX], second[PATH_MAX];
    const char *name = below(from, first), *other = below(to, second);
    if (!name || !other) return real(from, to);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(from, to);
    if (status == 0) record('R', name, other, 0, NULL, 0);
    return status;
}

int link(const char *from, const char *to) {
    REAL("link", int, const char *, const char *);
    char first[PATH_MAX], second[PATH_MAX];
    const char *name = below(from, first), *other = below(to, second);
    if (!name || !other) return real(from, to);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(from, to);
    if (status == 0) record('L', name, other, 0, NULL, 0);
    return status;
}

static int removed(int (*real)(const char *), const char *path, char kind) {
    char buffer[PATH_MAX];
    const char *name = below(path, buffer);
    if (!name) return real(path);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(path);
    if (status == 0 && !is_shared_memory(name)) record(kind, name, NULL, 0, NULL, 0);
    return status;
}

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    return removed(real, path, 'U');
}

int rmdir(const char *path) {
    REAL("rmdir", int, const char *);
    return removed(real, path, 'X');
}

int remove(const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) return rmdir(path);
    return unlink(path);
}

int unlinkat(int file, const char *path, int flags) {
    REAL("unlinkat", int, int, const char *, int);
    if (file == AT_FDCWD || path[0] == '/') return flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
    char parent[PATH_MAX], whole[PATH_MAX * 2];
    if (!below_file(file, parent)) return real(file, path, flags);
    snprintf(whole, sizeof whole, "%s/%s", parent, path);
    return flags & AT_REMOVEDIR ? rmdir(whole) : unlink(whole);
}

int mkdir(const char *path, mode_t mode) {
    REAL("mkdir", int, const char *, mode_t);
    char buffer[PATH_MAX];
    const char *name = below(path, buffer);
    if (!name) return real(path, mode);
    if (shall_fail() && !is_short) {
        errno = given(effect);
        return -1;
    }
    int status = real(path, mode);
    if (status == 0) record('D', name, NULL, 0, NULL, 0);
    return status;
}
