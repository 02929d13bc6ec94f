/// A pattern with `?` for one code point and `*` for any number of them.
struct LikePattern: Sendable {
    /// A byte of the pattern, or one of the two wildcards.
    private let units: [UInt16]
    private static let one: UInt16 = 256
    private static let many: UInt16 = 257

    init(_ pattern: String) {
        var units: [UInt16] = []
        var isEscaped = false
        for byte in pattern.utf8 {
            if isEscaped {
                units.append(UInt16(byte))
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "?") {
                units.append(Self.one)
            } else if byte == UInt8(ascii: "*") {
                if units.last != Self.many { units.append(Self.many) }
            } else {
                units.append(UInt16(byte))
            }
        }
        if isEscaped { units.append(UInt16(UInt8(ascii: "\\"))) }
        self.units = units
    }

    /// Whether a string matches as a whole.
    ///
    /// After a mismatch the last `*` takes one more byte.
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        var index = 0
        var retry: (index: Int, position: Int)?
        while position < bytes.count {
            let unit = index < units.count ? units[index] : nil
            if unit == Self.many {
                retry = (index + 1, position)
                index += 1
            } else if unit == Self.one {
                position = Self.nextCodePoint(bytes, after: position)
                index += 1
            } else if unit == UInt16(bytes[position]) {
                position += 1
                index += 1
            } else if let last = retry {
                let next = Self.nextCodePoint(bytes, after: last.position)
                retry = (last.index, next)
                (index, position) = (last.index, next)
            } else {
                return false
            }
        }
        return units[index...].allSatisfy { $0 == Self.many }
    }

    private static func nextCodePoint(_ bytes: UnsafeRawBufferPointer, after position: Int) -> Int {
        var next = position + 1
        while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
