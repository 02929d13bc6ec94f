#include "RawServer.h"
#include <stdlib.h>
#include <string.h>

/// As many rows as one statement takes.
enum { mostRows = 5000, mostColumns = 10 };

/// Sends a statement whose parameters are arrays, in a pipeline.
static int sendArrays(RawServer *server, const char *statement, ServerArray *arrays, int count) {
    const char *values[mostColumns];
    int lengths[mostColumns], formats[mostColumns];
    for (int index = 0; index < count; index++) {
        arrayFinish(&arrays[index]);
        values[index] = arrays[index].bytes;
        lengths[index] = (int)arrays[index].length;
        formats[index] = 1;
    }
    int sent = PQsendQueryPrepared(server->connection, statement, count, values, lengths, formats, 1);
    for (int index = 0; index < count; index++) arrayClear(&arrays[index]);
    return sent ? 0 : serverFail(server);
}

static int send(RawServer *server, const char *statement) {
    return PQsendQueryPrepared(server->connection, statement, 0, NULL, NULL, NULL, 1) ? 0 : serverFail(server);
}

/// Ends the pipeline and reads all its answers.
static int finishPipeline(RawServer *server) {
    if (!PQpipelineSync(server->connection)) return serverFail(server);
    int failed = 0;
    while (true) {
        PGresult *result = PQgetResult(server->connection);
        // The end of one statement's answers.
        if (result == NULL) continue;
        int isEnd = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        failed |= serverTake(server, result);
        if (isEnd) return failed;
    }
}

/// What the server answers fits into the socket's buffers, so that neither side waits for room.
static int beginPipeline(RawServer *server) {
    return PQenterPipelineMode(server->connection) ? 0 : serverFail(server);
}

static int prepareTransaction(RawServer *server) {
    return serverPrepare(server, "begin", "BEGIN") || serverPrepare(server, "commit", "COMMIT");
}

// MARK: Insert

static const char *const insertAuthors =
    "INSERT INTO author (z_pk, z_ent, z_opt, born, country, name) SELECT u.k, 1, 1, u.a, u.b, u.c"
    " FROM unnest($1::int8[], $2::timestamptz[], $3::text[], $4::text[]) AS u(k, a, b, c)";
static const char *const insertBooks =
    "INSERT INTO book (z_pk, z_ent, z_opt, in_print, pages, author, price, published, rating, isbn, summary, title)"
    " SELECT u.k, 2, 1, u.a, u.b, u.c, u.d, u.e, u.f, u.g, u.h, u.i"
    " FROM unnest($1::int8[], $2::bool[], $3::int4[], $4::int8[], $5::float8[], $6::timestamptz[], $7::float8[],"
    " $8::text[], $9::text[], $10::text[]) AS u(k, a, b, c, d, e, f, g, h, i)";
static const char *const insertTags =
    "INSERT INTO tag (z_pk, z_ent, z_opt, name) SELECT u.k, 3, 1, u.a FROM unnest($1::int8[], $2::text[]) AS u(k, a)";
static const char *const insertLinks =
    "INSERT INTO book_tags (books, tags) SELECT u.a, u.b FROM unnest($1::int8[], $2::int8[]) AS u(a, b)";

static int sendAuthors(RawServer *server, const RawInput *input) {
    ServerArray columns[] = {arrayOf(typeInt8), arrayOf(typeTimestamp), arrayOf(typeText), arrayOf(typeText)};
    int failed = 0;
    for (int64_t index = 0; index < input->authorCount && !failed; index++) {
        const RawAuthorInput *author = &input->authors[index];
        arrayAddInt8(&columns[0], index + 1);
        arrayAddDate(&columns[1], author->born);
        arrayAdd(&columns[2], author->country, (int32_t)strlen(author->country));
        arrayAdd(&columns[3], author->name, (int32_t)strlen(author->name));
        if (columns[0].count == mostRows) failed = sendArrays(server, "authors", columns, 4);
    }
    if (!failed && columns[0].count > 0) failed = sendArrays(server, "authors", columns, 4);
    for (int index = 0; index < 4; index++) arrayFree(&columns[index]);
    return failed;
}

static void addBook(ServerArray *columns, const RawBookInput *book, int64_t id) {
    arrayAddInt8(&columns[0], id);
    arrayAdd(&columns[1], &book->inPrint, 1);
    arrayAddInt4(&columns[2], book->pages);
    arrayAddInt8(&columns[3], (int64_t)book->author + 1);
    arrayAddDouble(&columns[4], book->price);
    arrayAddDate(&columns[5], book->published);
    if (book->hasRating) arrayAddDouble(&columns[6], book->rating);
    else arrayAddNull(&columns[6]);
    arrayAdd(&columns[7], book->isbn, book->isbnLength);
    arrayAdd(&columns[8], book->summary, book->summaryLength);
    arrayAdd(&columns[9], book->title, book->titleLength);
}

static int sendBooks(RawServer *server, const RawInput *input) {
    static const uint32_t types[mostColumns] = {
        typeInt8, typeBool, typeInt4, typeInt8, typeFloat8, typeTimestamp, typeFloat8, typeText, typeText, typeText,
    };
    ServerArray columns[mostColumns];
    for (int index = 0; index < mostColumns; index++) columns[index] = arrayOf(types[index]);
    int failed = 0;
    for (int64_t index = 0; index < input->bookCount && !failed; index++) {
        addBook(columns, &input->books[index], index + 1);
        if (columns[0].count == mostRows) failed = sendArrays(server, "books", columns, mostColumns);
    }
    if (!failed && columns[0].count > 0) failed = sendArrays(server, "books", columns, mostColumns);
    for (int index = 0; index < mostColumns; index++) arrayFree(&columns[index]);
    return failed;
}

static int sendTags(RawServer *server, const RawInput *input) {
    ServerArray tags[] = {arrayOf(typeInt8), arrayOf(typeText)};
    ServerArray links[] = {arrayOf(typeInt8), arrayOf(typeInt8)};
    for (int64_t index = 0; index < input->tagCount; index++) {
        arrayAddInt8(&tags[0], index + 1);
        arrayAdd(&tags[1], input->tagNames[index], (int32_t)strlen(input->tagNames[index]));
    }
    int failed = sendArrays(server, "tags", tags, 2);
    for (int64_t index = 0; index < input->bookCount && !failed; index++) {
        for (int position = 0; position < 3; position++) {
            arrayAddInt8(&links[0], index + 1);
            arrayAddInt8(&links[1], (int64_t)input->books[index].tags[position] + 1);
        }
        if (links[0].count >= mostRows) failed = sendArrays(server, "links", links, 2);
    }
    if (!failed && links[0].count > 0) failed = sendArrays(server, "links", links, 2);
    for (int index = 0; index < 2; index++) {
        arrayFree(&tags[index]);
        arrayFree(&links[index]);
    }
    return failed;
}

RawMeasurement rawServerInsert(RawServer *server, const RawInput *input, bool withTags) {
    RawMeasurement measurement = {0};
    int failed = prepareTransaction(server) || serverPrepare(server, "authors", insertAuthors)
        || serverPrepare(server, "books", insertBooks) || serverPrepare(server, "tags", insertTags)
        || serverPrepare(server, "links", insertLinks);
    ServerClock clock = serverClockStart();
    failed = failed || beginPipeline(server) || send(server, "begin") || sendAuthors(server, input)
        || sendBooks(server, input) || (withTags && sendTags(server, input)) || send(server, "commit")
        || finishPipeline(server);
    serverClockStop(clock, &measurement);
    PQexitPipelineMode(server->connection);
    measurement.code = failed || rawServerRun(server, "SELECT count(*) FROM book", &measurement.values[0]);
    return measurement;
}

RawMeasurement rawServerSaveSmall(RawServer *server, const RawBookInput *books, int64_t count) {
    static const char *const insertBook =
        "INSERT INTO book (z_pk, z_ent, z_opt, in_print, pages, author, price, published, rating, isbn, summary, title)"
        " VALUES ($1::int8, 2, 1, $2::bool, $3::int4, $4::int8, $5::float8, $6::timestamptz, $7::float8, $8::text,"
        " $9::text, $10::text)";
    RawMeasurement measurement = {0};
    int64_t largest = 0;
    int failed = prepareTransaction(server) || serverPrepare(server, "book", insertBook)
        || rawServerRun(server, "SELECT max(z_pk) FROM book", &largest);
    static const int formats[mostColumns] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    ServerClock clock = serverClockStart();
    failed = failed || beginPipeline(server);
    for (int64_t index = 0; index < count && !failed; index++) {
        const RawBookInput *book = &books[index];
        uint64_t id = bigEndian64((uint64_t)(largest + 1 + index)), author = bigEndian64((uint64_t)book->author + 1);
        uint32_t pages = bigEndian32((uint32_t)book->pages);
        uint64_t price = bigEndianDouble(book->price), rating = bigEndianDouble(book->rating);
        uint64_t published = bigEndian64((uint64_t)serverDate(book->published));
        const char *values[mostColumns] = {
            (char *)&id, (char *)&book->inPrint, (char *)&pages, (char *)&author, (char *)&price, (char *)&published,
            book->hasRating ? (char *)&rating : NULL, book->isbn, book->summary, book->title,
        };
        const int lengths[mostColumns] = {
            8, 1, 4, 8, 8, 8, 8, book->isbnLength, book->summaryLength, book->titleLength,
        };
        failed = send(server, "begin")
            || (!PQsendQueryPrepared(server->connection, "book", mostColumns, values, lengths, formats, 1)
                && serverFail(server))
            || send(server, "commit") || finishPipeline(server);
    }
    serverClockStop(clock, &measurement);
    PQexitPipelineMode(server->connection);
    measurement.code = failed || rawServerRun(server, "SELECT count(*) FROM book", &measurement.values[0]);
    return measurement;
}

// MARK: Update and delete

/// Reads the books whose number ends with the pattern's digit; the title ends with the number.
static int readBooks(RawServer *server, const char *pattern, ServerBookList *books) {
    const char *sql = "SELECT " SERVER_BOOK_COLUMNS " FROM book b WHERE b.title LIKE $1";
    if (!PQsendQueryParams(server->connection, sql, 1, NULL, &pattern, NULL, NULL, 1)) return serverFail(server);
    return serverBookListReceive(server, books);
}

RawMeasurement rawServerUpdate(RawServer *server) {
    RawMeasurement measurement = {0};
    ServerBookList books = {0};
    ServerArray columns[] = {arrayOf(typeInt8), arrayOf(typeInt4), arrayOf(typeFloat8)};
    int failed = prepareTransaction(server)
        || serverPrepare(server, "prices",
            "UPDATE book AS t SET z_opt = t.z_opt + 1, price = u.p FROM unnest($1::int8[], $2::int4[], $3::float8[])"
            " AS u(k, v, p) WHERE t.z_pk = u.k AND t.z_opt = u.v")
        || readBooks(server, "%3", &books);
    ServerClock clock = serverClockStart();
    failed = failed || beginPipeline(server) || send(server, "begin");
    for (int64_t index = 0; index < books.count && !failed; index++) {
        books.items[index]->price += 1.0;
        arrayAddInt8(&columns[0], books.items[index]->id);
        arrayAddInt4(&columns[1], books.items[index]->version);
        arrayAddDouble(&columns[2], books.items[index]->price);
        if (columns[0].count == mostRows) failed = sendArrays(server, "prices", columns, 3);
    }
    if (!failed && columns[0].count > 0) failed = sendArrays(server, "prices", columns, 3);
    failed = failed || send(server, "commit") || finishPipeline(server);
    serverClockStop(clock, &measurement);
    PQexitPipelineMode(server->connection);
    for (int index = 0; index < 3; index++) arrayFree(&columns[index]);
    serverBookListFree(&books);
    measurement.code =
        failed || rawServerRun(server, "SELECT count(*) FROM book WHERE z_opt = 2", &measurement.values[0]);
    return measurement;
}

RawMeasurement rawServerDelete(RawServer *server) {
    RawMeasurement measurement = {0};
    ServerBookList books = {0};
    ServerArray keys = arrayOf(typeInt8);
    int failed = prepareTransaction(server)
        || serverPrepare(server, "unlink", "DELETE FROM book_tags WHERE books = ANY($1::int8[])")
        || serverPrepare(server, "remove", "DELETE FROM book WHERE z_pk = ANY($1::int8[])")
        || readBooks(server, "%7", &books);
    ServerClock clock = serverClockStart();
    failed = failed || beginPipeline(server) || send(server, "begin");
    for (int pass = 0; pass < 2; pass++) {
        const char *statement = pass == 0 ? "unlink" : "remove";
        for (int64_t index = 0; index < books.count && !failed; index++) {
            arrayAddInt8(&keys, books.items[index]->id);
            if (keys.count == mostRows) failed = sendArrays(server, statement, &keys, 1);
        }
        if (!failed && keys.count > 0) failed = sendArrays(server, statement, &keys, 1);
    }
    failed = failed || send(server, "commit") || finishPipeline(server);
    serverClockStop(clock, &measurement);
    PQexitPipelineMode(server->connection);
    arrayFree(&keys);
    serverBookListFree(&books);
    measurement.code = failed || rawServerRun(server, "SELECT count(*) FROM book", &measurement.values[0])
        || rawServerRun(server, "SELECT count(*) FROM book_tags", &measurement.values[1]);
    return measurement;
}
