#if PostgreSQL
/// Reads what the server sent; bytes that are too few or don't make sense are an error.
package struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    @inline(__always)
    package mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard remaining >= MemoryLayout<Number>.size else { throw Self.malformed }
        defer { offset += MemoryLayout<Number>.size }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    package mutating func next(count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, remaining >= count else { throw Self.malformed }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    package static var malformed: PostgreSQLError {
        PostgreSQLError(.unreadableValue, "The database server sent a value that is damaged.")
    }
}

/// The elements of a one-dimensional array.
package struct PostgreSQLArrayReader {
    private var reader: WireReader
    /// The type of the elements.
    package let element: PostgreSQLType
    package let count: Int
    private var index = 0

    /// Reads the head of an array.
    ///
    /// - Throws: `PostgreSQLError` for bytes that are no array, and for an array of several dimensions.
    package init(_ bytes: UnsafeRawBufferPointer) throws {
        reader = WireReader(bytes)
        let dimensions = try reader.next(Int32.self)
        _ = try reader.next(Int32.self)
        element = PostgreSQLType(rawValue: try reader.next(UInt32.self))
        guard dimensions != 0 else {
            count = 0
            return
        }
        guard dimensions == 1 else {
            throw PostgreSQLError(
                .unreadableValue, "The database server sent an array of \(dimensions) dimensions in place of one.")
        }
        count = Int(try reader.next(Int32.self))
        _ = try reader.next(Int32.self)
        // Each element has at least its length.
        guard count >= 0, reader.remaining / 4 >= count else { throw WireReader.malformed }
    }

    /// The next element's bytes, nil for NULL; throws after the last.
    package mutating func next() throws -> UnsafeRawBufferPointer? {
        index += 1
        guard index <= count else { throw WireReader.malformed }
        let length = try reader.next(Int32.self)
        return length == -1 ? nil : try reader.next(count: Int(length))
    }
}
#endif
