#if PostgreSQL
import CPostgreSQL
package import Foundation

/// A row of what the server sent.
///
/// A row of a whole answer keeps that, and its bytes live as long as it does. One that comes alone lives until the block
/// that gets it returns: neither it nor its bytes may be kept.
package struct PostgreSQLRow {
    let result: OpaquePointer
    let index: Int32
    /// The whole answer, whose end would be that of the row.
    var owner: PostgreSQLResult?

    package var columnCount: Int { Int(PQnfields(result)) }

    @inline(__always)
    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(result, index, Int32(truncatingIfNeeded: column)) != 0
    }

    /// A column's bytes in the server's binary form; none for NULL.
    @inline(__always)
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
    }

    package func type(_ column: Int) -> PostgreSQLType {
        PostgreSQLType(rawValue: PQftype(result, Int32(truncatingIfNeeded: column)))
    }

    package func name(_ column: Int) -> String {
        PQfname(result, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    // MARK: Values that are not NULL

    /// A whole number of 2, 4 or 8 bytes, or a boolean as 0 or 1.
    @inline(__always)
    package func integer(_ column: Int) throws -> Int64 {
        let bytes = bytes(column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: return Int64(bytes[0])
        default: throw unreadable(column, "a whole number")
        }
    }

    package func bool(_ column: Int) throws -> Bool { try integer(column) != 0 }

    /// A number in floating point of 4 or 8 bytes.
    @inline(__always)
    package func double(_ column: Int) throws -> Double {
        let bytes = bytes(column)
        switch bytes.count {
        case 8: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4: return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: throw unreadable(column, "a number in floating point")
        }
    }

    package func decimal(_ column: Int) throws -> Decimal {
        do {
            return try PostgreSQLNumeric.decimal(bytes(column))
        } catch var error as PostgreSQLError {
            error.column = name(column)
            throw error
        }
    }

    package func string(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    package func data(_ column: Int) -> Data { Data(bytes(column)) }

    package func uuid(_ column: Int) throws -> UUID {
        let bytes = bytes(column)
        guard bytes.count == 16 else { throw unreadable(column, "a UUID") }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    package func date(_ column: Int) throws -> Date {
        let bytes = bytes(column)
        guard bytes.count == 8 else { throw unreadable(column, "a moment") }
        return PostgreSQLDate.date(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    }

    /// The text of a `jsonb` value.
    package func json(_ column: Int) throws -> String {
        let bytes = bytes(column)
        guard bytes.first == 1 else { throw unreadable(column, "a JSON value") }
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    package func array(_ column: Int) throws -> PostgreSQLArrayReader {
        do {
            return try PostgreSQLArrayReader(bytes(column))
        } catch var error as PostgreSQLError {
            error.column = name(column)
            throw error
        }
    }

    /// The error for a column whose bytes are not what they should be.
    package func unreadable(_ column: Int, _ expected: String) -> PostgreSQLError {
        var error = PostgreSQLError(
            .unreadableValue,
            "The column \(name(column)) of type \(type(column).sqlName) has \(bytes(column).count) bytes, which are not "
                + "\(expected).")
        error.column = name(column)
        return error
    }
}

/// What the server answered to a statement. Follows the confinement of its connection.
package final class PostgreSQLResult {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    package var count: Int { Int(PQntuples(handle)) }

    /// A row; an index beyond the last is a programming error.
    package subscript(row: Int) -> PostgreSQLRow {
        if row < 0 || row >= count { fatalError("There is no row \(row) among \(count).") }
        return PostgreSQLRow(result: handle, index: Int32(truncatingIfNeeded: row), owner: self)
    }

    package var first: PostgreSQLRow? { count > 0 ? self[0] : nil }

    /// How many rows a statement changed, or gave; nil for one that does neither.
    var rowCount: Int? { Int(String(cString: PQcmdTuples(handle))) }

    /// The same, 0 for one that does neither.
    package var affectedCount: Int { rowCount ?? 0 }

    /// What was done, such as `INSERT` or `COMMIT`; a COMMIT of a failed transaction is `ROLLBACK`.
    package var command: String {
        String(cString: PQcmdStatus(handle)).split(separator: " ").first.map(String.init) ?? ""
    }

    /// Whether that is COMMIT, without making a string.
    var isCommit: Bool { strcmp(PQcmdStatus(handle), "COMMIT") == 0 }

    /// Runs a block with each row.
    package func forEachRow(_ body: (PostgreSQLRow) throws -> Void) rethrows {
        for row in 0..<count { try body(self[row]) }
    }
}
#endif
