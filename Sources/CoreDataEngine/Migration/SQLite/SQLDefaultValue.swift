import Foundation

/// The default value of an attribute as a column holds it.
enum SQLDefaultValue {
    static func value(of value: PropertyValue, attribute: SQLAttribute) throws -> SQLValue? {
        switch value {
        case .null, .reference, .object: nil
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let string): .text(string)
        case .uri(let url): .text(url.absoluteString)
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
        case .decimal(let box): SQLNumber.value(of: box.value)
        case .data(let data): .blob(attribute.hasExternalStorage ? Data([1]) + data : data)
        case .transformed(let transformed):
            .blob(try TransformableCoding.encode(transformed.value, attribute: attribute.attribute))
        }
    }
}
