import CSQLite
import Foundation

/// The functions that triggers in Apple's stores call.
///
/// Without them such a store cannot be written at all.
extension SQLiteConnection {
    func registerTriggerFunctions() throws {
        // The buffer lives as long as the connection, and SQLite calls nothing after the connection is closed.
        let buffer = Unmanaged.passUnretained(affectedValues).toOpaque()
        try register("NSCoreDataDATriggerUpdatedAffectedObjectValue", 5, context: buffer) { context, _, arguments in
            recordAffectedValue(context, arguments, isInsertion: false)
        }
        try register("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", 5, context: buffer) {
            context, _, arguments in
            recordAffectedValue(context, arguments, isInsertion: true)
        }
        // Private triggers of older stores pass what they like; what is not in the five-argument form is ignored.
        try register("NSCoreDataTriggerUpdateAffectedObjectValue", -1, context: buffer) { context, count, arguments in
            if count == 5 { recordAffectedValue(context, arguments, isInsertion: false) }
        }
    }
}

private func recordAffectedValue(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, isInsertion: Bool
) {
    guard let context, let arguments, let buffer = sqlite3_user_data(context) else { return }
    let values = Unmanaged<AffectedValues>.fromOpaque(buffer).takeUnretainedValue()
    values.append(
        AffectedValues.Change(
            table: SQLFunctionArgument.text(arguments[0]) ?? "",
            entity: sqlite3_value_int64(arguments[1]),
            primaryKey: sqlite3_value_int64(arguments[2]),
            property: SQLFunctionArgument.text(arguments[3]) ?? "",
            value: SQLFunctionArgument.value(arguments[4]),
            isInsertion: isInsertion))
}
