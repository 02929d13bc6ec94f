import Foundation

extension Decimal {
    /// The decimal that a number's shortest string means; nil for a number that is not finite or beyond a decimal's range.
    init?(shortestStringOf number: Double) {
        guard number.isFinite else { return nil }
        self.init(shortestString: number.description)
    }

    /// The decimal of a number as Swift prints it, `1.5e+150` included, which Foundation's reading of strings gives up at.
    init?(shortestString string: String) {
        if let value = Decimal(string: string, locale: nil) {
            self = value
            return
        }
        guard let digits = Self.withoutExponent(string), let value = Decimal(string: digits, locale: nil), !value.isNaN
        else { return nil }
        self = value
    }

    /// Whether all of a string is a number, and not its beginning alone, which is what Foundation reads.
    package static func isNumber(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            && Decimal(shortestString: string) != nil
    }

    /// `1.5e+3` as `1500`, `1.5e-3` as `0.0015`; nil for what has no exponent, or one beyond a decimal's range.
    private static func withoutExponent(_ string: String) -> String? {
        let parts = string.lowercased().split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), exponent.magnitude < 200 else { return nil }
        let sign = parts[0].hasPrefix("-") ? "-" : ""
        let mantissa = parts[0].drop { $0 == "-" || $0 == "+" }.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = mantissa.first, mantissa.count <= 2 else { return nil }
        let digits = whole + (mantissa.count == 2 ? mantissa[1] : "")
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
