package import Foundation

/// Writes binary property lists (`bplist00`), references between archived objects included.
///
/// Equal strings and numbers are written once.
package struct BinaryPropertyListWriter {
    private var objects: [BinaryPropertyList.Object] = []
    private var known: [ScalarKey: Int] = [:]
    private var knownIntegers: [Int64: Int] = [:]

    private enum ScalarKey: Hashable {
        case null
        case bool(Bool)
        case real(UInt64)
        case string(ExactString)
        case uid(Int)
    }

    package init() {}

    /// Adds an object and returns its index. The elements of a container are added first.
    package mutating func add(_ object: BinaryPropertyList.Object) -> Int {
        if case .integer(let integer) = object { return add(integer: integer) }
        guard let scalar = Self.scalar(object) else {
            objects.append(object)
            return objects.count - 1
        }
        if let index = known[scalar] { return index }
        objects.append(object)
        known[scalar] = objects.count - 1
        return objects.count - 1
    }

    /// Adds a number, of which a list may have as many as objects.
    private mutating func add(integer: Int64) -> Int {
        let next = objects.count
        let index = knownIntegers[integer, default: next]
        if index == next {
            knownIntegers[integer] = next
            objects.append(.integer(integer))
        }
        return index
    }

    /// The file, with the object of the given index on top.
    package func data(top: Int) -> Data {
        let referenceSize = Self.byteCount(of: objects.count)
        var output = [UInt8]("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        // A guess: keys and numbers are short, and there are mostly those.
        output.reserveCapacity(objects.count * 16)
        for object in objects {
            offsets.append(output.count)
            Self.append(object, referenceSize: referenceSize, to: &output)
        }
        let table = output.count
        let offsetSize = Self.byteCount(of: table)
        for offset in offsets { Self.append(offset, size: offsetSize, to: &output) }
        output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        for number in [objects.count, top, table] { Self.append(number, size: 8, to: &output) }
        return Data(output)
    }

    private static func scalar(_ object: BinaryPropertyList.Object) -> ScalarKey? {
        switch object {
        case .null: .null
        case .bool(let value): .bool(value)
        case .real(let value): .real(value.bitPattern)
        case .string(let value): .string(ExactString(value))
        case .uid(let value): .uid(value)
        case .integer, .wide, .single, .date, .data, .array, .dictionary: nil
        }
    }

    private static func append(_ object: BinaryPropertyList.Object, referenceSize: Int, to output: inout [UInt8]) {
        switch object {
        case .null: output.append(0x00)
        case .bool(let value): output.append(value ? 0x09 : 0x08)
        case .integer(let value): appendInteger(value, to: &output)
        case .wide(let value):
            output.append(0x14)
            append(UInt64(0), to: &output)
            append(value, to: &output)
        case .single(let value):
            output.append(0x22)
            append(Int(value.bitPattern), size: 4, to: &output)
        case .real(let value):
            output.append(0x23)
            append(value.bitPattern, to: &output)
        case .date(let value):
            output.append(0x33)
            append(value.bitPattern, to: &output)
        case .data(let value):
            appendMarker(0x40, count: value.count, to: &output)
            output.append(contentsOf: value)
        case .string(let value): appendString(value, to: &output)
        case .uid(let value):
            let size = byteCount(of: value)
            output.append(0x80 | UInt8(size - 1))
            append(value, size: size, to: &output)
        case .array(let elements):
            appendMarker(0xA0, count: elements.count, to: &output)
            for element in elements { append(element, size: referenceSize, to: &output) }
        case .dictionary(let keys, let values):
            appendMarker(0xD0, count: keys.count, to: &output)
            for reference in keys { append(reference, size: referenceSize, to: &output) }
            for reference in values { append(reference, size: referenceSize, to: &output) }
        }
    }

    private static func appendString(_ string: String, to output: inout [UInt8]) {
        if string.utf8.allSatisfy({ $0 < 0x80 }) {
            appendMarker(0x50, count: string.utf8.count, to: &output)
            output.append(contentsOf: string.utf8)
        } else {
            appendMarker(0x60, count: string.utf16.count, to: &output)
            for unit in string.utf16 { append(Int(unit), size: 2, to: &output) }
        }
    }

    private static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
        if count < 15 {
            output.append(kind | UInt8(count))
        } else {
            output.append(kind | 0x0F)
            appendInteger(Int64(count), to: &output)
        }
    }

    private static func appendInteger(_ value: Int64, to output: inout [UInt8]) {
        switch value {
        case 0...0xFF: appendInteger(value, exponent: 0, to: &output)
        case 0...0xFFFF: appendInteger(value, exponent: 1, to: &output)
        case 0...0xFFFF_FFFF: appendInteger(value, exponent: 2, to: &output)
        default: appendInteger(value, exponent: 3, to: &output)
        }
    }

    private static func appendInteger(_ value: Int64, exponent: UInt8, to output: inout [UInt8]) {
        output.append(0x10 | exponent)
        withUnsafeBytes(of: value.bigEndian) { output.append(contentsOf: $0.suffix(1 << Int(exponent))) }
    }

    private static func append(_ value: Int, size: Int, to output: inout [UInt8]) {
        var shift = size * 8
        while shift > 0 {
            shift -= 8
            output.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private static func append(_ value: UInt64, to output: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { output.append(contentsOf: $0) }
    }

    /// 1, 2, 4 or 8: the sizes that readers of the format expect.
    private static func byteCount(of number: Int) -> Int {
        switch number {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
