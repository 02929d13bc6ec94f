/// What the files of the baseline share.
#ifndef RAW_STORE_H
#define RAW_STORE_H

#include "RawSQLite.h"
#include <sqlite3.h>
#include <stddef.h>

struct RawStore {
    sqlite3 *database;
};

typedef struct {
    double wall;
    double cpu;
} RawClock;

RawClock rawClockStart(void);
/// Sets the times of `measurement` to what has passed since `start`.
void rawClockStop(RawClock start, RawMeasurement *measurement);

/// One book as a C program would hold it; the three texts lie behind the struct in the same allocation.
typedef struct RawBook {
    int64_t id;
    int64_t author;
    double price;
    double published;
    double rating;
    const char *title;
    const char *isbn;
    const char *summary;
    int32_t titleLength;
    int32_t isbnLength;
    int32_t summaryLength;
    int32_t pages;
    bool hasRating;
    bool inPrint;
} RawBook;

/// The columns that `rawBookRead` expects, in its order, of a table with the alias `b`.
#define RAW_BOOK_COLUMNS \
    "b.Z_PK, b.ZAUTHOR, b.ZPAGES, b.ZINPRINT, b.ZPRICE, b.ZPUBLISHED, b.ZRATING, b.ZISBN, b.ZSUMMARY, b.ZTITLE"

/// Allocates the book of the statement's current row.
RawBook *rawBookRead(sqlite3_stmt *statement);

/// A growing list of books.
typedef struct {
    RawBook **items;
    int64_t count;
    int64_t capacity;
} RawBookList;

void rawBookListAdd(RawBookList *list, RawBook *book);
/// Steps the statement to its end and adds a book for each row. Answers the code of a failure, or SQLITE_OK.
int rawBookListFill(RawBookList *list, sqlite3_stmt *statement);
void rawBookListFree(RawBookList *list);

/// Inserts a book: the statement's text, and one run of it.
extern const char *const rawInsertBookSQL;
int rawInsertBook(sqlite3_stmt *statement, const RawBookInput *book, int64_t id);

/// Prepares a statement that is kept for the whole operation.
int rawPrepare(RawStore *store, const char *sql, sqlite3_stmt **statement);
/// Executes a statement that answers one integer.
int rawScalar(RawStore *store, const char *sql, int64_t *value);
int rawExecute(RawStore *store, const char *sql);
/// Steps a statement that answers no row and makes it ready for the next values.
int rawStepDone(sqlite3_stmt *statement);
/// Registers `contains_folded(text, pattern)`.
int rawRegisterMatch(sqlite3 *database);

#endif
