#ifndef ENGINE_TYPE_METADATA_H
#define ENGINE_TYPE_METADATA_H

#include <stddef.h>

/// Calls back with the list of types of each image that has Swift code: the section `swift5_type_metadata`, whose entries are
/// relative references to descriptors. Does nothing where images don't register such lists with the runtime.
void engine_each_type_list(void (*_Nonnull body)(const void *_Nonnull start, size_t length, void *_Nullable context), void *_Nullable context);

/// How many images with Swift code are loaded; 0 where that is not known.
long engine_swift_image_count(void);

/// The metadata of a type that is not generic, complete.
///
/// - Parameter accessor: The access function that the type's descriptor names.
const void *_Nonnull engine_type_metadata(const void *_Nonnull accessor);

#endif
