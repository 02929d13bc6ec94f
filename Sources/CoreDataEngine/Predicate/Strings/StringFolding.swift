import Foundation

/// Brings strings into the form in which `[c]`, `[d]` and `[cd]` compare them.
///
/// The result is always that of `String.folding(options:locale:)` without a locale.
package enum StringFolding {
    /// Whether the options ask for folding at all.
    ///
    /// `[n]` says that strings are to be compared as they are.
    @inline(__always)
    package static func isNeeded(_ options: NSComparisonPredicate.Options) -> Bool {
        options.rawValue & 0b11 != 0 && options.rawValue & 0b100 == 0
    }

    /// The folded string.
    package static func folded(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
        guard isNeeded(options) else { return string }
        var string = string
        return string.withUTF8 { bytes in
            withFolded(UnsafeRawBufferPointer(bytes), options) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls a closure with the folded bytes of a string, which are valid during the call only.
    package static func withFolded<Result>(
        _ string: UnsafeRawBufferPointer, _ options: NSComparisonPredicate.Options,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard isNeeded(options) else { return try body(string) }
        // A two-byte character becomes at most seven bytes.
        return try withUnsafeTemporaryAllocation(byteCount: string.count * 4 + 8, alignment: 1) { buffer in
            if let count = fold(string, options, into: buffer) {
                return try body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
            }
            var folded = foldedByFoundation(String(decoding: string, as: UTF8.self), options)
            return try folded.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The slow path, and the definition of what the fast one has to give.
    package static func foldedByFoundation(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
        var compareOptions: String.CompareOptions = []
        if options.contains(.caseInsensitive) { compareOptions.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compareOptions.insert(.diacriticInsensitive) }
        return string.folding(options: compareOptions, locale: nil)
    }

    /// Folds into a buffer; nil if the string has characters that only Foundation knows.
    private static func fold(
        _ string: UnsafeRawBufferPointer, _ options: NSComparisonPredicate.Options,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let source = string.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let target = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return 0 }
        let lowercases = options.contains(.caseInsensitive)
        let count = string.count
        var position = 0
        while position < count, source[position] < 0x80 {
            target[position] = lowercases ? lowercased(source[position]) : source[position]
            position += 1
        }
        if position == count { return count }
        let table = FoldingTable.table(for: options)
        var end = position
        while position < count {
            let byte = source[position]
            if byte < 0x80 {
                target[end] = lowercases ? lowercased(byte) : byte
                end += 1
                position += 1
            } else if byte < 0xE0, position + 1 < count {
                let value = UInt32(byte & 0x1F) << 6 | UInt32(source[position + 1] & 0x3F)
                guard let next = write(table.packed(value), to: target, at: end) else { return nil }
                end = next
                position += 2
            } else if byte < 0xF0, position + 2 < count {
                let (second, third) = (source[position + 1], source[position + 2])
                let value = UInt32(byte & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
                let bytes = UInt64(byte) | UInt64(second) << 8 | UInt64(third) << 16
                guard let next = write(table.packed(threeByte: value, bytes), to: target, at: end) else { return nil }
                end = next
                position += 3
            } else {
                return nil
            }
        }
        return end
    }

    @inline(__always)
    private static func write(_ packed: UInt64, to target: UnsafeMutablePointer<UInt8>, at end: Int) -> Int? {
        guard packed != FoldingTable.unknown else { return nil }
        var rest = packed
        let length = Int(packed >> 56)
        for offset in 0..<length {
            target[end + offset] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
        return end + length
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}
