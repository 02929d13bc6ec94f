#include "RawStore.h"
#include <string.h>

/// Base letters of U+00C0 to U+017F in lower case; '*' where a letter has none and stays as it is.
static const char baseLetters[] =
    "aaaaaa*ceeeeiiii*nooooo**uuuuy**aaaaaa*ceeeeiiii*nooooo**uuuuy*y"
    "aaaaaaccccccccdd**eeeeeeeeeegggggggghh**iiiiiiiii***jjkk*llllll*"
    "***nnnnnn***oooooo**rrrrrrsssssssstttt**uuuuuuuuuuuuwwyyyzzzzzz*";

/// Folds the character at `text` to a byte without case and diacritics, and moves `text` behind it. Characters
/// outside of the table become 1, which is in no pattern.
static inline unsigned char foldNext(const unsigned char **text, const unsigned char *end) {
    unsigned char first = *(*text)++;
    if (first < 0x80) return first >= 'A' && first <= 'Z' ? first + 32 : first;
    unsigned char folded = 1;
    if (first >= 0xC3 && first <= 0xC5 && *text < end) {
        unsigned int scalar = (unsigned int)(first & 0x1F) << 6 | (**text & 0x3F);
        if (scalar >= 0xC0 && baseLetters[scalar - 0xC0] != '*') folded = (unsigned char)baseLetters[scalar - 0xC0];
    }
    while (*text < end && (**text & 0xC0) == 0x80) (*text)++;
    return folded;
}

/// Titles are far shorter than the buffer; the pattern is folded already.
static void containsFolded(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const unsigned char *text = sqlite3_value_text(values[0]);
    const char *pattern = (const char *)sqlite3_value_text(values[1]);
    if (text == NULL || pattern == NULL) return;
    const unsigned char *end = text + sqlite3_value_bytes(values[0]);
    char folded[512];
    size_t length = 0;
    while (text < end && length < sizeof(folded) - 1) folded[length++] = (char)foldNext(&text, end);
    folded[length] = 0;
    sqlite3_result_int(context, strstr(folded, pattern) != NULL);
}

int rawRegisterMatch(sqlite3 *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(database, "contains_folded", 2, flags, NULL, containsFolded, NULL, NULL);
}

RawMeasurement rawMatch(RawStore *store, const char *foldedText) {
    RawMeasurement measurement = {0};
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT COUNT(*) FROM ZBOOK WHERE contains_folded(ZTITLE, ?)";
    measurement.code = rawPrepare(store, sql, &statement);
    if (measurement.code != SQLITE_OK) return measurement;

    RawClock clock = rawClockStart();
    sqlite3_bind_text(statement, 1, foldedText, -1, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    measurement.values[0] = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    rawClockStop(clock, &measurement);

    sqlite3_finalize(statement);
    measurement.code = code == SQLITE_ROW ? SQLITE_OK : code;
    return measurement;
}
