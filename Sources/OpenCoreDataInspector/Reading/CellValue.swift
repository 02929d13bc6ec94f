#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// Values as the page gets them: short ones whole, others by their beginning and size.
enum CellValue {
    /// Characters of a string that a table shows.
    static let shortLength = 240
    /// Characters of a string that an object's page shows at once.
    static let longLength = 20_000
    /// The largest integer that every number of JavaScript up to it can distinguish from the next one.
    private static let exactIntegers: Int64 = 9_007_199_254_740_991

    /// The value of an object; one whose file is missing is shown as that, and does not hide the others.
    static func json(
        of object: NSManagedObject, _ attribute: NSAttributeDescription, longest: Int
    ) -> JSONValue {
        let before = object.managedObjectContext?.unreadableReads
        let value = object.value(forKey: attribute.name)
        if object.managedObjectContext?.unreadableReads != before { return ["unreadable": true] }
        return json(value, of: attribute, longest: longest)
    }

    static func json(_ value: Any?, of attribute: NSAttributeDescription, longest: Int) -> JSONValue {
        guard let value, !(value is NSNull) else { return .null }
        if let data = value as? Data, attribute.attributeType == .binaryDataAttributeType {
            return ["bytes": JSONValue(data.count), "type": JSONValue(DataType.name(of: data))]
        }
        return shortened(AttributeCoding.json(value, of: attribute), longest: longest)
    }

    /// What JavaScript can hold, and no more of a string than is shown.
    static func shortened(_ value: JSONValue, longest: Int) -> JSONValue {
        switch value {
        case .integer(let number) where number.magnitude > exactIntegers.magnitude: return .string(String(number))
        case .string(let string):
            guard string.utf8.count > longest, string.count > longest else { return value }
            return ["text": .string(String(string.prefix(longest))), "length": JSONValue(string.count)]
        case .array, .object:
            let string = JSONText.string(of: value)
            guard string.count > longest else { return ["json": .string(string)] }
            return ["json": .string(String(string.prefix(longest))), "length": JSONValue(string.count)]
        default: return value
        }
    }
}

/// What bytes are, by their beginning.
enum DataType {
    private static let beginnings: [(String, [UInt8])] = [
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("image/jpeg", [0xFF, 0xD8, 0xFF]),
        ("image/gif", [0x47, 0x49, 0x46, 0x38]), ("application/pdf", [0x25, 0x50, 0x44, 0x46]),
        ("application/zip", [0x50, 0x4B, 0x03, 0x04]), ("application/gzip", [0x1F, 0x8B]),
        ("application/x-bplist", [0x62, 0x70, 0x6C, 0x69, 0x73, 0x74]),
    ]

    /// The type of data; `nil` if it isn't recognized.
    static func name(of data: Data) -> String? {
        let start = [UInt8](data.prefix(16))
        if let found = beginnings.first(where: { start.starts(with: $0.1) }) { return found.0 }
        guard start.count >= 12, start.starts(with: Array("RIFF".utf8)), start[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        return "image/webp"
    }

    /// Pictures that a browser shows, none of which can run anything.
    static func isPicture(_ name: String?) -> Bool { name?.hasPrefix("image/") == true }
}
#endif
