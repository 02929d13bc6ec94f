import Foundation

/// JSON as the bytes of a document, appended where they stand; the same text as `JSONText` makes.
enum JSONBytes {
    static func append(_ string: String, to output: inout [UInt8]) {
        var string = string
        string.withUTF8 { output.append(contentsOf: $0) }
    }

    static func append(_ number: Int64, to output: inout [UInt8]) {
        guard number >= 0, number <= Int64(UInt32.max) else { return append(String(number), to: &output) }
        if number < 10 {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number))
            return
        }
        var rest = UInt32(truncatingIfNeeded: number)
        let start = output.count
        while rest > 0 {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        output[start...].reverse()
    }

    static func append(_ number: Double, to output: inout [UInt8]) {
        guard number.isFinite else { return append("\"\(JSONText.nameOfNonFinite(number))\"", to: &output) }
        append(number.description, to: &output)
    }

    static func append(_ value: JSONValue, to output: inout [UInt8]) {
        var string = ""
        JSONText.append(value, to: &string)
        append(string, to: &output)
    }

    /// Appends a string in quotes, from its bytes in UTF-8.
    static func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            let (scalar, length) = byte < 0x80 ? (Unicode.Scalar(byte), 1) : Self.scalar(bytes, at: index)
            guard let scalar else {
                // No UTF-8: what a string makes of it.
                output.append(contentsOf: bytes[start..<index])
                var rest = ""
                JSONText.appendQuoted(String(decoding: bytes[index...], as: UTF8.self), to: &rest)
                rest.removeFirst()
                return append(rest, to: &output)
            }
            if byte < 0x80 || TerminalText.isHidden(scalar) {
                output.append(contentsOf: bytes[start..<index])
                var escaped = ""
                JSONText.appendScalar(scalar, to: &escaped)
                append(escaped, to: &output)
                start = index + length
            }
            index += length
        }
        output.append(contentsOf: bytes[start..<bytes.count])
        output.append(UInt8(ascii: "\""))
    }

    /// The scalar of more than one byte that starts at an index, and its length; nil for bytes that are not UTF-8.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (Unicode.Scalar?, Int) {
        let lead = bytes[start]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead < 0xF5, start + length <= bytes.count else { return (nil, 1) }
        var value = UInt32(lead) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
        for offset in 1..<length {
            let byte = bytes[start + offset]
            guard byte & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard length == 2 || value >= (length == 3 ? 0x800 : 0x10000) else { return (nil, 1) }
        return (Unicode.Scalar(value), length)
    }
}
