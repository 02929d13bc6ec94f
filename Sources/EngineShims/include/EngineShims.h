#ifndef ENGINE_SHIMS_H
#define ENGINE_SHIMS_H

#include "CurrentExecutor.h"
#include "LogFileSystem.h"
#include "MainThread.h"
#include "NumberFunctions.h"
#include "ReleaseState.h"
#include "ThreadToken.h"
#include "TypeMetadata.h"

/// Retains a Swift object unless its deinitialization has begun.
///
/// Returns the object with one more strong reference, or NULL. The memory behind `object` must still be allocated:
/// callers hold the lock that the object's `deinit` takes before it returns.
void *_Nullable engine_try_retain(void *_Nonnull object);

/// Keeps the memory of a Swift object allocated after the object has ended, as an `unowned` variable does.
void engine_keep_memory(void *_Nonnull object);

/// Ends what `engine_keep_memory` began.
void engine_release_memory(void *_Nonnull object);

/// Asks for the memory at an address, which need not be allocated, and doesn't wait for it.
static inline void engine_prefetch(const void *_Nullable address) {
    __builtin_prefetch(address);
}

/// The value that `engine_set_thread_value` last stored on this thread, or NULL.
void *_Nullable engine_thread_value(void);

/// Stores a pointer for this thread. The caller keeps what it points to alive.
void engine_set_thread_value(void *_Nullable value);

#endif
