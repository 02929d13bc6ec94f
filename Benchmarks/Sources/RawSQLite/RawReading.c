#include "RawStore.h"
#include <math.h>
#include <stdlib.h>

static int64_t touchSum(const RawBook *book) {
    int64_t sum = book->title[book->titleLength - 1] + book->isbn[book->isbnLength - 1]
        + book->summary[book->summaryLength - 1];
    sum += book->pages;
    sum += (int64_t)floor(book->price * 100 + 0.5);
    sum += (int64_t)book->published % 60;
    if (book->hasRating) sum += (int64_t)floor(book->rating * 10 + 0.5);
    return sum + (book->inPrint ? 1 : 0);
}

static int64_t pagesOf(const RawBookList *list) {
    int64_t sum = 0;
    for (int64_t index = 0; index < list->count; index++) sum += list->items[index]->pages;
    return sum;
}

RawMeasurement rawFetchTouch(RawStore *store) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    measurement.code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b", &statement);
    if (measurement.code != SQLITE_OK) return measurement;
    RawBookList books = {0};

    RawClock clock = rawClockStart();
    measurement.code = rawBookListFill(&books, statement);
    for (int64_t index = 0; index < books.count; index++) measurement.values[0] += touchSum(books.items[index]);
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return measurement;
}

RawMeasurement rawFetchIDs(RawStore *store) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    measurement.code = rawPrepare(store, "SELECT Z_PK FROM ZBOOK", &statement);
    if (measurement.code != SQLITE_OK) return measurement;
    int64_t *ids = NULL;
    int64_t count = 0, capacity = 0;

    RawClock clock = rawClockStart();
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == capacity) {
            capacity = capacity == 0 ? 64 : capacity * 2;
            ids = realloc(ids, (size_t)capacity * sizeof(int64_t));
            if (ids == NULL) abort();
        }
        ids[count++] = sqlite3_column_int64(statement, 0);
    }
    sqlite3_reset(statement);
    rawClockStop(clock, &measurement);

    measurement.values[0] = count;
    measurement.code = code == SQLITE_DONE ? SQLITE_OK : code;
    sqlite3_finalize(statement);
    free(ids);
    return measurement;
}

RawMeasurement rawByKey(RawStore *store, const char *const *keys, int64_t count) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZISBN = ?";
    measurement.code = rawPrepare(store, sql, &statement);
    if (measurement.code != SQLITE_OK) return measurement;
    RawBookList books = {0};

    RawClock clock = rawClockStart();
    for (int64_t index = 0; index < count && measurement.code == SQLITE_OK; index++) {
        sqlite3_bind_text(statement, 1, keys[index], -1, SQLITE_STATIC);
        measurement.code = rawBookListFill(&books, statement);
    }
    measurement.values[0] = pagesOf(&books);
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return measurement;
}

/// Not registered: one statement for each look-up.
static int fetchByID(RawStore *store, const int64_t *ids, int64_t count, RawMeasurement *measurement) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.Z_PK = ?", &statement);
    if (code != SQLITE_OK) return code;
    RawBookList books = {0};

    RawClock clock = rawClockStart();
    for (int64_t index = 0; index < count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, ids[index]);
        code = rawBookListFill(&books, statement);
    }
    measurement->values[0] = pagesOf(&books);
    rawClockStop(clock, measurement);

    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return code;
}

/// Registered: all books are in memory, found through a table by primary key.
static int lookUpByID(RawStore *store, const int64_t *ids, int64_t count, RawMeasurement *measurement) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b", &statement);
    if (code != SQLITE_OK) return code;
    RawBookList books = {0};
    code = rawBookListFill(&books, statement);
    int64_t largest = 0;
    for (int64_t index = 0; index < books.count; index++) {
        if (books.items[index]->id > largest) largest = books.items[index]->id;
    }
    RawBook **registered = calloc((size_t)largest + 1, sizeof(RawBook *));
    if (registered == NULL) abort();
    for (int64_t index = 0; index < books.count; index++) registered[books.items[index]->id] = books.items[index];

    RawClock clock = rawClockStart();
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        RawBook *book = ids[index] >= 0 && ids[index] <= largest ? registered[ids[index]] : NULL;
        if (book != NULL) sum += book->pages;
    }
    measurement->values[0] = sum;
    rawClockStop(clock, measurement);

    free(registered);
    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return code;
}

RawMeasurement rawByID(RawStore *store, const int64_t *ids, int64_t count, bool registered) {
    RawMeasurement measurement = {0};
    measurement.code = registered ? lookUpByID(store, ids, count, &measurement)
                                  : fetchByID(store, ids, count, &measurement);
    return measurement;
}

RawMeasurement rawPredicate(RawStore *store) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b JOIN ZAUTHOR a ON b.ZAUTHOR = a.Z_PK"
                      " WHERE b.ZPAGES > ? AND b.ZPRICE < ? AND a.ZCOUNTRY = ? ORDER BY b.ZTITLE LIMIT 1000";
    measurement.code = rawPrepare(store, sql, &statement);
    if (measurement.code != SQLITE_OK) return measurement;
    RawBookList books = {0};

    RawClock clock = rawClockStart();
    sqlite3_bind_int(statement, 1, 400);
    sqlite3_bind_double(statement, 2, 20.0);
    sqlite3_bind_text(statement, 3, "FR", -1, SQLITE_STATIC);
    measurement.code = rawBookListFill(&books, statement);
    measurement.values[1] = pagesOf(&books);
    rawClockStop(clock, &measurement);

    measurement.values[0] = books.count;
    sqlite3_finalize(statement);
    rawBookListFree(&books);
    return measurement;
}

RawMeasurement rawAggregate(RawStore *store, int64_t havingMoreThan) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT a.ZCOUNTRY, AVG(b.ZPRICE), COUNT(b.Z_PK) FROM ZBOOK b JOIN ZAUTHOR a"
                      " ON b.ZAUTHOR = a.Z_PK GROUP BY a.ZCOUNTRY HAVING COUNT(b.Z_PK) > ?";
    measurement.code = rawPrepare(store, sql, &statement);
    if (measurement.code != SQLITE_OK) return measurement;

    RawClock clock = rawClockStart();
    sqlite3_bind_int64(statement, 1, havingMoreThan);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        measurement.values[0] += 1;
        measurement.values[1] += sqlite3_column_int64(statement, 2);
        measurement.values[2] += (int64_t)floor(sqlite3_column_double(statement, 1) * 100 + 0.5);
    }
    sqlite3_reset(statement);
    rawClockStop(clock, &measurement);

    measurement.code = code == SQLITE_DONE ? SQLITE_OK : code;
    sqlite3_finalize(statement);
    return measurement;
}
