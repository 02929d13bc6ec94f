import Foundation

extension PredicateFormatPrinter {
    /// Prints a constant.
    package static func text(ofConstant value: Any?) -> String {
        switch PredicateValue(value) {
        case .none: "nil"
        case .integer(let number): String(number)
        case .real(let number): text(of: number)
        case .decimal(let number): text(of: number)
        case .text(let text): quoted(text)
        case .date(let date): "CAST(\(seconds(date)), \"NSDate\")"
        case .data(let data): "<\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())>"
        case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case .collection: "{\(elements(value).joined(separator: ", "))}"
        case .object, .other: ValueDescription.text(of: value)
        }
    }

    private static func elements(_ value: Any?) -> [String] {
        (ConstantEquality.orderedElements(of: value) ?? []).map { text(ofConstant: $0) }
    }

    /// The shortest text that reads back as the same double.
    private static func text(of number: Double) -> String {
        number.isFinite ? NumberText.text(of: number) : "CAST(\"\(number)\", \"NSNumber\")"
    }

    /// A date's seconds with six decimals, as Apple has them, or with as many as it takes to read back the same date.
    private static func seconds(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let rounded = String(format: "%.6f", seconds)
        return seconds.isFinite && Double(rounded) == seconds ? rounded : text(of: seconds)
    }

    /// A decimal as a number while a double can hold it, else as CAST.
    private static func text(of number: Decimal) -> String {
        let digits = NSDecimalNumber(decimal: number).stringValue
        let isShort = digits.filter(\.isNumber).count <= 15
        return isShort ? digits : "CAST(\"\(digits)\", \"NSDecimalNumber\")"
    }

    /// A string in quotation marks, with escapes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
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
