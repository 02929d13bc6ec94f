package import Foundation

/// Turns archived values into Foundation's, for default values, user info and constants of predicates.
///
/// What is of a class that is not Foundation's is kept as it is in an ``OpaqueArchivedValue``. Depth and number of
/// values are limited, as an archive can refer to one object many times.
struct ArchivedValueDecoder {
    private static let deepest = 64
    private var budget: Int

    init(archive: KeyedArchive) {
        budget = archive.count * 8 + 10_000
    }

    /// Returns the value; nil for null.
    mutating func decode(_ value: KeyedArchive.Value, depth: Int = 0) throws -> Any? {
        budget -= 1
        guard budget > 0, depth < Self.deepest else {
            throw ModelError.corrupt("A value of the archive is nested too deeply or too large.")
        }
        switch value {
        case .null: return nil
        case .bool(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .date(let value): return Date(timeIntervalSinceReferenceDate: value)
        case .string(let value): return value
        case .data(let value): return value
        case .object(let object): return try decode(object, depth: depth)
        }
    }

    private mutating func decode(_ object: ArchivedObject, depth: Int) throws -> Any? {
        switch object.className {
        case "NSString", "NSMutableString": return try object.string("NS.string") ?? ""
        case "NSData", "NSMutableData": return try object.data("NS.data") ?? Data()
        case "NSNull": return NSNull()
        case "NSDate":
            guard case .real(let seconds) = try object.value("NS.time") else {
                throw object.wrongKind("NS.time", "a number")
            }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case "NSUUID": return try uuid(object)
        case "NSURL": return try url(object)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try ArchivedDecimal.decode(object)
        case "NSArray", "NSMutableArray":
            return try object.elements().map { try decode($0, depth: depth + 1) ?? NSNull() }
        case "NSSet", "NSMutableSet":
            var result = Set<AnyHashable>()
            for element in try object.elements() {
                if let hashable = try decode(element, depth: depth + 1) as? AnyHashable { result.insert(hashable) }
            }
            return result
        case "NSDictionary", "NSMutableDictionary": return try dictionary(object, depth: depth)
        default: return OpaqueArchivedValue(object)
        }
    }

    private mutating func dictionary(_ object: ArchivedObject, depth: Int) throws -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for entry in try object.entries() {
            guard let key = try decode(entry.key, depth: depth + 1) as? AnyHashable else {
                throw ModelError.corrupt("A dictionary of the archive has a key that cannot be one.")
            }
            result[key] = try decode(entry.value, depth: depth + 1) ?? NSNull()
        }
        return result
    }

    private func uuid(_ object: ArchivedObject) throws -> UUID {
        guard let bytes = try object.data("NS.uuidbytes"), bytes.count == 16 else {
            throw object.wrongKind("NS.uuidbytes", "16 bytes")
        }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        return UUID(uuid: uuid)
    }

    private func url(_ object: ArchivedObject) throws -> URL {
        let base = try object.object("NS.base", "NSURL").flatMap { try $0.string("NS.relative") }.flatMap {
            URL(string: $0)
        }
        guard let string = try object.string("NS.relative"), let url = URL(string: string, relativeTo: base) else {
            throw object.wrongKind("NS.relative", "a URL")
        }
        return url
    }
}

/// A default value of an application's own class. It is not made, but kept, and written back as it was.
package final class OpaqueArchivedValue: NSObject, Sendable {
    /// The name of the class in the archive.
    package let className: String
    let object: ArchivedObject

    init(_ object: ArchivedObject) {
        className = object.className
        self.object = object
        super.init()
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? OpaqueArchivedValue else { return false }
        return self === other || className == other.className && data != nil && data == other.data
    }

    package override var hash: Int { className.hashValue }

    /// The value as an archive of its own.
    private var data: Data? {
        var writer = KeyedArchiveWriter()
        return (try? writer.copy(object)).map { writer.data(root: $0) }
    }

    package override var description: String { "<archived \(className)>" }
}

/// The archived form of decimal numbers.
enum ArchivedDecimal {
    static func decode(_ object: ArchivedObject) throws -> Decimal {
        guard let mantissa = try object.data("NS.mantissa"), mantissa.count <= 16, mantissa.count % 2 == 0 else {
            throw object.wrongKind("NS.mantissa", "the digits of a decimal number")
        }
        let isLittleEndian = try object.int("NS.mantissa.bo", default: 1) == 1
        let length = try object.int("NS.length")
        let isNegative = try object.bool("NS.negative")
        if length == 0, isNegative { return Decimal.nan }
        let exponent = try object.int("NS.exponent")
        guard (0...8).contains(length), (-128...127).contains(exponent) else {
            throw object.wrongKind("NS.exponent", "the exponent of a decimal number")
        }
        let bytes = [UInt8](mantissa)
        var value = Decimal(0)
        for index in (0..<min(length, bytes.count / 2)).reversed() {
            let low = Int(bytes[index * 2 + (isLittleEndian ? 0 : 1)])
            let high = Int(bytes[index * 2 + (isLittleEndian ? 1 : 0)])
            value = value * 65536 + Decimal(high << 8 | low)
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: value)
    }

    /// The fields of the archived form: length, sign, exponent and the digits in base 65536, lowest first.
    static func parts(of value: Decimal) -> (length: Int, isNegative: Bool, exponent: Int, mantissa: Data) {
        if value.isNaN { return (0, true, 0, Data(count: 16)) }
        var digits: [UInt16] = []
        var rest = value.significand
        let base = Decimal(65536)
        while rest > 0, digits.count < 8 {
            var quotient = Decimal()
            var fraction = rest / base
            NSDecimalRound(&quotient, &fraction, 0, .down)
            digits.append(UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: rest - quotient * base).int64Value))
            rest = quotient
        }
        var mantissa = Data()
        for index in 0..<8 {
            let digit = index < digits.count ? digits[index] : 0
            mantissa.append(UInt8(digit & 0xFF))
            mantissa.append(UInt8(digit >> 8))
        }
        return (digits.count, value.isSignMinus && !value.isZero, value.exponent, mantissa)
    }
}
