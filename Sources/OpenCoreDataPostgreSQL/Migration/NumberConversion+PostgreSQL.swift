#if PostgreSQL
import OpenCoreData

extension NumberConversion {
    /// Whether the server's columns need nothing to be done: a wider integer, or a float that becomes a double.
    var isWidening: Bool {
        let integers: [NSAttributeType] = [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        ]
        if let from = integers.firstIndex(of: source), let to = integers.firstIndex(of: destination) {
            return from <= to
        }
        return source == .floatAttributeType && destination == .doubleAttributeType
    }

    /// SQL for a number that fits in the new type.
    func sql(_ value: String) -> String {
        let number = source == .booleanAttributeType ? "\(value)::int4" : value
        switch destination {
        case .integer16AttributeType: return "\(number)::int2"
        case .integer32AttributeType: return "\(number)::int4"
        case .integer64AttributeType: return "\(number)::int8"
        case .booleanAttributeType: return "(\(number) <> 0)"
        case .doubleAttributeType: return "\(number)::float8"
        case .floatAttributeType: return "\(number)::float4::float8"
        default: return shortest(number)
        }
    }

    /// SQL for whether a number fits the new type, by the same rules as ``convert(_:)``.
    func fits(_ value: String) -> String {
        let number = source == .booleanAttributeType ? "\(value)::int4" : value
        switch destination {
        case .integer16AttributeType: return isInteger(number, "-32768", "32768")
        case .integer32AttributeType: return isInteger(number, "-2147483648", "2147483648")
        case .integer64AttributeType: return isInteger(number, "-9223372036854775808", "9223372036854775808")
        case .booleanAttributeType: return "\(number) IN (0, 1)"
        case .doubleAttributeType: return isDouble(number)
        case .floatAttributeType: return isFloat(number)
        default:
            return isBinary ? "(abs(\(number)) < 1e127 AND \(number) <> 'NaN'::float8)" : "TRUE"
        }
    }

    private var isBinary: Bool { source == .doubleAttributeType || source == .floatAttributeType }

    /// The number with its shortest decimal digits.
    private func shortest(_ number: String) -> String {
        switch source {
        case .doubleAttributeType: "\(number)::text::numeric"
        case .floatAttributeType: "\(number)::float4::text::numeric"
        default: "\(number)::numeric"
        }
    }

    private func isInteger(_ number: String, _ least: String, _ beyond: String) -> String {
        let type = isBinary ? "float8" : "numeric"
        return "(\(number) = trunc(\(number)) AND \(number)::\(type) >= \(least)::\(type) "
            + "AND \(number)::\(type) < \(beyond)::\(type))"
    }

    private func isDouble(_ number: String) -> String {
        guard source == .decimalAttributeType else {
            // The largest double below 2 to the 63rd: an integer above it has none.
            return "CASE WHEN \(number) > 9223372036854774784 THEN FALSE "
                + "ELSE \(number)::float8::int8 = \(number) END"
        }
        return "CASE WHEN abs(\(number)) > 1e308 THEN FALSE ELSE \(number)::float8::text::numeric = \(number) END"
    }

    private func isFloat(_ number: String) -> String {
        let tooLarge = "abs(\(number)) > 3.4028234663852886e38"
        let tooSmall = "\(number) <> 0 AND abs(\(number)) < 1.1754943508222875e-38"
        switch source {
        case .doubleAttributeType:
            return "CASE WHEN \(number) IN ('NaN', 'Infinity', '-Infinity') THEN TRUE "
                + "WHEN \(tooLarge) OR \(tooSmall) THEN FALSE "
                + "ELSE \(number)::float4::float8 = \(number) OR \(number)::float4::text::float8 = \(number) END"
        case .decimalAttributeType:
            return "CASE WHEN \(tooLarge) OR \(tooSmall) THEN FALSE "
                + "ELSE \(number)::float4::text::numeric = \(number) END"
        default:
            return "CASE WHEN \(number) > 9223371487098961920 THEN FALSE "
                + "ELSE \(number)::float4::int8 = \(number) END"
        }
    }
}
#endif
