import CSQLite
import Foundation

/// The engine's SQL functions on strings.
///
/// They follow the rules of predicates in memory, because they are the same code.
///
/// `ocd_equal`, `ocd_contains`, `ocd_begins`, `ocd_ends`, `ocd_like`, `ocd_matches` take a string, a pattern and the raw
/// value of `NSComparisonPredicate.Options`; they give 1 or 0, and 0 when either string is NULL. A constant or bound
/// pattern is prepared once for a statement. `ocd_order` takes two strings and options and gives -1, 0 or 1, or NULL.
/// `ocd_canonical`, `upper` and `lower` take one string.
extension SQLiteConnection {
    func registerStringFunctions() throws {
        try register("ocd_equal", 3, isDeterministic: true) { matchString($0, $2, .equalTo) }
        try register("ocd_contains", 3, isDeterministic: true) { matchString($0, $2, .contains) }
        try register("ocd_begins", 3, isDeterministic: true) { matchString($0, $2, .beginsWith) }
        try register("ocd_ends", 3, isDeterministic: true) { matchString($0, $2, .endsWith) }
        try register("ocd_like", 3, isDeterministic: true) { matchString($0, $2, .like) }
        try register("ocd_matches", 3, isDeterministic: true) { matchString($0, $2, .matches) }
        try register("ocd_order", 3, isDeterministic: true) { context, _, arguments in
            orderStrings(context, arguments)
        }
        try register("ocd_canonical", 1, isDeterministic: true) { context, _, arguments in
            changeString(context, arguments) { StringFolding.folded($0, [.caseInsensitive, .diacriticInsensitive]) }
        }
        try register("ocd_composite", -1, isDeterministic: true) { context, count, arguments in
            packComposite(context, count, arguments, isOptional: true)
        }
        try register("ocd_composite_value", -1, isDeterministic: true) { context, count, arguments in
            packComposite(context, count, arguments, isOptional: false)
        }
        // SQLite's own know the letters of ASCII only.
        try register("upper", 1, isDeterministic: true) { context, _, arguments in
            changeString(context, arguments) { $0.uppercased() }
        }
        try register("lower", 1, isDeterministic: true) { context, _, arguments in
            changeString(context, arguments) { $0.lowercased() }
        }
    }
}

private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

/// Calls a matcher that is kept with the statement as long as the pattern stays the same.
private func matchString(_ context: OpaquePointer?, _ arguments: Arguments?, _ type: NSComparisonPredicate.Operator) {
    guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
        sqlite3_result_int(context, 0)
        return
    }
    let matcher: StringMatcher
    if let kept = sqlite3_get_auxdata(context, 1) {
        matcher = Unmanaged<StringMatcher>.fromOpaque(kept).takeUnretainedValue()
    } else {
        guard let pattern = SQLFunctionArgument.text(arguments[1]) else {
            sqlite3_result_int(context, 0)
            return
        }
        do {
            let options = NSComparisonPredicate.Options(
                rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[2])))
            matcher = try StringMatcher(type, pattern: pattern, options: options)
        } catch {
            let message = (error as NSError).localizedDescription
            sqlite3_result_error(context, message, -1)
            return
        }
        // SQLite may release it at once, so `matcher` retains it for this call as well.
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(matcher).toOpaque()) { kept in
            if let kept { Unmanaged<StringMatcher>.fromOpaque(kept).release() }
        }
    }
    do {
        SQLFunctionArgument.result(context, try matcher.matches(utf8: SQLFunctionArgument.utf8(arguments[0])))
    } catch {
        sqlite3_result_error(context, (error as NSError).localizedDescription, -1)
    }
}

private func orderStrings(_ context: OpaquePointer?, _ arguments: Arguments?) {
    guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL,
        sqlite3_value_type(arguments[1]) != SQLITE_NULL
    else {
        sqlite3_result_null(context)
        return
    }
    let options = NSComparisonPredicate.Options(rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[2])))
    let order = StringComparison.compare(
        SQLFunctionArgument.utf8(arguments[0]), SQLFunctionArgument.utf8(arguments[1]), options: options)
    sqlite3_result_int(context, Int32(order.rawValue))
}

private func changeString(_ context: OpaquePointer?, _ arguments: Arguments?, _ change: (String) -> String) {
    SQLFunctionArgument.result(context, arguments.flatMap { SQLFunctionArgument.text($0[0]) }.map(change))
}

/// The columns of a composite attribute as one value; NULL when all of them are and the attribute is optional.
private func packComposite(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: Arguments?, isOptional: Bool
) {
    let values = UnsafeBufferPointer(start: arguments, count: Int(count))
    var size = 0
    var isEmpty = true
    for value in values {
        size += SQLFunctionArgument.packedCount(value)
        if sqlite3_value_type(value) != SQLITE_NULL { isEmpty = false }
    }
    guard size > 0, !isOptional || !isEmpty else {
        sqlite3_result_null(context)
        return
    }
    guard let memory = sqlite3_malloc64(sqlite3_uint64(size)) else {
        sqlite3_result_error_nomem(context)
        return
    }
    var writer = CompositeCoding.Writer(UnsafeMutableRawBufferPointer(start: memory, count: size))
    for value in values { SQLFunctionArgument.pack(value, into: &writer) }
    sqlite3_result_blob64(context, memory, sqlite3_uint64(size), sqlite3_free)
}
