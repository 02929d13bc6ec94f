#include "MainThread.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// 0 until it is known.
static _Thread_local signed char state;

int engine_is_main_thread(void) {
    if (state == 0) state = syscall(SYS_gettid) == getpid() ? 1 : -1;
    return state;
}
#else
int engine_is_main_thread(void) {
    return 0;
}
#endif
