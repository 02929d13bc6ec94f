#include "EngineShims.h"

static _Thread_local void *thread_value;

void *engine_thread_value(void) {
    return thread_value;
}

void engine_set_thread_value(void *value) {
    thread_value = value;
}
