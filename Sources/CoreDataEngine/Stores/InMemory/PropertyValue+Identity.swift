import Foundation

extension PropertyValue {
    /// A string that is equal for equal values and different for different ones.
    var identityKey: String {
        switch self {
        case .null: "n"
        case .integer(let value): "i\(value)"
        // Both zeros are the same value.
        case .double(let value): "d\(value == 0 ? 0 : value.bitPattern)"
        case .string(let value): "s" + value.unicodeScalars.map { String($0.value, radix: 36) }.joined(separator: ".")
        case .data(let value): "x\(value.base64EncodedString())"
        case .uuid(let value): "u\(value.uuidString)"
        case .uri(let value): "l\(value.absoluteString)"
        case .decimal(let box): "m\(box.value.description)"
        case .reference(let target): "r\(target.entityIndex)/\(target.reference)"
        case .object(let object): "r\(object.objectID.layout.index)/\(object.objectID.reference)"
        case .transformed(let box): "t\(box.value)"
        }
    }
}
