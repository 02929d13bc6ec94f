#if PostgreSQL
package import Foundation

/// Decimals in the server's binary form: digits to the base 10,000 with the weight of the first.
package enum PostgreSQLNumeric {
    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000
    private static let twoTo64 = Decimal(UInt64.max) + 1
    private static let infinities: Set<UInt16> = [0xD000, 0xF000]

    // MARK: Writing

    static func write(_ decimal: Decimal, to buffer: inout WireBuffer) {
        if decimal.isNaN { return writeHeader(0, 0, notANumber, 0, to: &buffer) }
        // Its digits and where the point is; how a decimal keeps them is no public matter of it.
        var digits: [UInt8] = []
        var point: Int?
        for byte in decimal.description.utf8 {
            if byte == UInt8(ascii: ".") { point = digits.count }
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { digits.append(byte - UInt8(ascii: "0")) }
        }
        var weightOfPoint = point ?? digits.count
        let scale = digits.count - weightOfPoint
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        weightOfPoint -= zeros
        while digits.last == 0 { digits.removeLast() }
        guard !digits.isEmpty else { return writeHeader(0, 0, 0, 0, to: &buffer) }
        let weight = Int((Double(weightOfPoint) / 4).rounded(.up)) - 1
        let padding = (weight + 1) * 4 - weightOfPoint
        let groups = (padding + digits.count + 3) / 4
        writeHeader(groups, weight, decimal.sign == .minus ? negative : 0, scale, to: &buffer)
        for group in 0..<groups {
            var value: UInt16 = 0
            for digit in 0..<4 {
                let index = group * 4 + digit - padding
                value = value * 10 + (digits.indices.contains(index) ? UInt16(digits[index]) : 0)
            }
            buffer.put(value)
        }
    }

    private static func writeHeader(
        _ groups: Int, _ weight: Int, _ sign: UInt16, _ scale: Int, to buffer: inout WireBuffer
    ) {
        buffer.put(UInt16(truncatingIfNeeded: groups))
        buffer.put(Int16(truncatingIfNeeded: weight))
        buffer.put(sign)
        buffer.put(UInt16(truncatingIfNeeded: scale))
    }

    // MARK: Reading

    /// The decimal of a column's value.
    ///
    /// - Throws: `PostgreSQLError` for bytes that are no number, an infinity, and a number with more digits than a
    ///   `Decimal` has.
    package static func decimal(_ bytes: UnsafeRawBufferPointer) throws -> Decimal {
        var reader = WireReader(bytes)
        let count = Int(try reader.next(UInt16.self))
        let weight = Int(try reader.next(Int16.self))
        let sign = try reader.next(UInt16.self)
        _ = try reader.next(UInt16.self)
        if sign == notANumber { return .nan }
        if infinities.contains(sign) { throw unfit("an infinite number") }
        guard sign == 0 || sign == negative, reader.remaining == count * 2 else { throw WireReader.malformed }
        var mantissa: UInt128 = 0
        for index in 0..<count {
            let digit = try reader.next(UInt16.self)
            guard digit < 10_000 else { throw WireReader.malformed }
            // Zeros at the end of the last group are no digits.
            if index == count - 1, let last = lastGroup(mantissa, digit) {
                return try decimal(last.mantissa, exponent: (weight - index) * 4 + last.exponent, sign)
            }
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10_000)
            let (sum, overflowsToo) = product.addingReportingOverflow(UInt128(digit))
            guard !overflows, !overflowsToo else { throw unfit("a number with more than 38 digits") }
            mantissa = sum
        }
        return try decimal(mantissa, exponent: (weight - count + 1) * 4, sign)
    }

    /// The mantissa with the digits of the last group that are not zeros at its end.
    private static func lastGroup(_ mantissa: UInt128, _ digit: UInt16) -> (mantissa: UInt128, exponent: Int)? {
        var (digit, factor, exponent): (UInt16, UInt128, Int) = (digit, 10_000, 0)
        while exponent < 3, digit % 10 == 0 {
            digit /= 10
            factor /= 10
            exponent += 1
        }
        let (product, overflows) = mantissa.multipliedReportingOverflow(by: factor)
        let (sum, overflowsToo) = product.addingReportingOverflow(UInt128(digit))
        return overflows || overflowsToo ? nil : (sum, exponent)
    }

    private static func decimal(_ mantissa: UInt128, exponent: Int, _ sign: UInt16) throws -> Decimal {
        guard mantissa != 0 else { return 0 }
        var (mantissa, exponent) = (mantissa, exponent)
        while exponent > 127 {
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            guard !overflows else { throw unfit("a number of more than 165 digits") }
            mantissa = product
            exponent -= 1
        }
        guard exponent >= -128 else { throw unfit("a number with more than 128 decimal places") }
        // Exact: a decimal's digits are a number of 128 bits.
        let (high, low) = (UInt64(truncatingIfNeeded: mantissa >> 64), UInt64(truncatingIfNeeded: mantissa))
        let significand = high == 0 ? Decimal(low) : Decimal(high) * twoTo64 + Decimal(low)
        return Decimal(sign: sign == negative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    private static func unfit(_ what: String) -> PostgreSQLError {
        var error = PostgreSQLError(.unreadableValue, "The database has \(what), which doesn't fit a decimal.")
        error.found = what
        return error
    }
}

#endif
