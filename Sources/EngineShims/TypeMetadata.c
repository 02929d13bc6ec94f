#include "TypeMetadata.h"

#include <stdbool.h>
#include <stdint.h>

// What Swift's ABI documents (TypeMetadata.rst) and its public header MetadataSections.h say of an image that registers itself.
struct section {
    uintptr_t start;
    size_t length;
};

struct sections {
    uintptr_t version;
    const void *base;
    void *unused[2];
    struct section protocols;
    struct section conformances;
    struct section types;
};

#if defined(__ELF__)
// Weak, for runtimes that don't export it.
extern void swift_enumerateAllMetadataSections(bool (*body)(const struct sections *, void *), void *context)
    __attribute__((weak));

struct visit {
    void (*body)(const void *, size_t, void *);
    void *context;
};

static bool visit_types(const struct sections *sections, void *context) {
    const struct visit *visit = context;
    if (sections && sections->types.start && sections->types.length)
        visit->body((const void *)sections->types.start, sections->types.length, visit->context);
    return true;
}

static bool count_image(const struct sections *sections, void *context) {
    (void)sections;
    ++*(long *)context;
    return true;
}
#endif

void engine_each_type_list(void (*body)(const void *, size_t, void *), void *context) {
#if defined(__ELF__)
    struct visit visit = {body, context};
    if (swift_enumerateAllMetadataSections) swift_enumerateAllMetadataSections(visit_types, &visit);
#else
    (void)body;
    (void)context;
#endif
}

long engine_swift_image_count(void) {
    long count = 0;
#if defined(__ELF__)
    if (swift_enumerateAllMetadataSections) swift_enumerateAllMetadataSections(count_image, &count);
#endif
    return count;
}

struct response {
    const void *metadata;
    size_t state;
};

#if defined(__has_attribute)
#if __has_attribute(swiftcall)
#define SWIFT_CALL __attribute__((swiftcall))
#endif
#endif
#ifndef SWIFT_CALL
#define SWIFT_CALL
#endif

const void *engine_type_metadata(const void *accessor) {
    typedef SWIFT_CALL struct response access(size_t request);
    return ((access *)accessor)(0).metadata;
}
