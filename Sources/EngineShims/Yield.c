#include "EngineShims.h"

#ifdef _WIN32
#include <windows.h>

void engine_yield(long turns) {
    if (turns < 64) SwitchToThread(); else Sleep(1);
}
#else
#include <sched.h>
#include <time.h>

void engine_yield(long turns) {
    if (turns < 64) {
        sched_yield();
    } else {
        struct timespec moment = {0, 50000};
        nanosleep(&moment, NULL);
    }
}
#endif
