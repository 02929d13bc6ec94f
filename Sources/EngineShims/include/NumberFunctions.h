#ifndef ENGINE_NUMBER_FUNCTIONS_H
#define ENGINE_NUMBER_FUNCTIONS_H

/// Makes the SQL functions known to a connection (`sqlite3 *`) that take the numbers of columns: `ocd_sum`, `ocd_average`,
/// `ocd_minimum` and `ocd_maximum` over the rows of a group, and `ocd_number`, which gives its argument.
///
/// SQLite's own functions take text for the number that it begins with, or 0. These end the statement with
/// `SQLITE_MISMATCH` if the column can't have the value. Each exists four times: as named for any number, and with
/// `_16`, `_32` and `_64` at the end for integers of so many bits. `ocd_fitting(value, bits, message)` gives a value that is
/// an integer of so many bits, and ends the statement with `SQLITE_RANGE` and the message for another one.
///
/// - Returns: SQLite's code.
int engine_register_number_functions(void *_Nonnull connection);

#endif
