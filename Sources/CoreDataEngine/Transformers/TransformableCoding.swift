package import Foundation

/// Turns transformable values into the bytes that a store keeps, and back.
///
/// Without a transformer of the application's own, the bytes are a keyed archive whose root is the value.
package enum TransformableCoding {
    /// Transformer names that represent a keyed archive.
    private static let archiveNames: Set<String> = [
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
        "NSUnarchiveFromData",
    ]

    /// The bytes for a value.
    ///
    /// - Throws: Core Data error 134060 when the value can't be archived, or its transformer gives no data.
    package static func encode(_ value: Any, attribute: NSAttributeDescription) throws -> Data {
        if let transformer = transformer(of: attribute) {
            // A transformer that reads archives is used in reverse; any other one makes the data.
            let result =
                transformer is NSSecureUnarchiveFromDataTransformer
                ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
            if let data = result as? Data { return data }
            // Bytes that the transformer could not read were given out as they are, and go back as they came.
            if let data = value as? Data { return data }
            throw CoreDataError.make(
                NSCoreDataError,
                "The value transformer \(attribute.valueTransformerName ?? "") returns no data for the value of the "
                    + "attribute \(attribute.name), a \(type(of: value)).")
        }
        if let name = attribute.valueTransformerName, !archiveNames.contains(name) {
            if let data = value as? Data { return data }
            throw CoreDataError.make(
                NSCoreDataError, "No value transformer named \(name) is registered for the attribute \(attribute.name)."
            )
        }
        return try archive(value, attribute: attribute)
    }

    private static func archive(_ value: Any, attribute: NSAttributeDescription) throws -> Data {
        // An archive of classes that are not here was given out as its bytes. They go back as they came.
        if let data = value as? Data, isArchive(data), decoded(data) == nil { return data }
        do {
            return try ValueArchiver.archive(value)
        } catch {
            throw CoreDataError.make(
                NSCoreDataError,
                "The value of the attribute \(attribute.name), a \(type(of: value)), can't be archived.",
                underlying: error)
        }
    }

    /// The value for stored bytes; the bytes themselves when they cannot be read.
    package static func value(from data: Data, attribute: NSAttributeDescription?) -> Any {
        if let transformer = attribute.flatMap(transformer) {
            let result =
                transformer is NSSecureUnarchiveFromDataTransformer
                ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
            return result ?? data
        }
        if let name = attribute?.valueTransformerName, !archiveNames.contains(name) { return data }
        return decoded(data) ?? data
    }

    /// The application's transformer of an attribute. The ready-made ones for archives are not looked up: what they do is
    /// done here, without the lock of the registry.
    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        guard let name = attribute.valueTransformerName, !archiveNames.contains(name) else { return nil }
        return ValueTransformer(forName: NSValueTransformerName(name))
    }

    /// The root of a keyed archive that holds nothing but property-list classes, dates, UUIDs and URLs, and classes of the
    /// program's that can be read securely.
    package static func decoded(_ data: Data) -> Any? {
        ArchivedClasses.unarchived(data) { type in
            ArchivedClasses.isKind(type, ofAny: ArchivedClasses.plain)
                || (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true
        }
    }

    private static func isArchive(_ data: Data) -> Bool {
        data.starts(with: Data("bplist".utf8)) && data.range(of: Data("NSKeyedArchiver".utf8)) != nil
    }

    /// A value as the object that archives of Apple's framework have for it; `nil` if they have none.
    static func bridged(_ value: Any) -> Any? {
        switch value {
        case let string as String: string as NSString
        case let data as Data: data as NSData
        case let date as Date: date as NSDate
        case let uuid as UUID: uuid as NSUUID
        case let url as URL: url as NSURL
        case let array as [Any]: array as NSArray
        case let set as Set<AnyHashable>: set as NSSet
        case let dictionary as [String: Any]: dictionary as NSDictionary
        case let object as NSObject: object
        case let number as Int: NSNumber(value: number)
        case let number as Double: NSNumber(value: number)
        case let flag as Bool: NSNumber(value: flag)
        default: nil
        }
    }
}
