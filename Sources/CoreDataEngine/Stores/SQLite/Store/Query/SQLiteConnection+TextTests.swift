import CSQLite
import Foundation

/// Text operators, folding and text orders in SQL, all of them `TextComparison`'s.
extension SQLiteConnection {
    func registerTextTests() throws {
        try register(QueryFunction.matches, 4, isDeterministic: true) { context, _, arguments in
            guard let arguments, let context else { return }
            matchText(context, arguments)
        }
        try register(QueryFunction.folded, 2, isDeterministic: true) { context, _, arguments in
            guard let arguments, let bytes = SQLFunctionArgument.utf8(arguments[0]) else {
                return sqlite3_result_null(context)
            }
            let options = NSComparisonPredicate.Options(
                rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[1])))
            TextFolding.withFolded(bytes, options) { SQLFunctionArgument.result(context, utf8: $0) }
        }
        try register(QueryFunction.localizedOrder, 2, isDeterministic: true) { context, _, arguments in
            guard let left = SQLFunctionArgument.text(arguments?[0]), let right = SQLFunctionArgument.text(arguments?[1])
            else { return sqlite3_result_null(context) }
            let order = TextComparison.compare(left, right, options: .localeSensitive)
            sqlite3_result_int(context, Int32(order.rawValue))
        }
    }

    /// Makes the orders that sort descriptors name known as collations.
    func registerSortCollations() throws {
        for ordering in TextOrdering.allCases {
            let box = Unmanaged.passRetained(CollationBox(ordering))
            let code = sqlite3_create_collation_v2(
                handle, QueryFunction.collation(ordering), SQLITE_UTF8, box.toOpaque(),
                { box, leftCount, left, rightCount, right in
                    guard let box else { return 0 }
                    let ordering = Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().ordering
                    let result = ordering.compare(
                        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                        UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
                    return Int32(result.rawValue)
                },
                { box in
                    if let box { Unmanaged<CollationBox>.fromOpaque(box).release() }
                })
            guard code == SQLITE_OK else {
                box.release()
                throw error(code)
            }
        }
    }
}

private final class CollationBox {
    let ordering: TextOrdering

    init(_ ordering: TextOrdering) { self.ordering = ordering }
}

/// `engine_matches(text, pattern, operator, options)`. The prepared pattern stays with the statement while it is the same
/// for all rows.
private func matchText(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
    guard let text = SQLFunctionArgument.utf8(arguments[0]) else { return sqlite3_result_null(context) }
    if let known = sqlite3_get_auxdata(context, 1) {
        let matcher = Unmanaged<TextMatcher>.fromOpaque(known).takeUnretainedValue()
        return SQLFunctionArgument.result(context, matcher.matches(utf8: text))
    }
    guard let pattern = SQLFunctionArgument.text(arguments[1]) else { return sqlite3_result_null(context) }
    let type = NSComparisonPredicate.Operator(
        rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[2])))
    let options = NSComparisonPredicate.Options(
        rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[3])))
    do {
        let matcher = try TextMatcher(type ?? .equalTo, pattern: pattern, options: options)
        SQLFunctionArgument.result(context, matcher.matches(utf8: text))
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(matcher).toOpaque()) { matcher in
            if let matcher { Unmanaged<TextMatcher>.fromOpaque(matcher).release() }
        }
    } catch {
        sqlite3_result_error(context, (error as NSError).localizedDescription, -1)
    }
}

extension SQLFunctionArgument {
    /// The bytes of a text, valid during the call; nil for NULL.
    static func utf8(_ argument: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(argument) != SQLITE_NULL else { return nil }
        let start = sqlite3_value_text(argument)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
    }

    /// Sets a text result from bytes that need not stay.
    static func result(_ context: OpaquePointer?, utf8: UnsafeRawBufferPointer) {
        guard let start = utf8.baseAddress, utf8.count > 0 else {
            return sqlite3_result_text(context, "", 0, csqlite_transient())
        }
        sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count), csqlite_transient(),
            UInt8(SQLITE_UTF8))
    }
}
