import CSQLite
package import Foundation

/// Result columns are numbered from 0, as in SQLite.
extension SQLiteStatement {
    /// SQLite's value object of a column of the current row: asked once, it answers type and content without the checks
    /// that `sqlite3_column_…` repeats for each call.
    ///
    /// Valid until the next step.
    @inline(__always)
    package func rawValue(at index: Int32) -> OpaquePointer? {
        sqlite3_column_value(handle, index)
    }

    /// `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB` or `SQLITE_NULL`.
    @inline(__always)
    package func columnType(at index: Int32) -> Int32 { sqlite3_column_type(handle, index) }

    @inline(__always)
    package func isNull(at index: Int32) -> Bool { columnType(at: index) == SQLITE_NULL }

    @inline(__always)
    package func int64(at index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    @inline(__always)
    package func double(at index: Int32) -> Double { sqlite3_column_double(handle, index) }

    /// The text of a column, nil for NULL.
    ///
    /// Bytes that are not UTF-8 are replaced.
    package func text(at index: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, index) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))),
            as: UTF8.self)
    }

    /// The bytes of a column, nil for NULL.
    package func data(at index: Int32) -> Data? {
        guard !isNull(at: index) else { return nil }
        guard let start = sqlite3_column_blob(handle, index) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, index)))
    }

    package func value(at index: Int32) -> SQLValue {
        switch columnType(at: index) {
        case SQLITE_INTEGER: .integer(int64(at: index))
        case SQLITE_FLOAT: .real(double(at: index))
        case SQLITE_TEXT: .text(text(at: index) ?? "")
        case SQLITE_BLOB: .blob(data(at: index) ?? Data())
        default: .null
        }
    }
}
