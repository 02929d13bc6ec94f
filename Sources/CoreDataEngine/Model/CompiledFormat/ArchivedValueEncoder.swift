import Foundation

/// Writes Foundation's values into a keyed archive: default values, user info, constants of predicates.
enum ArchivedValueEncoder {
    /// Adds a value and returns its reference.
    ///
    /// - Parameter isBoolean: whether a number is a truth value; otherwise its own type decides.
    /// - Throws: a `CocoaError` for a value that is neither Foundation's nor of a class with `NSCoding`.
    static func add(_ value: Any?, isBoolean: Bool = false, to writer: inout KeyedArchiveWriter) throws -> Int {
        guard let value else { return KeyedArchiveWriter.null }
        switch value {
        case let string as String: return writer.string(string)
        case let date as Date:
            return writer.add("NSDate", [("NS.time", .real(date.timeIntervalSinceReferenceDate))])
        case let data as Data: return writer.plain(.data(data))
        case let uuid as UUID:
            return writer.add("NSUUID", [("NS.uuidbytes", .data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))])
        case let url as URL:
            return writer.add(
                "NSURL",
                [
                    ("NS.base", .reference(KeyedArchiveWriter.null)),
                    ("NS.relative", .reference(writer.string(url.absoluteString))),
                ])
        case let decimal as Decimal: return addDecimal(decimal, to: &writer)
        case let decimal as NSDecimalNumber: return addDecimal(decimal.decimalValue, to: &writer)
        case let opaque as OpaqueArchivedValue: return try writer.copy(opaque.object)
        case is NSNull: return writer.add("NSNull", [])
        case let number as NSNumber:
            return addNumber(number, isBoolean: isBoolean || Swift.type(of: value) == Bool.self, to: &writer)
        case let list as [Any]:
            let elements = try list.map { try add($0, to: &writer) }
            return writer.array(elements)
        case let set as Set<AnyHashable>:
            let elements = try set.map { try add($0.base, to: &writer) }
            return writer.array(elements, className: "NSSet")
        case let dictionary as [AnyHashable: Any]: return try addDictionary(dictionary, to: &writer)
        case let object as any NSObject & NSCoding: return try addObject(object, to: &writer)
        default: throw unsupported(value)
        }
    }

    private static func unsupported(_ value: Any) -> any Error {
        ModelError.unsupported("A value of the type \(Swift.type(of: value)) cannot be archived in a model.")
    }

    /// Adds an object of any class in the form that it gives itself.
    private static func addObject(_ object: any NSObject & NSCoding, to writer: inout KeyedArchiveWriter) throws -> Int
    {
        guard let data = archive(of: object) else { throw unsupported(object) }
        return try writer.copy(try KeyedArchive(data).root())
    }

    private static func archive(of object: any NSObject & NSCoding) -> Data? {
        let isSecure = object is any NSSecureCoding
        #if canImport(ObjectiveC)
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: isSecure)
        #else
        let archiver = NSKeyedArchiver(requiringSecureCoding: isSecure)
        let guardian = ArchiveGuardian(requiringSecureCoding: isSecure)
        archiver.delegate = guardian
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return guardian.refused == nil ? archiver.encodedData : nil
        #endif
    }

    /// Entries are written in the order of their keys, so that equal dictionaries give equal files.
    static func addDictionary(_ dictionary: [AnyHashable: Any], to writer: inout KeyedArchiveWriter) throws -> Int {
        let sorted = dictionary.sorted { String(describing: $0.key.base) < String(describing: $1.key.base) }
        var entries: [(key: Int, value: Int)] = []
        for (key, value) in sorted {
            entries.append((try add(key.base, to: &writer), try add(value, to: &writer)))
        }
        return writer.dictionary(entries)
    }

    private static func addNumber(_ number: NSNumber, isBoolean: Bool, to writer: inout KeyedArchiveWriter) -> Int {
        switch String(cString: number.objCType) {
        case "f", "d":
            return isBoolean ? writer.plain(.bool(number.boolValue)) : writer.plain(.real(number.doubleValue))
        case "c", "B": return writer.plain(.bool(number.boolValue))
        default: return isBoolean ? writer.plain(.bool(number.boolValue)) : writer.plain(.integer(number.int64Value))
        }
    }

    private static func addDecimal(_ value: Decimal, to writer: inout KeyedArchiveWriter) -> Int {
        let parts = ArchivedDecimal.parts(of: value)
        return writer.add(
            "NSDecimalNumber",
            [
                ("NS.exponent", .integer(parts.exponent)), ("NS.length", .integer(parts.length)),
                ("NS.negative", .bool(parts.isNegative)), ("NS.compact", .bool(true)),
                ("NS.mantissa.bo", .integer(1)), ("NS.mantissa", .data(parts.mantissa)),
            ])
    }
}
