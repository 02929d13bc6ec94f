#include "EngineShims.h"

#include <stddef.h>

#if defined(__linux__)
extern void *swift_tryRetain(void *object);

void *engine_try_retain(void *object) {
    return swift_tryRetain(object);
}
#else
/* What other systems' runtimes can be asked is not relied on: a table of weak references takes its place. */
void *engine_try_retain(void *object) {
    (void)object;
    return NULL;
}
#endif
