/// The workload written directly against the SQLite C library: the baseline of every ratio.
///
/// One connection without a mutex, write-ahead log, `synchronous` NORMAL, SQLite's default page cache, prepared
/// statements, one allocated struct per row (the texts behind it in the same allocation), straightforward loops.
/// Tables have the columns, indexes and join table that a managed object store has.
///
/// Functions answer an SQLite result code in `RawMeasurement.code`, or directly; `SQLITE_OK` is 0.
#ifndef RAW_SQLITE_H
#define RAW_SQLITE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *_Nonnull name;
    const char *_Nonnull country;
    double born;
} RawAuthorInput;

typedef struct {
    const char *_Nonnull title;
    const char *_Nonnull isbn;
    const char *_Nonnull summary;
    int32_t titleLength;
    int32_t isbnLength;
    int32_t summaryLength;
    int32_t pages;
    double price;
    double published;
    double rating;
    bool hasRating;
    bool inPrint;
    int32_t author;
    int32_t tags[3];
} RawBookInput;

/// The values to write, in memory before any timer starts.
typedef struct {
    const RawAuthorInput *_Nullable authors;
    int64_t authorCount;
    const RawBookInput *_Nullable books;
    int64_t bookCount;
    const char *_Nonnull const *_Nullable tagNames;
    int64_t tagCount;
} RawInput;

/// The times of one run in seconds, and up to three numbers that it answered.
typedef struct {
    int code;
    double wall;
    double cpu;
    int64_t values[3];
} RawMeasurement;

typedef struct RawStore RawStore;

/// Opens (or makes, with the schema) the store at `path`.
int rawStoreOpen(const char *_Nonnull path, RawStore *_Nullable *_Nonnull store);
/// Copies the log into the file and closes.
void rawStoreClose(RawStore *_Nullable store);
/// The message of the last error of the connection.
const char *_Nonnull rawStoreMessage(RawStore *_Nonnull store);

RawMeasurement rawInsert(RawStore *_Nonnull store, const RawInput *_Nonnull input, bool withTags);
RawMeasurement rawUpdate(RawStore *_Nonnull store);
RawMeasurement rawDelete(RawStore *_Nonnull store);
RawMeasurement rawSaveSmall(RawStore *_Nonnull store, const RawBookInput *_Nonnull books, int64_t count);

/// Brings books: those that are there, found by their ISBN, get new values and tags; others are inserted.
RawMeasurement rawImport(RawStore *_Nonnull store, const RawBookInput *_Nonnull books, int64_t count);

RawMeasurement rawFetchTouch(RawStore *_Nonnull store);
RawMeasurement rawFetchIDs(RawStore *_Nonnull store);
RawMeasurement rawByKey(RawStore *_Nonnull store, const char *_Nonnull const *_Nonnull keys, int64_t count);
RawMeasurement rawByID(RawStore *_Nonnull store, const int64_t *_Nonnull ids, int64_t count, bool registered);
RawMeasurement rawPredicate(RawStore *_Nonnull store);
RawMeasurement rawTraverse(RawStore *_Nonnull store, bool prefetch);
RawMeasurement rawAggregate(RawStore *_Nonnull store, int64_t havingMoreThan);
RawMeasurement rawMatch(RawStore *_Nonnull store, const char *_Nonnull foldedText);

/// `count` pages of `rows` books in the order of ISBNs, each from an offset of its own.
RawMeasurement rawScreen(RawStore *_Nonnull store, const int64_t *_Nonnull offsets, int64_t count, int64_t rows);
/// Walks of `length` steps from the books with the primary keys `starts`; see `Library.walkChoices()`.
RawMeasurement rawWalk(
    RawStore *_Nonnull store, const int64_t *_Nonnull starts, int64_t count, const uint64_t *_Nonnull choices,
    int64_t length);
/// Changes the price of one book of a hundred, and reads these again into a list that has one of ten.
RawMeasurement rawMerge(RawStore *_Nonnull store);
/// Deletes one author of `step`, with their books and these books' tag links.
RawMeasurement rawCascade(RawStore *_Nonnull store, int64_t step);

#endif
