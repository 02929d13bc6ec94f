import Foundation
package import OpenCoreData

/// Values of transformable attributes as JSON, and back.
///
/// A property list that JSON can hold without loss of types is shown as such. Everything else is base64 of the bytes
/// that the store keeps, which brings the same value back.
package enum TransformableJSON {
    package static func json(_ value: Any, of attribute: NSAttributeDescription) -> JSONValue {
        if !isString(value), isPlain(value) { return DynamicJSON.json(value) }
        if let data = value as? Data { return .string(data.base64EncodedString()) }
        guard let bytes = try? TransformableCoding.encode(value, attribute: attribute) else {
            return DynamicJSON.json(value)
        }
        return .string(bytes.base64EncodedString())
    }

    package static func value(_ json: JSONValue, of attribute: NSAttributeDescription) throws -> Any? {
        guard case .string(let string) = json else { return DynamicJSON.value(json) }
        return Data(base64Encoded: string).map { TransformableCoding.value(from: $0, attribute: attribute) }
    }

    /// A string alone cannot be distinguished from base64.
    private static func isString(_ value: Any) -> Bool { value is String }

    private static func isPlain(_ value: Any) -> Bool {
        switch value {
        case is NSDecimalNumber, is Data, is Date, is UUID, is URL: false
        case is String, is NSNull: true
        case let number as NSNumber: isPlain(number)
        case let array as NSArray: array.allSatisfy(isPlain)
        case let array as [Any]: array.allSatisfy(isPlain)
        case let dictionary as [String: Any]: dictionary.values.allSatisfy(isPlain)
        default: false
        }
    }

    /// Whether JSON brings the same number back.
    private static func isPlain(_ number: NSNumber) -> Bool {
        switch String(cString: number.objCType) {
        case "f": false
        case "d": number.doubleValue.isFinite
        case "Q": number.uint64Value <= UInt64(Int64.max)
        default: true
        }
    }
}
