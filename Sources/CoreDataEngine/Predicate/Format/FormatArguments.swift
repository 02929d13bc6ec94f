import Foundation

/// The arguments of a format string, taken one by one.
struct FormatArguments {
    private let values: [Any]
    private var index = 0
    /// The index of the argument that was taken last, from zero.
    private(set) var lastTaken = 0
    /// Whether the argument that was taken last is `NSNull`.
    var lastIsNull: Bool { values.indices.contains(lastTaken) && type(of: values[lastTaken]) == NSNull.self }

    init(_ values: [Any]) { self.values = values }

    /// The next argument, or the one of a number from one.
    mutating func take(position: Int?) -> Any?? {
        let index = position.map { $0 - 1 } ?? index
        if position == nil { self.index += 1 }
        lastTaken = index
        guard values.indices.contains(index) else { return nil }
        return .some(OptionalValue.flatten(values[index]))
    }

    /// The key path that an argument of `%K` names: a string or a Swift key path.
    static func keyPath(_ value: Any?) throws -> String? {
        if let keyPath = value as? AnyKeyPath { return try KeyPathNames.requiredName(of: keyPath) }
        return value as? String
    }

    /// The value of an argument for a conversion, or nil if it is of the wrong kind.
    static func convert(_ value: Any?, _ conversion: String) -> Any? {
        switch conversion.last {
        case "c", "C": character(value)
        case "s", "S": cString(value)
        case "f", "F", "e", "E", "g", "G", "a", "A": real(value)
        default: number(value)
        }
    }

    private static func number(_ value: Any?) -> Any? {
        switch PredicateValue(value) {
        case .integer(let number): number
        case .real(let number): number
        case .decimal(let number): number
        default: nil
        }
    }

    private static func real(_ value: Any?) -> Any? {
        switch PredicateValue(value) {
        case .decimal(let number): number
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    private static func character(_ value: Any?) -> Any? {
        if let string = value as? String { return string }
        guard case .integer(let code) = PredicateValue(value), let code = UInt32(exactly: code) else { return nil }
        return Unicode.Scalar(code).map { String($0) }
    }

    private static func cString(_ value: Any?) -> Any? {
        switch value {
        case let string as String: string
        case let pointer as UnsafePointer<CChar>: String(cString: pointer)
        case let pointer as UnsafeMutablePointer<CChar>: String(cString: pointer)
        default: nil
        }
    }
}
