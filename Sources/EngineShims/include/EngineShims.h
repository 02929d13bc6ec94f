#ifndef ENGINE_SHIMS_H
#define ENGINE_SHIMS_H

#include "ThreadToken.h"

/// Retains a Swift object unless its deinitialisation has begun.
///
/// Returns the object with one more strong reference, or NULL. The memory behind `object` must still be allocated:
/// callers hold the lock that the object's `deinit` takes before it returns.
void *_Nullable engine_try_retain(void *_Nonnull object);

#endif
