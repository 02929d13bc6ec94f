#include "RawStore.h"

static const char *const updateSQL =
    "UPDATE ZBOOK SET Z_OPT = Z_OPT + 1, ZINPRINT = ?, ZPAGES = ?, ZAUTHOR = ?, ZPRICE = ?, ZPUBLISHED = ?, ZRATING = ?,"
    " ZSUMMARY = ?, ZTITLE = ? WHERE Z_PK = ?";

typedef struct {
    sqlite3_stmt *find, *insert, *update, *tags, *link, *unlink;
} Statements;

static int prepare(RawStore *store, Statements *all) {
    int code = rawPrepare(store, "SELECT Z_PK FROM ZBOOK WHERE ZISBN = ?", &all->find);
    if (code == SQLITE_OK) code = rawPrepare(store, rawInsertBookSQL, &all->insert);
    if (code == SQLITE_OK) code = rawPrepare(store, updateSQL, &all->update);
    if (code == SQLITE_OK) code = rawPrepare(store, "SELECT Z_3TAGS FROM Z_2TAGS WHERE Z_2BOOKS = ?", &all->tags);
    if (code == SQLITE_OK)
        code = rawPrepare(store, "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_3TAGS) VALUES (?, ?)", &all->link);
    if (code == SQLITE_OK)
        code = rawPrepare(store, "DELETE FROM Z_2TAGS WHERE Z_2BOOKS = ? AND Z_3TAGS = ?", &all->unlink);
    return code;
}

static void finalize(Statements *all) {
    sqlite3_finalize(all->find);
    sqlite3_finalize(all->insert);
    sqlite3_finalize(all->update);
    sqlite3_finalize(all->tags);
    sqlite3_finalize(all->link);
    sqlite3_finalize(all->unlink);
}

static int stepPair(sqlite3_stmt *statement, int64_t first, int64_t second) {
    sqlite3_bind_int64(statement, 1, first);
    sqlite3_bind_int64(statement, 2, second);
    return rawStepDone(statement);
}

/// The primary key of the book with an ISBN, 0 for none.
static int find(sqlite3_stmt *statement, const RawBookInput *book, int64_t *id) {
    sqlite3_bind_text(statement, 1, book->isbn, book->isbnLength, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int update(sqlite3_stmt *statement, const RawBookInput *book, int64_t id) {
    sqlite3_bind_int(statement, 1, book->inPrint);
    sqlite3_bind_int(statement, 2, book->pages);
    sqlite3_bind_int64(statement, 3, (int64_t)book->author + 1);
    sqlite3_bind_double(statement, 4, book->price);
    sqlite3_bind_double(statement, 5, book->published);
    if (book->hasRating) sqlite3_bind_double(statement, 6, book->rating);
    else sqlite3_bind_null(statement, 6);
    sqlite3_bind_text(statement, 7, book->summary, book->summaryLength, SQLITE_STATIC);
    sqlite3_bind_text(statement, 8, book->title, book->titleLength, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 9, id);
    return rawStepDone(statement);
}

/// Reads the tags that a book has, and writes the difference.
static int revise(Statements *all, const RawBookInput *book, int64_t id) {
    int64_t old[8];
    int oldCount = 0, code;
    sqlite3_bind_int64(all->tags, 1, id);
    while ((code = sqlite3_step(all->tags)) == SQLITE_ROW && oldCount < 8) old[oldCount++] = sqlite3_column_int64(all->tags, 0);
    sqlite3_reset(all->tags);
    if (code != SQLITE_DONE) return code;
    code = SQLITE_OK;
    bool isKept[8] = {false};
    for (int position = 0; position < 3 && code == SQLITE_OK; position++) {
        int64_t tag = (int64_t)book->tags[position] + 1;
        bool isThere = false;
        for (int index = 0; index < oldCount; index++) {
            if (old[index] == tag) isThere = isKept[index] = true;
        }
        if (!isThere) code = stepPair(all->link, id, tag);
    }
    for (int index = 0; index < oldCount && code == SQLITE_OK; index++) {
        if (!isKept[index]) code = stepPair(all->unlink, id, old[index]);
    }
    return code;
}

static int insert(Statements *all, const RawBookInput *book, int64_t id) {
    int code = rawInsertBook(all->insert, book, id);
    for (int position = 0; position < 3 && code == SQLITE_OK; position++) {
        code = stepPair(all->link, id, (int64_t)book->tags[position] + 1);
    }
    return code;
}

RawMeasurement rawImport(RawStore *store, const RawBookInput *books, int64_t count) {
    RawMeasurement measurement = {0};
    Statements all = {0};
    int64_t largest = 0;

    RawClock clock = rawClockStart();
    int code = rawScalar(store, "SELECT MAX(Z_PK) FROM ZBOOK", &largest);
    if (code == SQLITE_OK) code = prepare(store, &all);
    if (code == SQLITE_OK) code = rawExecute(store, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < count && code == SQLITE_OK; index++) {
        int64_t id = 0;
        code = find(all.find, &books[index], &id);
        if (code != SQLITE_OK) break;
        if (id == 0) {
            code = insert(&all, &books[index], ++largest);
            continue;
        }
        code = update(all.update, &books[index], id);
        if (code == SQLITE_OK) code = revise(&all, &books[index], id);
    }
    if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    rawClockStop(clock, &measurement);

    finalize(&all);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZBOOK", &measurement.values[0]);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM Z_2TAGS", &measurement.values[1]);
    if (code == SQLITE_OK)
        code = rawScalar(
            store, "SELECT SUM(CAST(ROUND(ZPRICE * 100) AS INTEGER)) FROM ZBOOK", &measurement.values[2]);
    measurement.code = code;
    return measurement;
}
