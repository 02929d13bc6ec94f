import CSQLite
import Foundation

/// Names of the functions that translated predicates call.
enum QueryFunction {
    static let length = "ocd_length"
    static let numberText = "ocd_number_text"
    static let uuidText = "ocd_uuid_text"
    static let uuidBytes = "ocd_uuid_bytes"
    static let listValue = "ocd_list_value"
    static let folded = "ocd_folded"
    static let call = "ocd_call"
}

extension SQLiteConnection {
    /// Registers the functions that translated predicates call, and the one that fills slabs.
    func registerQueryFunctions() throws {
        try rowFill.register(on: self)
        try registerPredicateFunctions()
        try register(QueryFunction.length, 1, isDeterministic: true) { context, _, arguments in
            guard let string = SQLFunctionArgument.text(arguments?[0]) else { return sqlite3_result_null(context) }
            sqlite3_result_int64(context, Int64(string.utf16.count))
        }
        try register(QueryFunction.folded, 2, isDeterministic: true) { context, _, arguments in
            guard let arguments, let string = SQLFunctionArgument.text(arguments[0]) else {
                return sqlite3_result_null(context)
            }
            let options = NSComparisonPredicate.Options(
                rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(arguments[1])))
            SQLFunctionArgument.result(context, StringFolding.folded(string, options))
        }
        try register(QueryFunction.numberText, 1, isDeterministic: true) { context, _, arguments in
            switch sqlite3_value_type(arguments?[0]) {
            case SQLITE_NULL: sqlite3_result_null(context)
            case SQLITE_FLOAT:
                SQLFunctionArgument.result(context, NumberFormat.string(of: sqlite3_value_double(arguments?[0])))
            default: SQLFunctionArgument.result(context, SQLFunctionArgument.text(arguments?[0]))
            }
        }
        try register(QueryFunction.uuidText, 1, isDeterministic: true) { context, _, arguments in
            let value = SQLFunctionArgument.value(arguments?[0])
            SQLFunctionArgument.result(context, SQLConstant.string(of: value, type: .uuid))
        }
        try register(QueryFunction.uuidBytes, 1, isDeterministic: true) { context, _, arguments in
            let uuid = SQLFunctionArgument.text(arguments?[0]).flatMap { UUID(uuidString: $0) }
            SQLFunctionArgument.result(context, value: uuid.map { .blob($0.data) } ?? .null)
        }
        try register(QueryFunction.listValue, 1, isDeterministic: true) { context, _, arguments in
            let string = SQLFunctionArgument.text(arguments?[0]) ?? ""
            SQLFunctionArgument.result(context, value: ListCoding.decode(string))
        }
    }
}

extension SQLFunctionArgument {
    /// Sets the result of a function.
    static func result(_ context: OpaquePointer?, value: SQLValue) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let integer): sqlite3_result_int64(context, integer)
        case .real(let real): sqlite3_result_double(context, real)
        case .text(let string): result(context, string)
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, bytes.count > 0 else {
                    return sqlite3_result_zeroblob(context, 0)
                }
                sqlite3_result_blob64(context, start, UInt64(bytes.count), csqlite_transient())
            }
        }
    }
}
