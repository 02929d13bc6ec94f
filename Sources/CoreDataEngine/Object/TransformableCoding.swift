package import Foundation

/// Turns transformable values into the bytes that a store keeps, and back.
///
/// Without a transformer of the application's own, the bytes are a keyed archive whose root is the value.
package enum TransformableCoding {
    /// Transformer names that stand for a keyed archive.
    private static let archiveNames: Set<String> = [
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
        "NSUnarchiveFromData",
    ]

    /// The bytes for a value.
    ///
    /// - Throws: Core Data error 134060 when the value can't be archived.
    package static func encode(_ value: Any, attribute: NSAttributeDescription) throws -> Data {
        if let name = attribute.valueTransformerName, !archiveNames.contains(name) {
            if let data = value as? Data { return data }
            throw CoreDataError.make(
                NSCoreDataError, "No value transformer named \(name) is registered for the attribute \(attribute.name)."
            )
        }
        // An archive of classes that are not here was given out as its bytes. They go back as they came.
        if let data = value as? Data, isArchive(data), decoded(data) == nil { return data }
        guard let object = bridged(value) else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The value of the attribute \(attribute.name), a \(type(of: value)), can't be archived.")
        }
        do {
            return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        } catch {
            throw CoreDataError.make(
                NSCoreDataError,
                "The value of the attribute \(attribute.name), a \(type(of: value)), can't be archived.",
                underlying: error)
        }
    }

    /// The value for stored bytes; the bytes themselves when they are no archive of property-list classes.
    package static func value(from data: Data, attribute: NSAttributeDescription?) -> Any {
        if let name = attribute?.valueTransformerName, !archiveNames.contains(name) { return data }
        return decoded(data) ?? data
    }

    /// The root of a keyed archive that holds nothing but property-list classes, dates, UUIDs and URLs.
    package static func decoded(_ data: Data) -> Any? {
        guard data.starts(with: Data("bplist".utf8)) else { return nil }
        let classes: [AnyClass] = [
            NSString.self, NSNumber.self, NSDate.self, NSData.self, NSArray.self, NSDictionary.self, NSSet.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }

    private static func isArchive(_ data: Data) -> Bool {
        data.starts(with: Data("bplist".utf8)) && data.range(of: Data("NSKeyedArchiver".utf8)) != nil
    }

    private static func bridged(_ value: Any) -> Any? {
        switch value {
        case let text as String: text as NSString
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
