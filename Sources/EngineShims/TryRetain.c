#include "EngineShims.h"

#include <stddef.h>

#if defined(__linux__)
extern void *swift_tryRetain(void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);

void *engine_try_retain(void *object) {
    return swift_tryRetain(object);
}

void engine_keep_memory(void *object) {
    (void)swift_unownedRetain(object);
}

void engine_release_memory(void *object) {
    swift_unownedRelease(object);
}
#else
/* What other systems' runtimes can be asked is not relied on: a table of weak references takes its place. */
void *engine_try_retain(void *object) {
    (void)object;
    return NULL;
}

void engine_keep_memory(void *object) {
    (void)object;
}

void engine_release_memory(void *object) {
    (void)object;
}
#endif
