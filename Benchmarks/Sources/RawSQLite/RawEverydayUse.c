#include "RawStore.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

RawMeasurement rawScreen(RawStore *store, const int64_t *offsets, int64_t count, int64_t rows) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b ORDER BY b.ZISBN LIMIT ? OFFSET ?";
    measurement.code = rawPrepare(store, sql, &statement);
    if (measurement.code != SQLITE_OK) return measurement;
    RawBookList books = {0};

    RawClock clock = rawClockStart();
    for (int64_t index = 0; index < count && measurement.code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, rows);
        sqlite3_bind_int64(statement, 2, offsets[index]);
        measurement.code = rawBookListFill(&books, statement);
    }
    for (int64_t index = 0; index < books.count; index++) measurement.values[0] += books.items[index]->pages;
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return measurement;
}

/// The statements of a walk, and everything that it read.
typedef struct {
    sqlite3_stmt *book, *author, *books, *tags;
    RawBookList read;
    int64_t sum;
} Walk;

static int prepareWalk(RawStore *store, Walk *walk) {
    int code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.Z_PK = ?", &walk->book);
    if (code == SQLITE_OK) code = rawPrepare(store, "SELECT ZNAME FROM ZAUTHOR WHERE Z_PK = ?", &walk->author);
    if (code == SQLITE_OK)
        code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZAUTHOR = ?", &walk->books);
    if (code == SQLITE_OK)
        code = rawPrepare(
            store, "SELECT t.ZNAME FROM Z_2TAGS l JOIN ZTAG t ON t.Z_PK = l.Z_3TAGS WHERE l.Z_2BOOKS = ?", &walk->tags);
    return code;
}

static void finalizeWalk(Walk *walk) {
    sqlite3_finalize(walk->book);
    sqlite3_finalize(walk->author);
    sqlite3_finalize(walk->books);
    sqlite3_finalize(walk->tags);
    rawBookListFree(&walk->read);
}

/// Adds the lengths of the names that a statement answers for a primary key.
static int addNames(sqlite3_stmt *statement, int64_t id, int64_t *sum) {
    sqlite3_bind_int64(statement, 1, id);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (sqlite3_column_text(statement, 0) != NULL) *sum += sqlite3_column_bytes(statement, 0);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/// The book among those read from `first` on that a choice goes to; see `Library.walkChoices()`.
static const RawBook *chosen(const RawBookList *list, int64_t first, uint64_t choice) {
    const RawBook *best = NULL;
    int32_t flipped = (int32_t)((choice >> 1) & 1023);
    for (int64_t index = first; index < list->count; index++) {
        const RawBook *book = list->items[index];
        int32_t difference = best == NULL ? -1 : (book->pages ^ flipped) - (best->pages ^ flipped);
        if (difference < 0 || (difference == 0 && strcmp(book->isbn, best->isbn) < 0)) best = book;
    }
    return best;
}

static int walkOnce(Walk *walk, int64_t start, const uint64_t *choices, int64_t length) {
    sqlite3_bind_int64(walk->book, 1, start);
    int code = rawBookListFill(&walk->read, walk->book);
    if (code != SQLITE_OK || walk->read.count == 0) return code == SQLITE_OK ? SQLITE_CORRUPT : code;
    const RawBook *book = walk->read.items[walk->read.count - 1];
    walk->sum += book->pages;
    bool isAtAuthor = false;
    for (int64_t step = 0; step < length && code == SQLITE_OK; step++) {
        if (isAtAuthor) {
            int64_t first = walk->read.count;
            sqlite3_bind_int64(walk->books, 1, book->author);
            code = rawBookListFill(&walk->read, walk->books);
            if (walk->read.count > first) book = chosen(&walk->read, first, choices[step]);
            walk->sum += book->pages;
            isAtAuthor = false;
        } else if ((choices[step] & 1) != 0) {
            code = addNames(walk->tags, book->id, &walk->sum);
        } else {
            code = addNames(walk->author, book->author, &walk->sum);
            isAtAuthor = true;
        }
    }
    return code;
}

RawMeasurement rawWalk(
    RawStore *store, const int64_t *starts, int64_t count, const uint64_t *choices, int64_t length) {
    RawMeasurement measurement = {0};
    Walk walk = {0};
    int code = prepareWalk(store, &walk);

    RawClock clock = rawClockStart();
    for (int64_t index = 0; index < count && code == SQLITE_OK; index++) {
        code = walkOnce(&walk, starts[index], choices + index * length, length);
    }
    rawClockStop(clock, &measurement);

    measurement.values[0] = walk.sum;
    measurement.code = code;
    finalizeWalk(&walk);
    return measurement;
}

/// The books whose title matches a pattern, in the order of ISBNs.
static int readShown(RawStore *store, const char *pattern, RawBookList *books) {
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZTITLE LIKE ? ORDER BY b.ZISBN";
    int code = rawPrepare(store, sql, &statement);
    if (code == SQLITE_OK) code = sqlite3_bind_text(statement, 1, pattern, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = rawBookListFill(books, statement);
    sqlite3_finalize(statement);
    return code;
}

/// A table of the places of a list's books by primary key.
static RawBook ***placesByID(const RawBookList *list) {
    int64_t largest = 0;
    for (int64_t index = 0; index < list->count; index++) {
        if (list->items[index]->id > largest) largest = list->items[index]->id;
    }
    RawBook ***places = calloc((size_t)largest + 1, sizeof(RawBook **));
    if (places == NULL) abort();
    for (int64_t index = 0; index < list->count; index++) places[list->items[index]->id] = &list->items[index];
    return places;
}

static int savePrices(RawStore *store, RawBookList *books) {
    sqlite3_stmt *update = NULL;
    int code = rawPrepare(store, "UPDATE ZBOOK SET Z_OPT = Z_OPT + 1, ZPRICE = ? WHERE Z_PK = ?", &update);
    if (code == SQLITE_OK) code = rawExecute(store, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < books->count && code == SQLITE_OK; index++) {
        books->items[index]->price += 1.0;
        sqlite3_bind_double(update, 1, books->items[index]->price);
        sqlite3_bind_int64(update, 2, books->items[index]->id);
        code = rawStepDone(update);
    }
    if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    sqlite3_finalize(update);
    return code;
}

/// Reads the books again that were changed, into the places of those that are shown.
static int readAgain(RawStore *store, const RawBookList *changed, RawBook ***places) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.Z_PK = ?", &statement);
    for (int64_t index = 0; index < changed->count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, changed->items[index]->id);
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            RawBook *fresh = rawBookRead(statement);
            free(*places[fresh->id]);
            *places[fresh->id] = fresh;
        }
        sqlite3_reset(statement);
        code = code == SQLITE_ROW ? SQLITE_OK : SQLITE_CORRUPT;
    }
    sqlite3_finalize(statement);
    return code;
}

RawMeasurement rawMerge(RawStore *store) {
    RawMeasurement measurement = {0};
    RawBookList shown = {0}, changed = {0};
    int code = readShown(store, "%3", &shown);
    if (code == SQLITE_OK) code = readShown(store, "%23", &changed);
    RawBook ***places = placesByID(&shown);

    RawClock clock = rawClockStart();
    if (code == SQLITE_OK) code = savePrices(store, &changed);
    if (code == SQLITE_OK) code = readAgain(store, &changed, places);
    rawClockStop(clock, &measurement);

    measurement.values[0] = changed.count;
    for (int64_t index = 0; index < shown.count; index++) {
        measurement.values[1] += (int64_t)floor(shown.items[index]->price * 100 + 0.5);
    }
    free(places);
    rawBookListFree(&shown);
    rawBookListFree(&changed);
    measurement.code = code;
    return measurement;
}

/// Deletes what a list names by primary key, with one statement for each.
static int deleteEach(RawStore *store, const char *sql, const int64_t *ids, int64_t count) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, sql, &statement);
    for (int64_t index = 0; index < count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, ids[index]);
        code = rawStepDone(statement);
    }
    sqlite3_finalize(statement);
    return code;
}

typedef struct {
    int64_t *items;
    int64_t count, capacity;
} IDList;

/// Adds the primary keys that a statement answers.
static int addIDs(IDList *list, sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (list->count == list->capacity) {
            list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
            list->items = realloc(list->items, (size_t)list->capacity * sizeof(int64_t));
            if (list->items == NULL) abort();
        }
        list->items[list->count++] = sqlite3_column_int64(statement, 0);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int cascade(RawStore *store, const IDList *authors, IDList *books, sqlite3_stmt *find) {
    int code = rawExecute(store, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < authors->count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(find, 1, authors->items[index]);
        code = addIDs(books, find);
    }
    if (code == SQLITE_OK) code = deleteEach(store, "DELETE FROM Z_2TAGS WHERE Z_2BOOKS = ?", books->items, books->count);
    if (code == SQLITE_OK) code = deleteEach(store, "DELETE FROM ZBOOK WHERE Z_PK = ?", books->items, books->count);
    if (code == SQLITE_OK) code = deleteEach(store, "DELETE FROM ZAUTHOR WHERE Z_PK = ?", authors->items, authors->count);
    return code == SQLITE_OK ? rawExecute(store, "COMMIT") : code;
}

RawMeasurement rawCascade(RawStore *store, int64_t step) {
    RawMeasurement measurement = {0};
    IDList authors = {0}, books = {0};
    sqlite3_stmt *chosen = NULL, *find = NULL;
    int code = rawPrepare(store, "SELECT Z_PK FROM ZAUTHOR WHERE (Z_PK - 1) % ? = 0", &chosen);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(chosen, 1, step);
    if (code == SQLITE_OK) code = addIDs(&authors, chosen);
    if (code == SQLITE_OK) code = rawPrepare(store, "SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR = ?", &find);

    RawClock clock = rawClockStart();
    if (code == SQLITE_OK) code = cascade(store, &authors, &books, find);
    rawClockStop(clock, &measurement);

    sqlite3_finalize(chosen);
    sqlite3_finalize(find);
    free(authors.items);
    free(books.items);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZAUTHOR", &measurement.values[0]);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZBOOK", &measurement.values[1]);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM Z_2TAGS", &measurement.values[2]);
    measurement.code = code;
    return measurement;
}
