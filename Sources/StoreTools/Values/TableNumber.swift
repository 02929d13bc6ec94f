import Foundation

/// Numbers with as many digits as people read: a table is no place for 0.30000000000000004.
enum TableNumber {
    /// Digits after the point of a number that is stored, and of one that is computed of others.
    private static let (digits, averageDigits) = (6, 2)
    /// Digits that a small number keeps, wherever its point is.
    private static let significantDigits = 4

    static func string(_ number: Double, isAverage: Bool) -> String {
        let digits = isAverage ? averageDigits : digits
        guard number.isFinite, abs(number) < 1e15 else { return JSONText.string(of: .number(number)) }
        if number == 0 { return isAverage ? "0.00" : "0.0" }
        // So small, that rounding at a place would leave too little.
        let first = Int(floor(log10(abs(number))))
        let places = max(digits, significantDigits - 1 - first)
        guard places <= 15 else { return rounded(number, toSignificantDigits: significantDigits) }
        let string = String(format: "%.\(places)f", locale: Locale(identifier: "en_US_POSIX"), number)
        return isAverage && places == averageDigits ? string : withoutEndingZeros(string)
    }

    /// The same for a decimal, which is rounded only where it has more digits than people read.
    static func string(decimal: String, isAverage: Bool) -> String {
        let behindPoint = decimal.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
        guard behindPoint > (isAverage ? averageDigits : digits), let number = Double(decimal), number.isFinite,
            abs(number) < 1e15
        else { return decimal }
        let string = string(number, isAverage: isAverage)
        return string.hasSuffix(".0") ? String(string.dropLast(2)) : string
    }

    private static func rounded(_ number: Double, toSignificantDigits count: Int) -> String {
        let string = String(format: "%.\(count - 1)e", locale: Locale(identifier: "en_US_POSIX"), number)
        return Double(string).map(\.description) ?? string
    }

    /// One zero stays behind the point, which shows that it is no integer.
    private static func withoutEndingZeros(_ string: String) -> String {
        var string = string
        while string.hasSuffix("0"), !string.hasSuffix(".0") { string.removeLast() }
        return string
    }
}
