#include "RawStore.h"

const char *const rawInsertBookSQL =
    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZINPRINT, ZPAGES, ZAUTHOR, ZPRICE, ZPUBLISHED, ZRATING, ZISBN, ZSUMMARY,"
    " ZTITLE) VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

int rawInsertBook(sqlite3_stmt *statement, const RawBookInput *book, int64_t id) {
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int(statement, 2, book->inPrint);
    sqlite3_bind_int(statement, 3, book->pages);
    sqlite3_bind_int64(statement, 4, (int64_t)book->author + 1);
    sqlite3_bind_double(statement, 5, book->price);
    sqlite3_bind_double(statement, 6, book->published);
    if (book->hasRating) sqlite3_bind_double(statement, 7, book->rating);
    else sqlite3_bind_null(statement, 7);
    sqlite3_bind_text(statement, 8, book->isbn, book->isbnLength, SQLITE_STATIC);
    sqlite3_bind_text(statement, 9, book->summary, book->summaryLength, SQLITE_STATIC);
    sqlite3_bind_text(statement, 10, book->title, book->titleLength, SQLITE_STATIC);
    return rawStepDone(statement);
}

static int insertAuthors(RawStore *store, const RawInput *input) {
    sqlite3_stmt *statement = NULL;
    const char *sql = "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZBORN, ZCOUNTRY, ZNAME) VALUES (?, 1, 1, ?, ?, ?)";
    int code = rawPrepare(store, sql, &statement);
    for (int64_t index = 0; index < input->authorCount && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(statement, 1, index + 1);
        sqlite3_bind_double(statement, 2, input->authors[index].born);
        sqlite3_bind_text(statement, 3, input->authors[index].country, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 4, input->authors[index].name, -1, SQLITE_STATIC);
        code = rawStepDone(statement);
    }
    sqlite3_finalize(statement);
    return code;
}

static int insertBooks(RawStore *store, const RawInput *input) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, rawInsertBookSQL, &statement);
    for (int64_t index = 0; index < input->bookCount && code == SQLITE_OK; index++) {
        code = rawInsertBook(statement, &input->books[index], index + 1);
    }
    sqlite3_finalize(statement);
    return code;
}

static int insertTags(RawStore *store, const RawInput *input) {
    sqlite3_stmt *tag = NULL, *link = NULL;
    int code = rawPrepare(store, "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 3, 1, ?)", &tag);
    if (code == SQLITE_OK) code = rawPrepare(store, "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_3TAGS) VALUES (?, ?)", &link);
    for (int64_t index = 0; index < input->tagCount && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(tag, 1, index + 1);
        sqlite3_bind_text(tag, 2, input->tagNames[index], -1, SQLITE_STATIC);
        code = rawStepDone(tag);
    }
    for (int64_t index = 0; index < input->bookCount && code == SQLITE_OK; index++) {
        for (int position = 0; position < 3 && code == SQLITE_OK; position++) {
            sqlite3_bind_int64(link, 1, index + 1);
            sqlite3_bind_int64(link, 2, (int64_t)input->books[index].tags[position] + 1);
            code = rawStepDone(link);
        }
    }
    sqlite3_finalize(tag);
    sqlite3_finalize(link);
    return code;
}

RawMeasurement rawInsert(RawStore *store, const RawInput *input, bool withTags) {
    RawMeasurement measurement = {0};
    RawClock clock = rawClockStart();
    int code = rawExecute(store, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK) code = insertAuthors(store, input);
    if (code == SQLITE_OK) code = insertBooks(store, input);
    if (code == SQLITE_OK && withTags) code = insertTags(store, input);
    if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    rawClockStop(clock, &measurement);

    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZBOOK", &measurement.values[0]);
    measurement.code = code;
    return measurement;
}

/// Reads the books whose number ends with `digit`; the title ends with the number.
static int readBooks(RawStore *store, const char *pattern, RawBookList *books) {
    sqlite3_stmt *statement = NULL;
    int code = rawPrepare(store, "SELECT " RAW_BOOK_COLUMNS " FROM ZBOOK b WHERE b.ZTITLE LIKE ?", &statement);
    if (code == SQLITE_OK) code = sqlite3_bind_text(statement, 1, pattern, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = rawBookListFill(books, statement);
    sqlite3_finalize(statement);
    return code;
}

RawMeasurement rawUpdate(RawStore *store) {
    RawMeasurement measurement = {0};
    RawBookList books = {0};
    sqlite3_stmt *statement = NULL;
    int code = readBooks(store, "%3", &books);
    if (code == SQLITE_OK) code = rawPrepare(store, "UPDATE ZBOOK SET ZPRICE = ? WHERE Z_PK = ?", &statement);

    RawClock clock = rawClockStart();
    if (code == SQLITE_OK) code = rawExecute(store, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < books.count && code == SQLITE_OK; index++) {
        RawBook *book = books.items[index];
        book->price += 1.0;
        sqlite3_bind_double(statement, 1, book->price);
        sqlite3_bind_int64(statement, 2, book->id);
        code = rawStepDone(statement);
        measurement.values[0] += sqlite3_changes(store->database);
    }
    if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    rawBookListFree(&books);
    measurement.code = code;
    return measurement;
}

RawMeasurement rawDelete(RawStore *store) {
    RawMeasurement measurement = {0};
    RawBookList books = {0};
    sqlite3_stmt *links = NULL, *book = NULL;
    int code = readBooks(store, "%7", &books);
    if (code == SQLITE_OK) code = rawPrepare(store, "DELETE FROM Z_2TAGS WHERE Z_2BOOKS = ?", &links);
    if (code == SQLITE_OK) code = rawPrepare(store, "DELETE FROM ZBOOK WHERE Z_PK = ?", &book);

    RawClock clock = rawClockStart();
    if (code == SQLITE_OK) code = rawExecute(store, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < books.count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(links, 1, books.items[index]->id);
        code = rawStepDone(links);
        if (code != SQLITE_OK) break;
        sqlite3_bind_int64(book, 1, books.items[index]->id);
        code = rawStepDone(book);
    }
    if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    rawClockStop(clock, &measurement);

    sqlite3_finalize(links);
    sqlite3_finalize(book);
    rawBookListFree(&books);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZBOOK", &measurement.values[0]);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM Z_2TAGS", &measurement.values[1]);
    measurement.code = code;
    return measurement;
}

RawMeasurement rawSaveSmall(RawStore *store, const RawBookInput *books, int64_t count) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    int64_t largest = 0;
    int code = rawScalar(store, "SELECT MAX(Z_PK) FROM ZBOOK", &largest);
    if (code == SQLITE_OK) code = rawPrepare(store, rawInsertBookSQL, &statement);

    RawClock clock = rawClockStart();
    for (int64_t index = 0; index < count && code == SQLITE_OK; index++) {
        code = rawExecute(store, "BEGIN IMMEDIATE");
        if (code == SQLITE_OK) code = rawInsertBook(statement, &books[index], largest + 1 + index);
        if (code == SQLITE_OK) code = rawExecute(store, "COMMIT");
    }
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    if (code == SQLITE_OK) code = rawScalar(store, "SELECT COUNT(*) FROM ZBOOK", &measurement.values[0]);
    measurement.code = code;
    return measurement;
}
