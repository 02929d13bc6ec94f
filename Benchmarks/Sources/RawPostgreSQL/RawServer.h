/// What the files of the baseline share.
#ifndef RAW_SERVER_H
#define RAW_SERVER_H

#include "RawPostgreSQL.h"
#include <libpq-fe.h>
#include <stddef.h>

struct RawServer {
    PGconn *connection;
    char message[512];
};

typedef struct {
    double wall;
    double cpu;
} ServerClock;

ServerClock serverClockStart(void);
void serverClockStop(ServerClock start, RawMeasurement *measurement);

/// Keeps the connection's message. Returns 1.
int serverFail(RawServer *server);
/// Keeps a result's message unless it is a success, and frees the result.
int serverTake(RawServer *server, PGresult *result);
int serverExecute(RawServer *server, const char *sql);
int serverPrepare(RawServer *server, const char *name, const char *sql);

/// Numbers in the server's order of bytes.
uint16_t bigEndian16(uint16_t value);
uint32_t bigEndian32(uint32_t value);
uint64_t bigEndian64(uint64_t value);
uint64_t bigEndianDouble(double value);
int64_t readInt8(const PGresult *result, int row, int column);
int32_t readInt4(const PGresult *result, int row, int column);
double readDouble(const PGresult *result, int row, int column);

/// An array of values in the server's binary form, grown as values come.
typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
    uint32_t type;
    int32_t count;
    bool hasNull;
} ServerArray;

enum { typeBool = 16, typeInt8 = 20, typeInt4 = 23, typeText = 25, typeFloat8 = 701, typeTimestamp = 1184 };

ServerArray arrayOf(uint32_t type);
void arrayAdd(ServerArray *array, const void *bytes, int32_t length);
void arrayAddNull(ServerArray *array);
void arrayAddInt8(ServerArray *array, int64_t value);
void arrayAddInt4(ServerArray *array, int32_t value);
void arrayAddDouble(ServerArray *array, double value);
void arrayAddDate(ServerArray *array, double secondsSince2001);
/// Writes the head, for the values added so far.
void arrayFinish(ServerArray *array);
/// Forgets the values and keeps the memory.
void arrayClear(ServerArray *array);
void arrayFree(ServerArray *array);

/// Microseconds since 2000-01-01, as the server counts, of seconds since 2001-01-01.
int64_t serverDate(double secondsSince2001);

/// One book as a C program would hold it; the three strings lie behind the struct in the same allocation.
typedef struct {
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
    int32_t version;
    bool hasRating;
    bool inPrint;
} ServerBook;

/// The columns that `serverBookRead` expects, in its order, of a table with the alias `b`.
#define SERVER_BOOK_COLUMNS \
    "b.z_pk, b.author, b.pages, b.in_print, b.price, b.published, b.rating, b.isbn, b.summary, b.title, b.z_opt"

ServerBook *serverBookRead(const PGresult *result, int row);

typedef struct {
    ServerBook **items;
    int64_t count;
    int64_t capacity;
} ServerBookList;

void serverBookListAdd(ServerBookList *list, ServerBook *book);
void serverBookListAddAll(ServerBookList *list, const PGresult *result);
void serverBookListFree(ServerBookList *list);
/// Reads what the statement that was just sent gives, row by row.
int serverBookListReceive(RawServer *server, ServerBookList *list);

#endif
