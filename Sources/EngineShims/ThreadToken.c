#include "ThreadToken.h"

static _Thread_local char token;

uintptr_t engine_thread_token(void) {
    return (uintptr_t)&token;
}
