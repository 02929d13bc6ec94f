#include "NumberFunctions.h"

#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef sqlite3_int64 whole_number;

/* What a function takes is in its user data: 0 for any number, or how many bits an integer has. */
static intptr_t bits_of(sqlite3_context *context) { return (intptr_t)sqlite3_user_data(context); }

static int fits(whole_number number, intptr_t bits) {
    if (bits == 16) return number == (int16_t)number;
    if (bits == 32) return number == (int32_t)number;
    return 1;
}

static void refuse(sqlite3_context *context) {
    sqlite3_result_error(context, "a value can be none of its column", -1);
    sqlite3_result_error_code(context, SQLITE_MISMATCH);
}

/* The type of a number, whose value is left in `*whole` or `*real`. SQLITE_NULL for none, and 0 after a refusal. */
static int take(sqlite3_context *context, sqlite3_value *value, whole_number *whole, double *real) {
    int type = sqlite3_value_type(value);
    /* Of text, that of the number that it is, if it is one: rows are read so. */
    if (type == SQLITE_TEXT) type = sqlite3_value_numeric_type(value);
    intptr_t bits = bits_of(context);
    switch (type) {
    case SQLITE_NULL: return type;
    case SQLITE_INTEGER:
        *whole = sqlite3_value_int64(value);
        if (fits(*whole, bits)) return type;
        break;
    case SQLITE_FLOAT:
        *real = sqlite3_value_double(value);
        if (bits == 0) return type;
        if (*real >= -0x1p63 && *real < 0x1p63 && *real == trunc(*real)) {
            *whole = (whole_number)*real;
            if (fits(*whole, bits)) return SQLITE_INTEGER;
        }
        break;
    default: break;
    }
    refuse(context);
    return 0;
}

/* Sums are whole while all numbers are, and then compensated for what rounding loses, as those in memory are. */
typedef struct {
    double sum;
    double compensation;
    whole_number whole;
    whole_number count;
    int isReal;
    int isTooLarge;
} number_sum;

static void add_real(number_sum *sum, double number) {
    double total = sum->sum + number;
    sum->compensation +=
        fabs(sum->sum) > fabs(number) ? (sum->sum - total) + number : (number - total) + sum->sum;
    sum->sum = total;
}

/* A double has no room for all digits of a large integer: it is added in two parts. */
static void add_whole(number_sum *sum, whole_number number) {
    whole_number rest = number % 16384;
    add_real(sum, (double)(number - rest));
    if (rest) add_real(sum, (double)rest);
}

static void become_real(number_sum *sum) {
    sum->isReal = 1;
    add_whole(sum, sum->whole);
}

static double real_value(const number_sum *sum) {
    double value = sum->sum + sum->compensation;
    return isfinite(value) ? value : sum->sum;
}

static void sum_step(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    whole_number whole = 0;
    double real = 0;
    int type = take(context, arguments[0], &whole, &real);
    if (type == 0 || type == SQLITE_NULL) return;
    number_sum *sum = sqlite3_aggregate_context(context, sizeof(number_sum));
    if (!sum) return;
    sum->count += 1;
    if (type == SQLITE_FLOAT) {
        if (!sum->isReal) become_real(sum);
        add_real(sum, real);
    } else if (sum->isReal) {
        add_whole(sum, whole);
    } else if (__builtin_add_overflow(sum->whole, whole, &sum->whole)) {
        /* What stands there now is the sum without the bits above. */
        sum->whole = (whole_number)((uint64_t)sum->whole - (uint64_t)whole);
        sum->isTooLarge = 1;
        become_real(sum);
        add_whole(sum, whole);
    }
}

static void sum_end(sqlite3_context *context) {
    number_sum *sum = sqlite3_aggregate_context(context, 0);
    if (!sum || sum->count == 0) return sqlite3_result_null(context);
    if (sum->isTooLarge) return sqlite3_result_error(context, "integer overflow", -1);
    if (!sum->isReal) return sqlite3_result_int64(context, sum->whole);
    sqlite3_result_double(context, real_value(sum));
}

static void average_end(sqlite3_context *context) {
    number_sum *sum = sqlite3_aggregate_context(context, 0);
    if (!sum || sum->count == 0) return sqlite3_result_null(context);
    double total = sum->isReal ? real_value(sum) : (double)sum->whole;
    sqlite3_result_double(context, total / (double)sum->count);
}

/* The least or greatest so far. */
typedef struct {
    whole_number whole;
    double real;
    int type;
} extreme_number;

/* Compares exactly: a double has no room for all digits of a large integer. */
static int compare(const extreme_number *left, const extreme_number *right) {
    if (left->type == right->type) {
        if (left->type == SQLITE_INTEGER) return (left->whole > right->whole) - (left->whole < right->whole);
        return (left->real > right->real) - (left->real < right->real);
    }
    if (left->type == SQLITE_FLOAT) return -compare(right, left);
    if (right->real >= 0x1p63) return -1;
    if (right->real < -0x1p63) return 1;
    whole_number truncated = (whole_number)right->real;
    if (left->whole != truncated) return left->whole < truncated ? -1 : 1;
    double rest = right->real - trunc(right->real);
    return rest > 0 ? -1 : rest < 0;
}

static void extreme_step(sqlite3_context *context, sqlite3_value *value, int sign) {
    extreme_number number = {0, 0, 0};
    number.type = take(context, value, &number.whole, &number.real);
    if (number.type == 0 || number.type == SQLITE_NULL) return;
    extreme_number *extreme = sqlite3_aggregate_context(context, sizeof(extreme_number));
    if (extreme && (extreme->type == 0 || compare(&number, extreme) * sign > 0)) *extreme = number;
}

static void minimum_step(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    extreme_step(context, arguments[0], -1);
}

static void maximum_step(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    extreme_step(context, arguments[0], 1);
}

static void extreme_end(sqlite3_context *context) {
    extreme_number *extreme = sqlite3_aggregate_context(context, 0);
    if (!extreme || extreme->type == 0) return sqlite3_result_null(context);
    if (extreme->type == SQLITE_INTEGER) return sqlite3_result_int64(context, extreme->whole);
    sqlite3_result_double(context, extreme->real);
}

static void number(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    whole_number whole = 0;
    double real = 0;
    switch (take(context, arguments[0], &whole, &real)) {
    case SQLITE_INTEGER: return sqlite3_result_int64(context, whole);
    case SQLITE_FLOAT: return sqlite3_result_double(context, real);
    case SQLITE_NULL: return sqlite3_result_null(context);
    default: return;
    }
}

/* `ocd_fitting(value, bits, message)` */
static void fitting(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    int type = sqlite3_value_type(arguments[0]);
    if (type == SQLITE_NULL) return sqlite3_result_null(context);
    if (type == SQLITE_INTEGER && fits(sqlite3_value_int64(arguments[0]), sqlite3_value_int(arguments[1])))
        return sqlite3_result_value(context, arguments[0]);
    const char *message = (const char *)sqlite3_value_text(arguments[2]);
    sqlite3_result_error(context, message ? message : "", -1);
    sqlite3_result_error_code(context, SQLITE_RANGE);
}

typedef struct {
    const char *name;
    void (*call)(sqlite3_context *, int, sqlite3_value **);
    void (*step)(sqlite3_context *, int, sqlite3_value **);
    void (*end)(sqlite3_context *);
} number_function;

int engine_register_number_functions(void *connection) {
    static const number_function functions[] = {
        {"ocd_sum", 0, sum_step, sum_end},
        {"ocd_average", 0, sum_step, average_end},
        {"ocd_minimum", 0, minimum_step, extreme_end},
        {"ocd_maximum", 0, maximum_step, extreme_end},
        {"ocd_number", number, 0, 0},
    };
    static const struct {
        const char *ending;
        intptr_t bits;
    } kinds[] = {{"", 0}, {"_16", 16}, {"_32", 32}, {"_64", 64}};
    for (size_t index = 0; index < sizeof(functions) / sizeof(functions[0]); index++) {
        const number_function *function = &functions[index];
        for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
            char name[32];
            snprintf(name, sizeof(name), "%s%s", function->name, kinds[kind].ending);
            int code = sqlite3_create_function_v2(
                connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, (void *)kinds[kind].bits,
                function->call, function->step, function->end, 0);
            if (code != SQLITE_OK) return code;
        }
    }
    return sqlite3_create_function_v2(
        connection, "ocd_fitting", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, 0, fitting, 0, 0, 0);
}
