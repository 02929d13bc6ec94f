#include "RawServer.h"
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const schema =
    "CREATE TABLE IF NOT EXISTS author (z_pk int8 PRIMARY KEY, z_ent int2 NOT NULL, z_opt int4 NOT NULL,"
    " born timestamptz, country text, name text);"
    "CREATE TABLE IF NOT EXISTS book (z_pk int8 PRIMARY KEY, z_ent int2 NOT NULL, z_opt int4 NOT NULL,"
    " in_print bool, pages int4, price float8, published timestamptz, rating float8, isbn text, summary text, title text,"
    " author int8 REFERENCES author (z_pk) DEFERRABLE INITIALLY DEFERRED);"
    "CREATE TABLE IF NOT EXISTS tag (z_pk int8 PRIMARY KEY, z_ent int2 NOT NULL, z_opt int4 NOT NULL, name text);"
    "CREATE TABLE IF NOT EXISTS book_tags (books int8 NOT NULL, tags int8 NOT NULL, PRIMARY KEY (books, tags));"
    "CREATE INDEX IF NOT EXISTS book_author_index ON book (author);"
    "CREATE INDEX IF NOT EXISTS book_by_isbn_index ON book (isbn ASC NULLS FIRST);"
    "CREATE INDEX IF NOT EXISTS book_tags_index ON book_tags (tags, books);";

int rawServerConnect(const char *url, RawServer **server) {
    RawServer *opened = calloc(1, sizeof(RawServer));
    *server = opened;
    if (opened == NULL) return 1;
    opened->connection = PQconnectdb(url);
    if (PQstatus(opened->connection) != CONNECTION_OK) return serverFail(opened);
    return serverExecute(opened, "SET client_min_messages = warning");
}

int rawServerMakeSchema(RawServer *server) { return serverExecute(server, schema); }

int rawServerRun(RawServer *server, const char *statement, int64_t *value) {
    PGresult *result = PQexecParams(server->connection, statement, 0, NULL, NULL, NULL, NULL, 1);
    int hasValue = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0 && PQgetlength(result, 0, 0) == 8;
    if (hasValue) *value = readInt8(result, 0, 0);
    return serverTake(server, result);
}

void rawServerClose(RawServer *server) {
    if (server == NULL) return;
    PQfinish(server->connection);
    free(server);
}

const char *rawServerMessage(RawServer *server) { return server->message; }

int serverFail(RawServer *server) {
    snprintf(server->message, sizeof server->message, "%s", PQerrorMessage(server->connection));
    return 1;
}

int serverTake(RawServer *server, PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    int failed = status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC;
    if (failed) snprintf(server->message, sizeof server->message, "%s", PQresultErrorMessage(result));
    PQclear(result);
    return failed;
}

int serverExecute(RawServer *server, const char *sql) { return serverTake(server, PQexec(server->connection, sql)); }

int serverPrepare(RawServer *server, const char *name, const char *sql) {
    return serverTake(server, PQprepare(server->connection, name, sql, 0, NULL));
}


static double secondsOf(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

ServerClock serverClockStart(void) {
    return (ServerClock){secondsOf(CLOCK_MONOTONIC), secondsOf(CLOCK_PROCESS_CPUTIME_ID)};
}

void serverClockStop(ServerClock start, RawMeasurement *measurement) {
    measurement->wall = secondsOf(CLOCK_MONOTONIC) - start.wall;
    measurement->cpu = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - start.cpu;
}

// MARK: Values

uint16_t bigEndian16(uint16_t value) { return htobe16(value); }
uint32_t bigEndian32(uint32_t value) { return htobe32(value); }
uint64_t bigEndian64(uint64_t value) { return htobe64(value); }

uint64_t bigEndianDouble(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return htobe64(bits);
}

int64_t readInt8(const PGresult *result, int row, int column) {
    uint64_t bits;
    memcpy(&bits, PQgetvalue(result, row, column), sizeof bits);
    return (int64_t)be64toh(bits);
}

int32_t readInt4(const PGresult *result, int row, int column) {
    uint32_t bits;
    memcpy(&bits, PQgetvalue(result, row, column), sizeof bits);
    return (int32_t)be32toh(bits);
}

double readDouble(const PGresult *result, int row, int column) {
    int64_t bits = readInt8(result, row, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { secondsFrom2000To2001 = 31622400 };

int64_t serverDate(double secondsSince2001) {
    return ((int64_t)secondsSince2001 + secondsFrom2000To2001) * 1000000;
}

// MARK: Books

/// Copies a string with its terminator to `target` and answers where the next one goes.
static char *copyString(char *target, const char *string, int length) {
    memcpy(target, string, (size_t)length);
    target[length] = 0;
    return target + length + 1;
}

ServerBook *serverBookRead(const PGresult *result, int row) {
    int isbnLength = PQgetlength(result, row, 7);
    int summaryLength = PQgetlength(result, row, 8);
    int titleLength = PQgetlength(result, row, 9);
    ServerBook *book = malloc(sizeof(ServerBook) + (size_t)(isbnLength + summaryLength + titleLength + 3));
    if (book == NULL) abort();
    book->id = readInt8(result, row, 0);
    book->author = PQgetisnull(result, row, 1) ? 0 : readInt8(result, row, 1);
    book->pages = readInt4(result, row, 2);
    book->inPrint = *PQgetvalue(result, row, 3) != 0;
    book->price = readDouble(result, row, 4);
    book->published = (double)(readInt8(result, row, 5) / 1000000 - secondsFrom2000To2001);
    book->hasRating = !PQgetisnull(result, row, 6);
    book->rating = book->hasRating ? readDouble(result, row, 6) : 0;
    book->version = readInt4(result, row, 10);
    book->isbnLength = isbnLength;
    book->summaryLength = summaryLength;
    book->titleLength = titleLength;

    char *next = (char *)(book + 1);
    book->isbn = next;
    next = copyString(next, PQgetvalue(result, row, 7), isbnLength);
    book->summary = next;
    next = copyString(next, PQgetvalue(result, row, 8), summaryLength);
    book->title = next;
    copyString(next, PQgetvalue(result, row, 9), titleLength);
    return book;
}

void serverBookListAdd(ServerBookList *list, ServerBook *book) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        list->items = realloc(list->items, (size_t)list->capacity * sizeof(ServerBook *));
        if (list->items == NULL) abort();
    }
    list->items[list->count++] = book;
}

void serverBookListAddAll(ServerBookList *list, const PGresult *result) {
    for (int row = 0; row < PQntuples(result); row++) serverBookListAdd(list, serverBookRead(result, row));
}

int serverBookListReceive(RawServer *server, ServerBookList *list) {
    PQsetSingleRowMode(server->connection);
    int failed = 0;
    PGresult *result;
    while ((result = PQgetResult(server->connection)) != NULL) {
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
            serverBookListAdd(list, serverBookRead(result, 0));
            PQclear(result);
        } else {
            failed |= serverTake(server, result);
        }
    }
    return failed;
}

void serverBookListFree(ServerBookList *list) {
    for (int64_t index = 0; index < list->count; index++) free(list->items[index]);
    free(list->items);
    *list = (ServerBookList){0};
}
