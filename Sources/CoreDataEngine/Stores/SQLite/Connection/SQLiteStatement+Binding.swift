import CSQLite
package import Foundation

/// Placeholders are numbered from 1, as in SQLite.
extension SQLiteStatement {
    @inline(__always)
    package func bindNull(at index: Int32) throws {
        try check(binding: sqlite3_bind_null(handle, index))
    }

    @inline(__always)
    package func bind(_ value: Int64, at index: Int32) throws {
        try check(binding: sqlite3_bind_int64(handle, index, value))
    }

    @inline(__always)
    package func bind(_ value: Double, at index: Int32) throws {
        try check(binding: sqlite3_bind_double(handle, index, value))
    }

    /// Binds a string; SQLite copies it.
    package func bind(_ string: String, at index: Int32) throws {
        var string = string
        try string.withUTF8 { try bind(utf8: $0, isKept: false, at: index) }
    }

    /// Binds text from memory.
    ///
    /// - Parameters:
    ///   - utf8: The characters, without terminator.
    ///   - isKept: Whether the memory stays unchanged until the statement is reset and its bindings cleared; then it is
    ///     not copied.
    package func bind(utf8: UnsafeBufferPointer<UInt8>, isKept: Bool, at index: Int32) throws {
        guard let start = utf8.baseAddress, !utf8.isEmpty else {
            // No address would mean NULL; the literal lives as long as the program.
            try check(binding: sqlite3_bind_text(handle, index, "", 0, csqlite_transient()))
            return
        }
        let code = start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
            sqlite3_bind_text64(
                handle, index, $0, UInt64(utf8.count), isKept ? csqlite_static() : csqlite_transient(),
                UInt8(SQLITE_UTF8))
        }
        try check(binding: code)
    }

    /// Binds bytes from memory; `isKept` as for text.
    package func bind(blob: UnsafeRawBufferPointer, isKept: Bool, at index: Int32) throws {
        guard let start = blob.baseAddress, !blob.isEmpty else {
            try check(binding: sqlite3_bind_zeroblob(handle, index, 0))
            return
        }
        try check(
            binding: sqlite3_bind_blob64(
                handle, index, start, UInt64(blob.count), isKept ? csqlite_static() : csqlite_transient()))
    }

    /// Binds bytes; SQLite copies them.
    package func bind(_ data: Data, at index: Int32) throws {
        try data.withUnsafeBytes { try bind(blob: $0, isKept: false, at: index) }
    }

    package func bind(_ value: SQLValue, at index: Int32) throws {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try bind(real, at: index)
        case .text(let string): try bind(string, at: index)
        case .blob(let data): try bind(data, at: index)
        }
    }

    /// Binds the first placeholders in order.
    package func bind(_ values: [SQLValue]) throws {
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
    }
}
