#include "ReleaseState.h"

static _Thread_local engine_release_state state;

engine_release_state *engine_this_threads_release_state(void) {
    return &state;
}
