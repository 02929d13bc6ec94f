#include "RawServer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t touchSum(const ServerBook *book) {
    int64_t sum = book->title[book->titleLength - 1] + book->isbn[book->isbnLength - 1]
        + book->summary[book->summaryLength - 1];
    sum += book->pages;
    sum += (int64_t)floor(book->price * 100 + 0.5);
    sum += (int64_t)book->published % 60;
    if (book->hasRating) sum += (int64_t)floor(book->rating * 10 + 0.5);
    return sum + (book->inPrint ? 1 : 0);
}

static int64_t pagesOf(const ServerBookList *list) {
    int64_t sum = 0;
    for (int64_t index = 0; index < list->count; index++) sum += list->items[index]->pages;
    return sum;
}

static int sendStatement(RawServer *server, const char *sql) {
    return PQsendQueryParams(server->connection, sql, 0, NULL, NULL, NULL, NULL, 1) ? 0 : serverFail(server);
}

RawMeasurement rawServerFetchTouch(RawServer *server) {
    RawMeasurement measurement = {0};
    ServerBookList books = {0};
    ServerClock clock = serverClockStart();
    measurement.code = sendStatement(server, "SELECT " SERVER_BOOK_COLUMNS " FROM book b")
        || serverBookListReceive(server, &books);
    for (int64_t index = 0; index < books.count; index++) measurement.values[0] += touchSum(books.items[index]);
    serverClockStop(clock, &measurement);
    serverBookListFree(&books);
    return measurement;
}

RawMeasurement rawServerByKey(RawServer *server, const char *const *keys, int64_t count) {
    RawMeasurement measurement = {0};
    ServerBookList books = {0};
    // The shared store runs it again and again on one connection.
    PQclear(PQexec(server->connection, "DEALLOCATE ALL"));
    int failed =
        serverPrepare(server, "by-key", "SELECT " SERVER_BOOK_COLUMNS " FROM book b WHERE b.isbn = $1::text");
    ServerClock clock = serverClockStart();
    for (int64_t index = 0; index < count && !failed; index++) {
        int length = (int)strlen(keys[index]), format = 1;
        PGresult *result =
            PQexecPrepared(server->connection, "by-key", 1, &keys[index], &length, &format, 1);
        if (PQresultStatus(result) == PGRES_TUPLES_OK) serverBookListAddAll(&books, result);
        failed = serverTake(server, result);
    }
    measurement.values[0] = pagesOf(&books);
    serverClockStop(clock, &measurement);
    serverBookListFree(&books);
    measurement.code = failed;
    return measurement;
}

RawMeasurement rawServerPredicate(RawServer *server) {
    RawMeasurement measurement = {0};
    ServerBookList books = {0};
    const char *sql = "SELECT " SERVER_BOOK_COLUMNS " FROM book b JOIN author a ON b.author = a.z_pk"
                      " WHERE b.pages > $1::int4 AND b.price < $2::float8 AND a.country = $3::text"
                      " ORDER BY b.title COLLATE \"C\" LIMIT 1000";
    ServerClock clock = serverClockStart();
    uint32_t pages = bigEndian32(400);
    uint64_t price = bigEndianDouble(20.0);
    const char *values[] = {(char *)&pages, (char *)&price, "FR"};
    const int lengths[] = {4, 8, 2}, formats[] = {1, 1, 1};
    int failed = !PQsendQueryParams(server->connection, sql, 3, NULL, values, lengths, formats, 1) && serverFail(server);
    failed = failed || serverBookListReceive(server, &books);
    measurement.values[1] = pagesOf(&books);
    serverClockStop(clock, &measurement);
    measurement.values[0] = books.count;
    serverBookListFree(&books);
    measurement.code = failed;
    return measurement;
}

RawMeasurement rawServerAggregate(RawServer *server, int64_t havingMoreThan) {
    RawMeasurement measurement = {0};
    const char *sql = "SELECT a.country, avg(b.price), count(b.z_pk) FROM book b JOIN author a ON b.author = a.z_pk"
                      " GROUP BY a.country HAVING count(b.z_pk) > $1::int8";
    ServerClock clock = serverClockStart();
    uint64_t limit = bigEndian64((uint64_t)havingMoreThan);
    const char *values[] = {(char *)&limit};
    const int lengths[] = {8}, formats[] = {1};
    PGresult *result = PQexecParams(server->connection, sql, 1, NULL, values, lengths, formats, 1);
    if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        for (int row = 0; row < PQntuples(result); row++) {
            measurement.values[0] += 1;
            measurement.values[1] += readInt8(result, row, 2);
            measurement.values[2] += (int64_t)floor(readDouble(result, row, 1) * 100 + 0.5);
        }
    }
    measurement.code = serverTake(server, result);
    serverClockStop(clock, &measurement);
    return measurement;
}

// MARK: Authors with their books

/// One author as a C program would hold it, with its books once they are read.
typedef struct {
    int64_t id;
    int64_t born;
    char *name;
    char *country;
    ServerBookList books;
} ServerAuthor;

static char *copyValue(const PGresult *result, int row, int column) {
    return strndup(PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column));
}

/// One statement for each author.
static int readBooksOneByOne(RawServer *server, ServerAuthor *authors, int64_t count) {
    int failed = 0;
    for (int64_t index = 0; index < count && !failed; index++) {
        uint64_t id = bigEndian64((uint64_t)authors[index].id);
        const char *value = (char *)&id;
        int length = 8, format = 1;
        PGresult *result = PQexecPrepared(server->connection, "books-of", 1, &value, &length, &format, 1);
        if (PQresultStatus(result) == PGRES_TUPLES_OK) serverBookListAddAll(&authors[index].books, result);
        failed = serverTake(server, result);
    }
    return failed;
}

/// One statement for all books; each is given to its author through a table by primary key.
static int readAllBooks(RawServer *server, ServerAuthor *authors, int64_t count) {
    ServerBookList books = {0};
    if (sendStatement(server, "SELECT " SERVER_BOOK_COLUMNS " FROM book b WHERE b.author IS NOT NULL")
        || serverBookListReceive(server, &books))
        return 1;
    int64_t largest = 0;
    for (int64_t index = 0; index < count; index++) {
        if (authors[index].id > largest) largest = authors[index].id;
    }
    ServerAuthor **byID = calloc((size_t)largest + 1, sizeof(ServerAuthor *));
    if (byID == NULL) abort();
    for (int64_t index = 0; index < count; index++) byID[authors[index].id] = &authors[index];
    for (int64_t index = 0; index < books.count; index++) {
        ServerBook *book = books.items[index];
        if (book->author > 0 && book->author <= largest && byID[book->author] != NULL) {
            serverBookListAdd(&byID[book->author]->books, book);
        }
    }
    free(byID);
    free(books.items);
    return 0;
}

RawMeasurement rawServerTraverse(RawServer *server, bool prefetch) {
    RawMeasurement measurement = {0};
    PQclear(PQexec(server->connection, "DEALLOCATE ALL"));
    int failed = serverPrepare(
        server, "books-of", "SELECT " SERVER_BOOK_COLUMNS " FROM book b WHERE b.author = $1::int8");
    ServerClock clock = serverClockStart();
    PGresult *result = PQexecParams(
        server->connection, "SELECT z_pk, born, country, name FROM author", 0, NULL, NULL, NULL, NULL, 1);
    int64_t count = PQresultStatus(result) == PGRES_TUPLES_OK ? PQntuples(result) : 0;
    ServerAuthor *authors = calloc((size_t)count + 1, sizeof(ServerAuthor));
    if (authors == NULL) abort();
    for (int row = 0; row < count; row++) {
        authors[row].id = readInt8(result, row, 0);
        authors[row].born = readInt8(result, row, 1);
        authors[row].country = copyValue(result, row, 2);
        authors[row].name = copyValue(result, row, 3);
    }
    failed = serverTake(server, result) || failed;
    failed = failed
        || (prefetch ? readAllBooks(server, authors, count) : readBooksOneByOne(server, authors, count));
    for (int64_t index = 0; index < count; index++) measurement.values[0] += pagesOf(&authors[index].books);
    serverClockStop(clock, &measurement);
    for (int64_t index = 0; index < count; index++) {
        serverBookListFree(&authors[index].books);
        free(authors[index].name);
        free(authors[index].country);
    }
    free(authors);
    measurement.code = failed;
    return measurement;
}
