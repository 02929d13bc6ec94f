import Foundation

/// `CAST(value, 'type')`.
package enum ValueCast {
    /// Converts a value to a type by name.
    ///
    /// - Throws: An error if the type is not known. A value that cannot be converted gives nil.
    package static func cast(_ value: Any?, to type: Any?) throws -> Any? {
        guard let name = type as? String else {
            throw PredicateError.evaluation("CAST needs the name of a type as its second argument.")
        }
        guard let value else { return nil }
        let source = PredicateValue(value)
        switch name {
        case "NSDate", "Date": return date(source)
        case "NSString", "String": return string(source)
        case "NSNumber", "Double", "Float": return number(source)
        case "Int", "Int64", "Int32", "Int16", "NSInteger": return integer(source)
        case "NSDecimalNumber", "Decimal": return decimal(source)
        case "NSUUID", "UUID": return uuid(source)
        case "NSURL", "URL": return url(source)
        case "NSData", "Data": return data(source)
        default: throw PredicateError.evaluation("CAST to \"\(name)\" is not supported.")
        }
    }

    private static func date(_ value: PredicateValue) -> Any? {
        if case .string(let string) = value { return Double(string).map { Date(timeIntervalSinceReferenceDate: $0) } }
        return value.double.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    private static func string(_ value: PredicateValue) -> Any? {
        if case .date(let date) = value { return NumberFormat.string(of: date.timeIntervalSinceReferenceDate) }
        return value.string
    }

    private static func number(_ value: PredicateValue) -> Any? {
        switch value {
        case .integer(let number): number
        case .string(let string): Int64(string).map { $0 as Any } ?? Double(string).map { $0 as Any }
        default: value.double
        }
    }

    private static func integer(_ value: PredicateValue) -> Any? {
        switch value {
        case .integer(let number): number
        case .string(let string): Double(string).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        default: value.double.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        }
    }

    private static func decimal(_ value: PredicateValue) -> Any? {
        switch value {
        case .decimal(let number): number
        case .integer(let number): Decimal(number)
        case .string(let string): Decimal(string: string)
        default: value.double.flatMap { Decimal(shortestStringOf: $0) }
        }
    }

    private static func uuid(_ value: PredicateValue) -> Any? {
        switch value {
        case .uuid(let uuid): uuid
        case .string(let string): UUID(uuidString: string)
        default: nil
        }
    }

    private static func url(_ value: PredicateValue) -> Any? {
        switch value {
        case .url(let url): url
        case .string(let string): URL(string: string)
        default: nil
        }
    }

    private static func data(_ value: PredicateValue) -> Any? {
        switch value {
        case .data(let data): data
        case .string(let string): Data(string.utf8)
        default: nil
        }
    }
}
