package import Foundation

/// Dates as ISO 8601 in UTC, with as many digits of a second as bring the same date back.
package enum ISODate {
    private static let secondsPerDay = 86_400
    /// Days from 1970-01-01 to 2001-01-01, where reference dates start.
    private static let referenceDay = 11_323
    private static let representableDays = -365_000_000.0...365_000_000.0

    /// The text of a date; nil for one that is not a number, or further away than a million years.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard representableDays.contains(seconds / Double(secondsPerDay)) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let (day, second) = floorDivide(whole, by: secondsPerDay)
        let (year, month, dayOfMonth) = civil(fromDay: day + referenceDay)
        let time = padded(second / 3_600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
        let fraction = fractionDigits(of: seconds, whole: whole)
        return "\(yearText(year))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(time).\(fraction)Z"
    }

    /// The date of a text such as `2024-05-01T12:30:00.250Z`.
    ///
    /// Accepts a missing fraction, a missing time of day, and an offset such as `+02:00` in place of `Z`.
    package static func date(from text: String) -> Date? {
        let pattern = /([+-]\d{4,9}|\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,20}))?(Z|[+-]\d\d:\d\d))?/
        guard let match = text.wholeMatch(of: pattern), let year = Int(match.1), let month = Int(match.2),
            let dayOfMonth = Int(match.3), (1...12).contains(month), (1...31).contains(dayOfMonth)
        else { return nil }
        let day = day(year: year, month: month, day: dayOfMonth)
        guard civil(fromDay: day) == (year, month, dayOfMonth) else { return nil }
        var whole = (day - referenceDay) * secondsPerDay
        guard let hour = match.4 else { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
        guard let hour = Int(hour), let minute = match.5.flatMap({ Int($0) }),
            let second = match.6.flatMap({ Int($0) }),
            hour < 24, minute < 60, second < 60, let zone = match.8, let offset = offset(of: zone)
        else { return nil }
        whole += hour * 3_600 + minute * 60 + second - offset
        let fraction = match.7.flatMap { Double("0." + $0) } ?? 0
        return Date(timeIntervalSinceReferenceDate: Double(whole) + fraction)
    }

    // MARK: Parts

    /// The digits after the point: three, or as many more as it takes to tell the date from its neighbours.
    private static func fractionDigits(of seconds: Double, whole: Int) -> String {
        let fraction = seconds - Double(whole)
        for count in 3...17 {
            let text = String(format: "%.\(count)f", fraction)
            // Rounded up to a full second: one digit more is needed.
            guard text.hasPrefix("0."), let value = Double(text) else { continue }
            if Double(whole) + value == seconds { return String(text.dropFirst(2)) }
        }
        return "000"
    }

    private static func offset(of zone: Substring) -> Int? {
        if zone == "Z" { return 0 }
        guard let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (zone.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private static func yearText(_ year: Int) -> String {
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
