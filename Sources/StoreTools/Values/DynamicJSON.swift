import Foundation
import OpenCoreData

/// Values whose type only shows at run time: results of key paths, contents of transformables and composites.
package enum DynamicJSON {
    package static func json(_ value: Any?) -> JSONValue {
        guard let value else { return .null }
        switch value {
        case is NSNull: return .null
        case let string as String: return .string(string)
        case let date as Date: return .string(ISODate.string(of: date) ?? "@\(date.timeIntervalSinceReferenceDate)")
        case let data as Data: return .string(data.base64EncodedString())
        case let uuid as UUID: return .string(uuid.uuidString)
        case let url as URL: return .string(url.absoluteString)
        case let decimal as NSDecimalNumber: return .string(decimal.decimalValue.description)
        case let decimal as Decimal: return .string(decimal.description)
        case let number as NSNumber: return json(number)
        case let object as NSManagedObject: return .string(ObjectName.uri(of: object.objectID))
        case let id as NSManagedObjectID: return .string(ObjectName.uri(of: id))
        case let set as NSOrderedSet: return .array(set.array.map(json))
        case let set as NSSet: return sortedArray(set.allObjects)
        case let array as NSArray: return .array(array.map(json))
        case let array as [Any]: return .array(array.map(json))
        case let dictionary as [String: Any]: return object(dictionary)
        case let dictionary as NSDictionary: return object(dictionary)
        case let flag as Bool: return .bool(flag)
        case let number as any BinaryInteger:
            return Int64(exactly: number).map(JSONValue.integer) ?? .string("\(number)")
        case let number as any BinaryFloatingPoint: return .number(Double(number))
        default: return .string(String(describing: value))
        }
    }

    /// The property list that JSON represents; nil for null. A null inside an array or an object is `NSNull`.
    package static func value(_ json: JSONValue) -> Any? {
        switch json {
        case .null: nil
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .string(let string): string
        case .array(let elements): elements.map { value($0) ?? NSNull() }
        case .object(let members):
            Dictionary(
                members.map { ($0.key, value($0.value) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func json(_ number: NSNumber) -> JSONValue {
        switch String(cString: number.objCType) {
        case "c", "B": .bool(number.boolValue)
        case "d": .number(number.doubleValue)
        case "f": Double(number.floatValue.description).map(JSONValue.number) ?? .number(number.doubleValue)
        case "Q" where number.uint64Value > UInt64(Int64.max): .number(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }

    /// A set has no order; its elements are sorted by their JSON so that output is the same from run to run.
    private static func sortedArray(_ elements: [Any]) -> JSONValue {
        .array(elements.map(json).sorted { JSONText.string(of: $0) < JSONText.string(of: $1) })
    }

    private static func object(_ dictionary: [String: Any]) -> JSONValue {
        .object(dictionary.sorted { $0.key < $1.key }.map { JSONMember(key: $0.key, value: json($0.value)) })
    }

    private static func object(_ dictionary: NSDictionary) -> JSONValue {
        var members: [String: Any] = [:]
        for (key, value) in dictionary { members[key as? String ?? String(describing: key)] = value }
        return object(members)
    }
}
