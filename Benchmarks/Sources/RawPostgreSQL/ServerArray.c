#include "RawServer.h"
#include <stdlib.h>
#include <string.h>

// The layout of https://www.postgresql.org/docs/15/xfunc-c.html's arrays as `array_recv` reads them: number of dimensions,
// whether there are nulls, the type of the elements, then for each dimension its size and first index; then the elements,
// each behind its length.
enum { headSize = 20 };

ServerArray arrayOf(uint32_t type) {
    ServerArray array = {.capacity = 1 << 16, .type = type, .length = headSize};
    array.bytes = malloc(array.capacity);
    if (array.bytes == NULL) abort();
    return array;
}

static char *grow(ServerArray *array, size_t size) {
    if (array->length + size > array->capacity) {
        while (array->length + size > array->capacity) array->capacity *= 2;
        array->bytes = realloc(array->bytes, array->capacity);
        if (array->bytes == NULL) abort();
    }
    char *place = array->bytes + array->length;
    array->length += size;
    return place;
}

void arrayAdd(ServerArray *array, const void *bytes, int32_t length) {
    char *place = grow(array, 4 + (size_t)length);
    uint32_t size = bigEndian32((uint32_t)length);
    memcpy(place, &size, 4);
    memcpy(place + 4, bytes, (size_t)length);
    array->count++;
}

void arrayAddNull(ServerArray *array) {
    uint32_t none = 0xFFFFFFFF;
    memcpy(grow(array, 4), &none, 4);
    array->hasNull = true;
    array->count++;
}

void arrayAddInt8(ServerArray *array, int64_t value) {
    uint64_t bits = bigEndian64((uint64_t)value);
    arrayAdd(array, &bits, 8);
}

void arrayAddInt4(ServerArray *array, int32_t value) {
    uint32_t bits = bigEndian32((uint32_t)value);
    arrayAdd(array, &bits, 4);
}

void arrayAddDouble(ServerArray *array, double value) {
    uint64_t bits = bigEndianDouble(value);
    arrayAdd(array, &bits, 8);
}

void arrayAddDate(ServerArray *array, double secondsSince2001) { arrayAddInt8(array, serverDate(secondsSince2001)); }

void arrayFinish(ServerArray *array) {
    uint32_t head[5] = {
        bigEndian32(1), bigEndian32(array->hasNull), bigEndian32(array->type), bigEndian32((uint32_t)array->count),
        bigEndian32(1),
    };
    memcpy(array->bytes, head, headSize);
}

void arrayClear(ServerArray *array) {
    array->length = headSize;
    array->count = 0;
    array->hasNull = false;
}

void arrayFree(ServerArray *array) { free(array->bytes); }
