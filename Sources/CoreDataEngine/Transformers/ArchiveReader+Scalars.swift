#if !canImport(ObjectiveC)
import Foundation

extension BinaryPropertyList.Object {
    /// The number that it is without its fraction, at most as large as fits.
    var wholeNumber: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): value
        case .wide(let value): Int64(bitPattern: value)
        case .single(let value): Self.whole(Double(value))
        case .real(let value): Self.whole(value)
        default: nil
        }
    }

    private static func whole(_ value: Double) -> Int64 {
        if value.isNaN { return 0 }
        return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}

/// Members without a name, which are written by their Objective-C type.
extension ArchiveReader {
    /// Puts a number into memory. What the caller has there stays when the archive has none.
    func store(_ member: BinaryPropertyList.Object?, as type: UInt8, at address: UnsafeMutableRawPointer) {
        guard let value = member?.wholeNumber else { return }
        let number = member?.number?.doubleValue ?? 0
        switch UnicodeScalar(type) {
        case "c", "C": address.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        case "s", "S": address.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
        case "i", "l", "I", "L": address.storeBytes(of: UInt32(truncatingIfNeeded: value), as: UInt32.self)
        case "q", "Q": address.storeBytes(of: value, as: Int64.self)
        case "f": address.storeBytes(of: Float(number), as: Float.self)
        case "d": address.storeBytes(of: number, as: Double.self)
        case "B": address.storeBytes(of: value != 0, as: Bool.self)
        default: failWithError(ModelError.corrupt("Values of the type \(UnicodeScalar(type)) can't be read."))
        }
    }

    /// Fills the memory of an array, whose type is like `[6f]`, with as many numbers as the archive has.
    func storeArray(_ encoding: String, at address: UnsafeMutableRawPointer) {
        let digits = encoding.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard encoding.first == "[", encoding.last == "]", let count = Int(digits),
            let type = encoding.dropLast().utf8.last, let size = Self.sizes[UnicodeScalar(type)],
            encoding.utf8.count == digits.utf8.count + 3
        else {
            return failWithError(ModelError.corrupt("Values of the type \(encoding) can't be read."))
        }
        guard let members = unnamedArray() else { return }
        for index in 0..<count {
            guard let value = list.value("$\(index)", members.keys, members.values) else { break }
            store(list.objects[value], as: type, at: address + index * size)
        }
    }

    private static let sizes: [UnicodeScalar: Int] = [
        "c": 1, "C": 1, "s": 2, "S": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "f": 4, "d": 8, "B": 1,
    ]
}
#endif
