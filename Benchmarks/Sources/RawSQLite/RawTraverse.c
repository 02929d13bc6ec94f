#include "RawStore.h"
#include <stdlib.h>
#include <string.h>

/// One author as a C program would hold it, with its books once they are read.
typedef struct {
    int64_t id;
    double born;
    const char *name;
    const char *country;
    RawBookList books;
} RawAuthor;

typedef struct {
    RawAuthor **items;
    int64_t count;
    int64_t capacity;
} RawAuthorList;

/// Allocates the author of the statement's current row, the two texts behind it.
static RawAuthor *readAuthor(sqlite3_stmt *statement) {
    const char *name = (const char *)sqlite3_column_text(statement, 3);
    size_t nameSize = (size_t)sqlite3_column_bytes(statement, 3) + 1;
    const char *country = (const char *)sqlite3_column_text(statement, 2);
    size_t countrySize = (size_t)sqlite3_column_bytes(statement, 2) + 1;
    RawAuthor *author = malloc(sizeof(RawAuthor) + nameSize + countrySize);
    if (author == NULL) abort();
    char *texts = (char *)(author + 1);
    author->id = sqlite3_column_int64(statement, 0);
    author->born = sqlite3_column_double(statement, 1);
    author->name = memcpy(texts, name, nameSize);
    author->country = memcpy(texts + nameSize, country, countrySize);
    author->books = (RawBookList){0};
    return author;
}

static int readAuthors(RawAuthorList *list, sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (list->count == list->capacity) {
            list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
            list->items = realloc(list->items, (size_t)list->capacity * sizeof(RawAuthor *));
            if (list->items == NULL) abort();
        }
        list->items[list->count++] = readAuthor(statement);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/// One statement for each author.
static int readBooksOneByOne(RawAuthorList *authors, sqlite3_stmt *statement) {
    int code = SQLITE_OK;
    for (int64_t index = 0; index < authors->count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, authors->items[index]->id);
        code = rawBookListFill(&authors->items[index]->books, statement);
    }
    return code;
}

/// One statement for all books; each is hung on its author through a table by primary key.
static int readAllBooks(RawAuthorList *authors, sqlite3_stmt *statement) {
    int64_t largest = 0;
    for (int64_t index = 0; index < authors->count; index++) {
        if (authors->items[index]->id > largest) largest = authors->items[index]->id;
    }
    RawAuthor **byID = calloc((size_t)largest + 1, sizeof(RawAuthor *));
    if (byID == NULL) abort();
    for (int64_t index = 0; index < authors->count; index++) byID[authors->items[index]->id] = authors->items[index];
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        RawBook *book = rawBookRead(statement);
        RawAuthor *author = book->author >= 0 && book->author <= largest ? byID[book->author] : NULL;
        if (author == NULL) {
            free(book);
            code = SQLITE_CORRUPT;
            break;
        }
        rawBookListAdd(&author->books, book);
    }
    sqlite3_reset(statement);
    free(byID);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int64_t pagesOf(const RawAuthorList *authors) {
    int64_t sum = 0;
    for (int64_t index = 0; index < authors->count; index++) {
        const RawBookList *books = &authors->items[index]->books;
        for (int64_t item = 0; item < books->count; item++) sum += books->items[item]->pages;
    }
    return sum;
}

RawMeasurement rawTraverse(RawStore *store, bool prefetch) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *authorStatement = NULL, *bookStatement = NULL;
    const char *bookSQL = prefetch ? "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZAUTHOR IS NOT NULL"
                                   : "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZAUTHOR = ?";
    measurement.code = rawPrepare(store, "SELECT Z_PK, ZBORN, ZCOUNTRY, ZNAME FROM ZAUTHOR", &authorStatement);
    if (measurement.code == SQLITE_OK) measurement.code = rawPrepare(store, bookSQL, &bookStatement);
    if (measurement.code != SQLITE_OK) return measurement;
    RawAuthorList authors = {0};

    RawClock clock = rawClockStart();
    measurement.code = readAuthors(&authors, authorStatement);
    if (measurement.code == SQLITE_OK) {
        measurement.code = prefetch ? readAllBooks(&authors, bookStatement)
                                    : readBooksOneByOne(&authors, bookStatement);
    }
    measurement.values[0] = pagesOf(&authors);
    rawClockStop(clock, &measurement);

    sqlite3_finalize(authorStatement);
    sqlite3_finalize(bookStatement);
    for (int64_t index = 0; index < authors.count; index++) {
        rawBookListFree(&authors.items[index]->books);
        free(authors.items[index]);
    }
    free(authors.items);
    return measurement;
}
