#if PostgreSQL
package import Foundation

/// Moments as the server has them: microseconds since 2000-01-01 00:00 UTC, and two infinities.
package enum PostgreSQLDate {
    /// From 2000-01-01 to 2001-01-01, where Foundation counts from.
    private static let epochDifference: Int64 = 366 * 86_400
    /// From 4714-11-24 BC, the first day of the Julian calendar, to the end of the year 294276.
    private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    /// A moment, rounded to microseconds; infinite ones are the server's `infinity` and `-infinity`.
    ///
    /// - Throws: `PostgreSQLError` when it is beyond the server's range, or no number.
    package static func microseconds(of date: Date) throws -> Int64 {
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds == .infinity { return .max }
        if seconds == -.infinity { return .min }
        guard let whole = Int64(exactly: seconds.rounded(.down)), range.contains(saturated(whole)) else {
            throw outOfRange(seconds)
        }
        let part = Int64(((seconds - Double(whole)) * 1e6).rounded())
        let result = (whole + epochDifference) * 1_000_000 + part
        guard range.contains(result) else { throw outOfRange(seconds) }
        return result
    }

    /// The moment of a column's value. The same moment is written again for it.
    @inline(__always)
    package static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate(microseconds))
    }

    /// The seconds since 2001 of a column's value.
    @inline(__always)
    package static func secondsSinceReferenceDate(_ microseconds: Int64) -> Double {
        if microseconds == .max { return .infinity }
        if microseconds == .min { return -.infinity }
        let (seconds, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Double(seconds - epochDifference) + Double(part) / 1e6
    }

    private static func saturated(_ seconds: Int64) -> Int64 {
        let (product, overflows) = (seconds &+ epochDifference).multipliedReportingOverflow(by: 1_000_000)
        return overflows ? .max : product
    }

    private static func outOfRange(_ seconds: Double) -> PostgreSQLError {
        PostgreSQLError(
            .invalidValue,
            "The date \(seconds) seconds after 2001-01-01 is beyond what PostgreSQL can store: the years 4714 BC to "
                + "294276.")
    }
}
#endif
