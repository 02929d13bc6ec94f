import CSQLite
import Foundation

/// Sums and averages of decimal columns, exact as in memory.
///
/// A decimal is stored as a binary number; the shortest decimal string of that number is what was saved. SQLite's `sum`
/// adds the binary numbers. `ocd_decimal_sum` and `ocd_decimal_average` add decimals and return their text, or NULL if
/// there are no values.
extension SQLiteConnection {
    func registerDecimalFunctions() throws {
        try registerAggregate("ocd_decimal_sum") { total, _ in total }
        try registerAggregate("ocd_decimal_average") { total, count in total / Decimal(count) }
    }

    private func registerAggregate(
        _ name: String, _ finish: @escaping @Sendable (_ total: Decimal, _ count: Int) -> Decimal
    ) throws {
        let box = Unmanaged.passRetained(DecimalAggregate(finish: finish))
        let code = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, box.toOpaque(), nil,
            { context, _, arguments in addDecimal(context, arguments?[0]) },
            { context in finishDecimals(context) },
            { box in if let box { Unmanaged<DecimalAggregate>.fromOpaque(box).release() } })
        guard code == SQLITE_OK else { throw error(code) }
    }
}

/// How an aggregate ends.
private final class DecimalAggregate: Sendable {
    let finish: @Sendable (Decimal, Int) -> Decimal

    init(finish: @escaping @Sendable (Decimal, Int) -> Decimal) {
        self.finish = finish
    }
}

/// What an aggregate has seen so far.
///
/// SQLite keeps a pointer to it for the time of the statement.
private final class DecimalTotal {
    var total = Decimal(0)
    var count = 0
}

private func addDecimal(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard sqlite3_value_type(argument) != SQLITE_NULL else { return }
    guard let string = SQLFunctionArgument.shortestNumber(argument), let value = Decimal(shortestString: string) else {
        return sqlite3_result_error_code(context, SQLITE_MISMATCH)
    }
    guard
        let slot = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    else { return }
    if slot.pointee == nil { slot.pointee = Unmanaged.passRetained(DecimalTotal()).toOpaque() }
    guard let pointer = slot.pointee else { return }
    let total = Unmanaged<DecimalTotal>.fromOpaque(pointer).takeUnretainedValue()
    total.total += value
    total.count += 1
}

private func finishDecimals(_ context: OpaquePointer?) {
    guard
        let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
        let pointer = slot.pointee, let box = sqlite3_user_data(context)
    else {
        sqlite3_result_null(context)
        return
    }
    let total = Unmanaged<DecimalTotal>.fromOpaque(pointer).takeRetainedValue()
    let aggregate = Unmanaged<DecimalAggregate>.fromOpaque(box).takeUnretainedValue()
    SQLFunctionArgument.result(context, "\(aggregate.finish(total.total, total.count))")
}
