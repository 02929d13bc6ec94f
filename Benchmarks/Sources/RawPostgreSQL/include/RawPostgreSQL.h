/// The workload written directly against libpq: the baseline of the ratios for PostgreSQL.
///
/// One connection, binary parameters and results, prepared statements. Sets of rows travel as arrays that the server
/// unnests, whole results are read row by row, and what belongs to one transaction is sent in one pipeline: the fastest
/// form that was measured for each operation. Tables have the columns, indexes, foreign keys and join table that a managed
/// object store has.
#ifndef RAW_POSTGRESQL_H
#define RAW_POSTGRESQL_H

#include "RawSQLite.h"

typedef struct RawServer RawServer;

/// Connects to a database. Functions answer 0, or 1 with a message.
int rawServerConnect(const char *_Nonnull url, RawServer *_Nullable *_Nonnull server);
/// Makes the tables unless they are there.
int rawServerMakeSchema(RawServer *_Nonnull server);
/// Runs a statement. `value` becomes the `int8` of its first row, where there is one.
int rawServerRun(RawServer *_Nonnull server, const char *_Nonnull statement, int64_t *_Nonnull value);
void rawServerClose(RawServer *_Nullable server);
/// What the server said when something failed last.
const char *_Nonnull rawServerMessage(RawServer *_Nonnull server);

RawMeasurement rawServerInsert(RawServer *_Nonnull server, const RawInput *_Nonnull input, bool withTags);
RawMeasurement rawServerUpdate(RawServer *_Nonnull server);
RawMeasurement rawServerDelete(RawServer *_Nonnull server);
RawMeasurement rawServerSaveSmall(RawServer *_Nonnull server, const RawBookInput *_Nonnull books, int64_t count);

RawMeasurement rawServerFetchTouch(RawServer *_Nonnull server);
RawMeasurement rawServerByKey(
    RawServer *_Nonnull server, const char *_Nonnull const *_Nonnull keys, int64_t count);
RawMeasurement rawServerPredicate(RawServer *_Nonnull server);
RawMeasurement rawServerTraverse(RawServer *_Nonnull server, bool prefetch);
RawMeasurement rawServerAggregate(RawServer *_Nonnull server, int64_t havingMoreThan);

#endif
