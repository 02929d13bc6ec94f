#include "EngineShims.h"

extern void *swift_tryRetain(void *object);

void *engine_try_retain(void *object) {
    return swift_tryRetain(object);
}
