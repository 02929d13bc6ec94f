import CSQLite
import Foundation

/// Reads the arguments that SQLite passes to a function, and writes its result.
enum SQLFunctionArgument {
    /// Text of an argument, nil for NULL.
    ///
    /// Numbers come as their text.
    static func text(_ argument: OpaquePointer?) -> String? {
        guard let start = sqlite3_value_text(argument) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument))), as: UTF8.self)
    }

    /// The bytes of an argument's text, valid during the call.
    static func utf8(_ argument: OpaquePointer?) -> UnsafeRawBufferPointer {
        // The text comes first: it may convert the value, and then its length is another one.
        let start = sqlite3_value_text(argument)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
    }

    /// A number as the shortest string that means it; a string as it is.
    static func shortestNumber(_ argument: OpaquePointer?) -> String? {
        switch sqlite3_value_type(argument) {
        case SQLITE_FLOAT: "\(sqlite3_value_double(argument))"
        case SQLITE_INTEGER: "\(sqlite3_value_int64(argument))"
        default: text(argument)
        }
    }

    static func value(_ argument: OpaquePointer?) -> SQLValue {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
        case SQLITE_FLOAT: .real(sqlite3_value_double(argument))
        case SQLITE_TEXT: .text(text(argument) ?? "")
        case SQLITE_BLOB:
            .blob(
                sqlite3_value_blob(argument).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(argument))) }
                    ?? Data())
        default: .null
        }
    }

    /// How many bytes an argument has among those of a composite attribute.
    static func packedCount(_ argument: OpaquePointer?) -> Int {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER, SQLITE_FLOAT: CompositeCoding.Writer.numberCount
        case SQLITE_TEXT: CompositeCoding.Writer.numberCount + utf8(argument).count
        case SQLITE_BLOB: CompositeCoding.Writer.numberCount + Int(sqlite3_value_bytes(argument))
        default: CompositeCoding.Writer.nullCount
        }
    }

    /// Puts an argument among the bytes of a composite attribute.
    static func pack(_ argument: OpaquePointer?, into writer: inout CompositeCoding.Writer) {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: writer.append(.integer, UInt64(bitPattern: sqlite3_value_int64(argument)))
        case SQLITE_FLOAT: writer.append(.real, sqlite3_value_double(argument).bitPattern)
        case SQLITE_TEXT: writer.append(.text, utf8(argument))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(argument)
            writer.append(.blob, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument))))
        default: writer.appendNull()
        }
    }

    static func result(_ context: OpaquePointer?, _ string: String?) {
        guard var string else {
            sqlite3_result_null(context)
            return
        }
        string.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                sqlite3_result_text(context, "", 0, csqlite_transient())
                return
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text64(
                    context, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
    }

    static func result(_ context: OpaquePointer?, _ truth: Bool) {
        sqlite3_result_int(context, truth ? 1 : 0)
    }
}
