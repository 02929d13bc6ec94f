import CSQLite
import Foundation

/// Names of the functions over the rows of a group that SQLite lacks.
enum GroupFunction {
    static let median = "ocd_median"
    static let lowMedian = "ocd_median_low"
    static let deviation = "ocd_deviation"
}

/// Medians and standard deviations. NULL counts nowhere, and a group without values gives NULL.
extension SQLiteConnection {
    func registerGroupFunctions() throws {
        try registerAggregate(GroupFunction.median, addNumber) { context in
            guard let numbers = finished(context, NumberCollection.self)?.numbers.sorted(), !numbers.isEmpty else {
                return sqlite3_result_null(context)
            }
            let middle = numbers.count / 2
            sqlite3_result_double(
                context, numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2)
        }
        try registerAggregate(GroupFunction.deviation, addNumber) { context in
            guard let numbers = finished(context, NumberCollection.self)?.numbers, !numbers.isEmpty else {
                return sqlite3_result_null(context)
            }
            let mean = CompensatedSum(numbers).value / Double(numbers.count)
            let squares = CompensatedSum(numbers.map { ($0 - mean) * ($0 - mean) })
            sqlite3_result_double(context, (squares.value / Double(numbers.count)).squareRoot())
        }
        try registerAggregate(GroupFunction.lowMedian, addValue) { context in
            guard let values = finished(context, ValueCollection.self)?.sorted(), !values.isEmpty else {
                return sqlite3_result_null(context)
            }
            SQLFunctionArgument.result(context, value: values[(values.count - 1) / 2])
        }
    }

    private func registerAggregate(
        _ name: String, _ step: @escaping SQLFunctionBody, _ finish: @escaping @convention(c) (OpaquePointer?) -> Void
    ) throws {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC
        let code = sqlite3_create_function_v2(handle, name, 1, flags, nil, nil, step, finish, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }
}

/// The numbers of a group.
private final class NumberCollection: GroupCollection {
    var numbers: [Double] = []
}

/// Dates or strings of a group.
private final class ValueCollection: GroupCollection {
    var values: [SQLValue] = []

    /// The values in the order that SQLite itself gives them.
    func sorted() -> [SQLValue] {
        values.sorted { left, right in
            switch (left, right) {
            case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
            case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
            default: (left.number ?? 0) < (right.number ?? 0)
            }
        }
    }
}

/// What an aggregate has seen so far; SQLite keeps a pointer to it for the time of the statement.
private class GroupCollection {
    required init() {}
}

private func collection<Collection: GroupCollection>(
    _ context: OpaquePointer?, _ type: Collection.Type
) -> Collection? {
    guard
        let slot = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    else { return nil }
    if slot.pointee == nil { slot.pointee = Unmanaged.passRetained(type.init()).toOpaque() }
    return slot.pointee.map { Unmanaged<Collection>.fromOpaque($0).takeUnretainedValue() }
}

/// What was collected, which SQLite forgets with this; `nil` when there was no row.
private func finished<Collection: GroupCollection>(
    _ context: OpaquePointer?, _ type: Collection.Type
) -> Collection? {
    guard
        let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
        let pointer = slot.pointee
    else { return nil }
    slot.pointee = nil
    return Unmanaged<Collection>.fromOpaque(pointer).takeRetainedValue()
}

private func addNumber(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let argument = arguments?[0], sqlite3_value_type(argument) != SQLITE_NULL else { return }
    collection(context, NumberCollection.self)?.numbers.append(sqlite3_value_double(argument))
}

private func addValue(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let argument = arguments?[0], sqlite3_value_type(argument) != SQLITE_NULL else { return }
    collection(context, ValueCollection.self)?.values.append(SQLFunctionArgument.value(argument))
}
