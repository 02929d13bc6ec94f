#ifndef ENGINE_RELEASE_STATE_H
#define ENGINE_RELEASE_STATE_H

#include <stdint.h>

/// How a thread releases a graph of objects: how deep it is, and the list of what waits.
typedef struct {
    uintptr_t depth;
    void *_Nullable waiting;
} engine_release_state;

/// The state of the calling thread, zero at first.
engine_release_state *_Nonnull engine_this_threads_release_state(void);

#endif
