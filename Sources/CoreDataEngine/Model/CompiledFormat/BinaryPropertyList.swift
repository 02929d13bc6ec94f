package import Foundation

/// The objects of a binary property list (`bplist00`), references between archived objects included.
///
/// Objects stay in a flat list; containers hold indexes into it. So nothing recurses while reading, whatever the file
/// says. Objects may not overlap, so that the memory used is bounded by the size of the file.
package struct BinaryPropertyList: Sendable {
    package enum Object: Equatable, Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        /// A whole number above those of `integer`.
        case wide(UInt64)
        /// A number of 4 bytes.
        case single(Float)
        case real(Double)
        /// Seconds since the reference date, 1 January 2001.
        case date(Double)
        case data(Data)
        case string(String)
        /// A reference of a keyed archive.
        case uid(Int)
        /// Indexes of the elements.
        case array([Int])
        /// Indexes of keys and values.
        case dictionary(keys: [Int], values: [Int])

        /// The number; `nil` if the value isn't a number.
        var number: NSNumber? {
            switch self {
            case .bool(let value): NSNumber(value: value)
            case .integer(let value): NSNumber(value: value)
            case .wide(let value): NSNumber(value: value)
            case .single(let value): NSNumber(value: value)
            case .real(let value): NSNumber(value: value)
            default: nil
            }
        }

        /// How many elements a container has; 0 for other objects.
        var elementCount: Int {
            switch self {
            case .array(let elements): elements.count
            case .dictionary(_, let values): values.count
            default: 0
            }
        }
    }

    package let objects: [Object]
    package let top: Int

    /// Reads a file.
    ///
    /// - Throws: a `CocoaError` that says what is damaged.
    package init(_ data: Data) throws {
        let reader = try BinaryPropertyListReader(bytes: [UInt8](data))
        objects = try reader.readObjects()
        top = reader.top
    }
}

private struct BinaryPropertyListReader {
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let referenceSize: Int
    private let offsetSize: Int
    private let offsetTable: Int
    private let count: Int
    let top: Int

    init(bytes: [UInt8]) throws {
        self.bytes = bytes
        guard bytes.count >= 8 + Self.trailerSize, bytes.starts(with: Array("bplist0".utf8)) else {
            throw ModelError.corrupt("The data is not a binary property list.")
        }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let numbers = (0..<3).map { index in
            bytes[(trailer + 8 + index * 8)..<(trailer + 16 + index * 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]),
            let table = Int(exactly: numbers[2]), table >= 8, table <= trailer,
            count > 0, count <= (trailer - table) / offsetSize, top < count
        else { throw ModelError.corrupt("The trailer of the property list is damaged.") }
        self.count = count
        self.top = top
        offsetTable = table
    }

    func readObjects() throws -> [BinaryPropertyList.Object] {
        var objects: [BinaryPropertyList.Object] = []
        objects.reserveCapacity(count)
        var used = 0
        for index in 0..<count {
            let offset = try number(at: offsetTable + index * offsetSize, size: offsetSize)
            guard offset >= 8, offset < offsetTable else { throw damaged(index, "lies outside of the file") }
            var cursor = Cursor(position: offset, object: index)
            objects.append(try readObject(&cursor))
            used += cursor.position - offset
            guard used <= offsetTable else { throw damaged(index, "overlaps with others") }
        }
        return objects
    }

    private struct Cursor {
        var position: Int
        let object: Int
    }

    private func damaged(_ index: Int, _ what: String) -> CocoaError {
        ModelError.corrupt("Object \(index) of the property list \(what).")
    }

    private func readObject(_ cursor: inout Cursor) throws -> BinaryPropertyList.Object {
        let marker = try take(1, &cursor).first ?? 0
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(low, cursor)
        case 0x1:
            let start = cursor.position
            let value = try integer(size: 1 << low, &cursor)
            // Of 16 bytes the first half is zero in front of a positive number.
            let isWide = low == 4 && value < 0 && bytes[start..<start + 8].allSatisfy { $0 == 0 }
            return isWide ? .wide(UInt64(bitPattern: value)) : .integer(value)
        case 0x2:
            let value = try real(size: 1 << low, &cursor)
            return low == 2 ? .single(Float(value)) : .real(value)
        case 0x3:
            guard low == 3 else { throw damaged(cursor.object, "is a date of an unknown kind") }
            return .date(try real(size: 8, &cursor))
        case 0x4: return .data(Data(try take(try length(low, &cursor), &cursor)))
        case 0x5: return .string(String(decoding: try take(try length(low, &cursor), &cursor), as: UTF8.self))
        case 0x6: return .string(try wideString(length: try length(low, &cursor), &cursor))
        case 0x8:
            let value = try take(low + 1, &cursor).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard low < 8, let reference = Int(exactly: value) else {
                throw damaged(cursor.object, "is a huge reference")
            }
            return .uid(reference)
        case 0xA, 0xC: return .array(try references(try length(low, &cursor), &cursor))
        case 0xD:
            let count = try length(low, &cursor)
            return .dictionary(keys: try references(count, &cursor), values: try references(count, &cursor))
        default: throw damaged(cursor.object, "is of the unknown kind \(marker)")
        }
    }

    private func simple(_ kind: Int, _ cursor: Cursor) throws -> BinaryPropertyList.Object {
        switch kind {
        case 0, 15: return .null
        case 8: return .bool(false)
        case 9: return .bool(true)
        default: throw damaged(cursor.object, "is of the unknown kind \(kind)")
        }
    }

    private func take(_ count: Int, _ cursor: inout Cursor) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= offsetTable - cursor.position else { throw damaged(cursor.object, "is cut off") }
        defer { cursor.position += count }
        return bytes[cursor.position..<cursor.position + count]
    }

    /// The length of a container or string: in the marker, or as a number behind it.
    private func length(_ low: Int, _ cursor: inout Cursor) throws -> Int {
        guard low == 15 else { return low }
        let marker = try take(1, &cursor).first ?? 0
        guard marker >> 4 == 1, let value = Int(exactly: try integer(size: 1 << Int(marker & 0x0F), &cursor)),
            value >= 0
        else { throw damaged(cursor.object, "has no length") }
        return value
    }

    /// Integers up to 4 bytes are unsigned, those of 8 signed; of 16 bytes, which are rare, the lower half counts.
    private func integer(size: Int, _ cursor: inout Cursor) throws -> Int64 {
        guard size <= 16 else { throw damaged(cursor.object, "is a number of \(size) bytes") }
        let digits = try take(size, &cursor)
        return Int64(bitPattern: digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func real(size: Int, _ cursor: inout Cursor) throws -> Double {
        let digits = try take(size, &cursor)
        let pattern = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
        case 8: return Double(bitPattern: pattern)
        default: throw damaged(cursor.object, "is a real number of \(size) bytes")
        }
    }

    private func wideString(length: Int, _ cursor: inout Cursor) throws -> String {
        guard length <= bytes.count else { throw damaged(cursor.object, "is cut off") }
        let units = try take(length * 2, &cursor)
        var codeUnits: [UInt16] = []
        codeUnits.reserveCapacity(length)
        var index = units.startIndex
        while index < units.endIndex {
            codeUnits.append(UInt16(units[index]) << 8 | UInt16(units[index + 1]))
            index += 2
        }
        return String(decoding: codeUnits, as: UTF16.self)
    }

    private func references(_ length: Int, _ cursor: inout Cursor) throws -> [Int] {
        guard length <= (offsetTable - cursor.position) / referenceSize else {
            throw damaged(cursor.object, "is cut off")
        }
        return try (0..<length).map { _ in
            let reference = try number(at: cursor.position, size: referenceSize)
            cursor.position += referenceSize
            guard reference < count else {
                throw damaged(cursor.object, "refers to object \(reference), which doesn't exist")
            }
            return reference
        }
    }

    private func number(at position: Int, size: Int) throws -> Int {
        let value = bytes[position..<position + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw ModelError.corrupt("The property list has a huge number.") }
        return number
    }
}
