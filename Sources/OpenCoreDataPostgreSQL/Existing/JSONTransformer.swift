#if PostgreSQL
import Foundation
import OpenCoreData

/// Turns the values of attributes into JSON, and back: those of columns with JSON, and arrays of a type.
class JSONTransformer: ValueTransformer {
    /// The transformer of any JSON value.
    static let anyName = "OpenCoreDataJSON"

    /// Registers the transformers, unless the program has others under their names.
    static func register() {
        func register(_ name: String, _ transformer: @autoclosure () -> ValueTransformer) {
            let name = NSValueTransformerName(name)
            guard ValueTransformer(forName: name) == nil else { return }
            ValueTransformer.setValueTransformer(transformer(), forName: name)
        }
        register(anyName, JSONTransformer())
        register(ArrayTransformer<String>.name, ArrayTransformer<String>())
        register(ArrayTransformer<Int>.name, ArrayTransformer<Int>())
        register(ArrayTransformer<Double>.name, ArrayTransformer<Double>())
        register(ArrayTransformer<Bool>.name, ArrayTransformer<Bool>())
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let value, JSONSerialization.isValidJSONObject([value]) else { return nil }
        return try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
    }
}

/// Turns Swift arrays of a type into JSON, and back.
final class ArrayTransformer<Element: Codable>: JSONTransformer {
    static var name: String { "OpenCoreData\(Element.self)Array" }

    override func transformedValue(_ value: Any?) -> Any? {
        // An array of other values is JSON, too, and is refused with its reason when it is saved.
        guard let list = value as? [Element] else { return super.transformedValue(value) }
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try? encoder.encode(list)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? JSONColumn.decoder.decode([Element].self, from: $0) }
    }
}

extension JSONColumn {
    /// The transformer of an attribute for such a column, and the class of its values; nil where bytes are enough.
    var transformer: (name: String, valueClass: String)? {
        guard case .array(let element) = self else { return nil }
        return switch element {
        case .boolean: (ArrayTransformer<Bool>.name, "Array<Bool>")
        case .integer16, .integer32, .integer64: (ArrayTransformer<Int>.name, "Array<Int>")
        case .double: (ArrayTransformer<Double>.name, "Array<Double>")
        case .string: (ArrayTransformer<String>.name, "Array<String>")
        }
    }

    private static let arrayNames = [
        ArrayTransformer<Bool>.name, ArrayTransformer<Int>.name, ArrayTransformer<Double>.name,
        ArrayTransformer<String>.name,
    ]

    /// Whether the bytes of an attribute with a transformer can be the column's: it makes JSON, and of the right kind.
    func accepts(transformer name: String?) -> Bool {
        // Those of Foundation make archives.
        guard let name, !name.hasPrefix("NS") else { return false }
        return name == transformer?.name || !Self.arrayNames.contains(name)
    }
}
#endif
