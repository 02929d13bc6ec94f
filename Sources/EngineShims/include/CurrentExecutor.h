#ifndef ENGINE_CURRENT_EXECUTOR_H
#define ENGINE_CURRENT_EXECUTOR_H

#include <stdbool.h>

/// Whether this thread runs a job of the main actor, also inside of a queue's `sync`. False where that can't be told, and for
/// blocks of the main queue that are no jobs.
bool engine_runs_main_actor(void);

#endif
