package import Foundation

/// Dates as ISO 8601 in UTC, with as many digits of a second as bring the same date back.
package enum ISODate {
    private static let secondsPerDay = 86_400
    /// Days from 1970-01-01 to 2001-01-01, where reference dates start.
    private static let referenceDay = 11_323
    private static let representableDays = -365_000_000.0...365_000_000.0

    /// The string of a date; nil for one that is not a number, or further away than a million years.
    package static func string(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard representableDays.contains(seconds / Double(secondsPerDay)) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let (day, second) = floorDivide(whole, by: secondsPerDay)
        let (year, month, dayOfMonth) = civil(fromDay: day + referenceDay)
        let time = padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
        let fraction = fractionDigits(of: seconds, whole: whole)
        return "\(yearString(year))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(time).\(fraction)Z"
    }

    /// Appends the string of a date in quotes, or for one without a string the number of its seconds.
    static func appendQuoted(secondsSinceReferenceDate seconds: Double, to output: inout [UInt8]) {
        let whole = seconds.rounded(.down)
        let milliseconds = ((seconds - whole) * 1_000).rounded()
        // The years from 1 to 9999, with whole milliseconds.
        guard (-63_113_904_000..<252_423_993_600).contains(seconds), milliseconds < 1_000,
            whole + milliseconds / 1_000 == seconds
        else {
            let string = Self.string(of: Date(timeIntervalSinceReferenceDate: seconds)) ?? "@\(seconds)"
            return JSONBytes.append("\"\(string)\"", to: &output)
        }
        let (day, second) = floorDivide(Int(whole), by: secondsPerDay)
        let (year, month, dayOfMonth) = civil(fromDay: day + referenceDay)
        func append(_ number: Int, _ width: Int, _ next: Unicode.Scalar) {
            var divisor = width == 4 ? 1_000 : width == 3 ? 100 : 10
            while divisor > 0 {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
            output.append(UInt8(ascii: next))
        }
        output.append(UInt8(ascii: "\""))
        append(year, 4, "-")
        append(month, 2, "-")
        append(dayOfMonth, 2, "T")
        append(second / 3_600, 2, ":")
        append(second / 60 % 60, 2, ":")
        append(second % 60, 2, ".")
        append(Int(milliseconds), 3, "Z")
        output.append(UInt8(ascii: "\""))
    }

    /// The date of a string such as `2024-05-01T12:30:00.250Z`.
    ///
    /// Accepts a missing fraction, a missing time of day, and an offset such as `+02:00` in place of `Z`.
    package static func date(from string: String) -> Date? {
        var string = string
        return string.withUTF8 { bytes in
            var reader = DigitReader(bytes: bytes)
            return reader.date()
        }
    }

    fileprivate static func date(
        year: Int, month: Int, day dayOfMonth: Int, time: (hour: Int, minute: Int, second: Int, offset: Int)?,
        fraction: Double
    ) -> Date? {
        guard (1...12).contains(month), (1...31).contains(dayOfMonth) else { return nil }
        let day = day(year: year, month: month, day: dayOfMonth)
        guard civil(fromDay: day) == (year, month, dayOfMonth) else { return nil }
        var whole = (day - referenceDay) * secondsPerDay
        guard let time else { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
        guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
        whole += time.hour * 3_600 + time.minute * 60 + time.second - time.offset
        return Date(timeIntervalSinceReferenceDate: Double(whole) + fraction)
    }

    // MARK: Parts

    /// The digits after the point: three, or as many more as it takes to distinguish the date from its neighbors.
    private static func fractionDigits(of seconds: Double, whole: Int) -> String {
        let fraction = seconds - Double(whole)
        // Most dates have whole milliseconds.
        let milliseconds = (fraction * 1_000).rounded()
        if milliseconds < 1_000, Double(whole) + milliseconds / 1_000 == seconds {
            return padded(Int(milliseconds), 3)
        }
        for count in 3...17 {
            let string = String(format: "%.\(count)f", fraction)
            // Rounded up to a full second: one digit more is needed.
            guard string.hasPrefix("0."), let value = Double(string) else { continue }
            if Double(whole) + value == seconds { return String(string.dropFirst(2)) }
        }
        return "000"
    }

    private static func yearString(_ year: Int) -> String {
        if (0...9_999).contains(year) { return padded(year, 4) }
        return (year < 0 ? "-" : "+") + padded(abs(year), 6)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = value % divisor
        return remainder < 0
            ? (value / divisor - 1, remainder + divisor)
            : (value / divisor, remainder)
    }

    // The proleptic Gregorian calendar in eras of 400 years that start on the first of March.

    private static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private static func day(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Reads the parts of a date from its bytes.
private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func date() -> Date? {
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard let year = sign == 0 ? number(4...4) : number(4...9), take("-"), let month = number(2...2), take("-"),
            let day = number(2...2)
        else { return nil }
        let fullYear = sign < 0 ? -year : year
        if position == bytes.count {
            return ISODate.date(year: fullYear, month: month, day: day, time: nil, fraction: 0)
        }
        guard take("T"), let hour = number(2...2), take(":"), let minute = number(2...2), take(":"),
            let second = number(2...2)
        else { return nil }
        var fraction = 0.0
        if take(".") {
            guard let read = self.fraction() else { return nil }
            fraction = read
        }
        guard let offset = offset(), position == bytes.count else { return nil }
        return ISODate.date(
            year: fullYear, month: month, day: day, time: (hour, minute, second, offset), fraction: fraction)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digits() -> Range<Int> {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return start..<position
    }

    private mutating func number(_ lengths: ClosedRange<Int>) -> Int? {
        let range = digits()
        guard lengths.contains(range.count) else { return nil }
        return range.reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) }
    }

    /// What the digits after the point represent.
    private mutating func fraction() -> Double? {
        let range = digits()
        guard (1...20).contains(range.count) else { return nil }
        if range.count == 3 {
            return Double(range.reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) }) / 1_000
        }
        return Double("0." + String(decoding: bytes[range], as: UTF8.self))
    }

    private mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2...2), take(":"), let minutes = number(2...2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
