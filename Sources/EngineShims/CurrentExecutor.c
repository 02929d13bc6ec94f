#include "CurrentExecutor.h"

#include <stdint.h>

#if defined(__ELF__) && defined(__has_attribute)
#if __has_attribute(swiftcall)
#define CAN_ASK 1
#endif
#endif

#if CAN_ASK
// What Swift's runtime has for executors: a reference is the address of the executor and a table of its functions.
struct executor {
    void *identity;
    uintptr_t implementation;
};

extern __attribute__((swiftcall, weak)) struct executor swift_task_getCurrentExecutor(void);
extern __attribute__((swiftcall, weak)) bool swift_task_isMainExecutor(struct executor executor);
#endif

bool engine_runs_main_actor(void) {
#if CAN_ASK
    if (!swift_task_getCurrentExecutor || !swift_task_isMainExecutor) return false;
    struct executor executor = swift_task_getCurrentExecutor();
    return executor.identity && swift_task_isMainExecutor(executor);
#else
    return false;
#endif
}
