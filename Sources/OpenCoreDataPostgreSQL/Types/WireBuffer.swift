#if PostgreSQL
package import Foundation

/// Bytes in the server's binary form, big-endian, as they are put together.
package struct WireBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    @inline(__always)
    package var count: Int { bytes.count }

    @inline(__always)
    package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    package mutating func put(_ source: UnsafeRawBufferPointer) { bytes.append(contentsOf: source) }

    package mutating func put(_ other: WireBuffer) { bytes.append(contentsOf: other.bytes) }

    /// Writes a length that was not known when its bytes were reserved.
    package mutating func set(_ number: Int32, at offset: Int) {
        withUnsafeBytes(of: number.bigEndian) { source in
            for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
        }
    }

    package mutating func put(_ number: Double) { put(number.bitPattern) }

    package mutating func put(_ number: Float) { put(number.bitPattern) }

    /// Writes a string.
    ///
    /// - Throws: `PostgreSQLError` when it has U+0000, which the server cannot store.
    package mutating func put(text string: String) throws {
        var string = string
        try string.withUTF8 { try put(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Writes the UTF-8 of a string.
    ///
    /// - Throws: `PostgreSQLError` when it has U+0000, which the server cannot store.
    package mutating func put(utf8: UnsafeRawBufferPointer) throws {
        if let start = utf8.baseAddress, memchr(start, 0, utf8.count) != nil {
            throw PostgreSQLError(.invalidValue, "A string with the character U+0000 can't be stored in PostgreSQL.")
        }
        put(utf8)
    }

    package mutating func put(data: Data) { bytes.append(contentsOf: data) }

    package mutating func put(uuid: UUID) { withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) } }

    /// Writes a moment, rounded to microseconds.
    ///
    /// - Throws: `PostgreSQLError` when it is beyond the server's range.
    package mutating func put(date: Date) throws { put(try PostgreSQLDate.microseconds(of: date)) }

    package mutating func put(decimal: Decimal) { PostgreSQLNumeric.write(decimal, to: &self) }

    package mutating func put(json: String) throws {
        put(UInt8(1))
        try put(text: json)
    }
}
#endif
