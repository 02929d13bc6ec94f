#ifndef ENGINE_THREAD_TOKEN_H
#define ENGINE_THREAD_TOKEN_H

#include <stdint.h>

/// A number that no other living thread has. Cheaper than asking Foundation for the current thread.
uintptr_t engine_thread_token(void);

#endif
