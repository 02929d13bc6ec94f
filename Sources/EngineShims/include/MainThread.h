#ifndef ENGINE_MAIN_THREAD_H
#define ENGINE_MAIN_THREAD_H

/// Whether this is the program's main thread: 1 if it is, -1 if it isn't, 0 where that has to be asked otherwise.
///
/// Foundation makes two system calls for it each time.
int engine_is_main_thread(void);

#endif
