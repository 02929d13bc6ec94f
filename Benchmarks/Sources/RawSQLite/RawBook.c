#include "RawStore.h"
#include <stdlib.h>
#include <string.h>

/// Copies a text with its terminator to `target` and answers where the next one goes.
static char *copyText(char *target, const unsigned char *text, int length) {
    if (text != NULL) memcpy(target, text, (size_t)length);
    target[length] = 0;
    return target + length + 1;
}

RawBook *rawBookRead(sqlite3_stmt *statement) {
    const unsigned char *isbn = sqlite3_column_text(statement, 7);
    int isbnLength = sqlite3_column_bytes(statement, 7);
    const unsigned char *summary = sqlite3_column_text(statement, 8);
    int summaryLength = sqlite3_column_bytes(statement, 8);
    const unsigned char *title = sqlite3_column_text(statement, 9);
    int titleLength = sqlite3_column_bytes(statement, 9);

    RawBook *book = malloc(sizeof(RawBook) + (size_t)(isbnLength + summaryLength + titleLength + 3));
    if (book == NULL) abort();
    book->id = sqlite3_column_int64(statement, 0);
    book->author = sqlite3_column_int64(statement, 1);
    book->pages = sqlite3_column_int(statement, 2);
    book->inPrint = sqlite3_column_int(statement, 3) != 0;
    book->price = sqlite3_column_double(statement, 4);
    book->published = sqlite3_column_double(statement, 5);
    book->hasRating = sqlite3_column_type(statement, 6) != SQLITE_NULL;
    book->rating = book->hasRating ? sqlite3_column_double(statement, 6) : 0;
    book->isbnLength = isbnLength;
    book->summaryLength = summaryLength;
    book->titleLength = titleLength;

    char *next = (char *)(book + 1);
    book->isbn = next;
    next = copyText(next, isbn, isbnLength);
    book->summary = next;
    next = copyText(next, summary, summaryLength);
    book->title = next;
    copyText(next, title, titleLength);
    return book;
}

void rawBookListAdd(RawBookList *list, RawBook *book) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        list->items = realloc(list->items, (size_t)list->capacity * sizeof(RawBook *));
        if (list->items == NULL) abort();
    }
    list->items[list->count++] = book;
}

int rawBookListFill(RawBookList *list, sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) rawBookListAdd(list, rawBookRead(statement));
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void rawBookListFree(RawBookList *list) {
    for (int64_t index = 0; index < list->count; index++) free(list->items[index]);
    free(list->items);
    *list = (RawBookList){0};
}
