import Foundation

extension PredicateFormatPrinter {
    /// Prints a constant.
    package static func format(ofConstant value: Any?) -> String {
        switch PredicateValue(value) {
        case .none: value is NSNull ? "<null>" : "nil"
        case .integer(let number): String(number)
        case .real(let number): format(of: number)
        case .decimal(let number): format(of: number)
        case .string(let string): quoted(string)
        case .date(let date): "CAST(\(seconds(date)), \"NSDate\")"
        case .data(let data): "<\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())>"
        case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case .collection: "{\(elements(value).joined(separator: ", "))}"
        case .object, .other: ValueDescription.string(of: value)
        }
    }

    private static func elements(_ value: Any?) -> [String] {
        (ConstantEquality.orderedElements(of: value) ?? []).map { format(ofConstant: $0) }
    }

    /// The shortest string that reads back as the same double.
    private static func format(of number: Double) -> String {
        number.isFinite ? NumberFormat.string(of: number) : "CAST(\"\(number)\", \"NSNumber\")"
    }

    /// A date's seconds with six decimals, as Apple has them, or with as many as it takes to read back the same date.
    private static func seconds(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let rounded = String(format: "%.6f", seconds)
        return seconds.isFinite && Double(rounded) == seconds ? rounded : format(of: seconds)
    }

    /// A decimal as a number while a double can hold it, else as CAST.
    private static func format(of number: Decimal) -> String {
        let digits = NSDecimalNumber(decimal: number).stringValue
        let isShort = digits.filter(\.isNumber).count <= 15
        return isShort ? digits : "CAST(\"\(digits)\", \"NSDecimalNumber\")"
    }

    /// A string in quotation marks, with escapes.
    static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
