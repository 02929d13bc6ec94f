#pragma once

#include <sys/types.h>

/// Splits the process in two. The new process belongs to the nearest process further up that adopts orphans, which can wait
/// for its end, and not to the caller.
///
/// - Returns: 0 in the new process; in the caller the number of the new one, or -1 with `errno`.
pid_t process_split(void);

/// Makes a pipe that programs which are started don't get: first its end to read from.
///
/// - Returns: 0, or -1 with `errno`.
int process_pipe(int ends[2]);

/// Bytes of memory that this process has allocated and not freed.
///
/// https://man7.org/linux/man-pages/man3/mallinfo.3.html
size_t process_allocated(void);

/// Has the processes below this one belong to it when those that started them are gone.
///
/// - Returns: 0, or -1 with `errno`.
int process_adopt_orphans(void);
