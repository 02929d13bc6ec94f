package import Foundation

/// Writes raw DEFLATE data (RFC 1951, without a zlib header), as stores keep their model in.
///
/// Repetitions are found with a chained hash table; the code is the fixed one, which is a good fit for archives.
package enum Deflate {
    /// Returns the compressed data.
    package static func compress(_ data: Data) -> Data {
        var writer = BitWriter()
        writer.write(1, count: 1)
        writer.write(1, count: 2)
        let bytes = [UInt8](data)
        var matcher = RepetitionFinder(bytes: bytes)
        var position = 0
        while position < bytes.count {
            if let match = matcher.longestMatch(at: position) {
                writer.writeMatch(length: match.length, distance: match.distance)
                for index in position..<position + match.length { matcher.insert(index) }
                position += match.length
            } else {
                writer.writeLiteral(Int(bytes[position]))
                matcher.insert(position)
                position += 1
            }
        }
        writer.writeLiteral(256)
        return writer.finish()
    }
}

/// Finds the longest earlier occurrence of the bytes at a position.
private struct RepetitionFinder {
    private static let window = 32768
    private static let longest = 258
    private static let candidates = 64

    private let bytes: [UInt8]
    private var heads = [Int32](repeating: -1, count: 1 << 15)
    private var previous: [Int32]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        previous = [Int32](repeating: -1, count: bytes.count)
    }

    private func hash(_ position: Int) -> Int {
        let word = UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
        return Int((word &* 0x9E37_79B1) >> 17)
    }

    mutating func insert(_ position: Int) {
        guard position + 2 < bytes.count else { return }
        let slot = hash(position)
        previous[position] = heads[slot]
        heads[slot] = Int32(position)
    }

    func longestMatch(at position: Int) -> (length: Int, distance: Int)? {
        guard position + 2 < bytes.count else { return nil }
        var best = (length: 2, distance: 0)
        var candidate = Int(heads[hash(position)])
        var tries = 0
        let most = min(Self.longest, bytes.count - position)
        while candidate >= 0, position - candidate <= Self.window, tries < Self.candidates, best.length < most {
            if bytes[candidate + best.length] == bytes[position + best.length] {
                var length = 0
                while length < most, bytes[candidate + length] == bytes[position + length] { length += 1 }
                if length > best.length { best = (length, position - candidate) }
            }
            candidate = Int(previous[candidate])
            tries += 1
        }
        return best.distance > 0 ? best : nil
    }
}

/// Writes bits, least significant first, and the codes of the fixed table.
private struct BitWriter {
    private var output = Data()
    private var buffer: UInt64 = 0
    private var used = 0

    private static let literalCodes: [(code: Int, length: Int)] = {
        var codes = [(code: Int, length: Int)](repeating: (0, 0), count: DeflateTables.fixedLiteralLengths.count)
        var code = 0
        for length in 1...9 {
            for (symbol, symbolLength) in DeflateTables.fixedLiteralLengths.enumerated() where symbolLength == length {
                codes[symbol] = (DeflateTables.reversed(code, length), length)
                code += 1
            }
            code <<= 1
        }
        return codes
    }()

    mutating func write(_ value: Int, count: Int) {
        buffer |= UInt64(value) << UInt64(used)
        used += count
        while used >= 8 {
            output.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            used -= 8
        }
    }

    mutating func writeLiteral(_ symbol: Int) {
        let entry = Self.literalCodes[symbol]
        write(entry.code, count: entry.length)
    }

    mutating func writeMatch(length: Int, distance: Int) {
        let lengthIndex = DeflateTables.lengthBases.lastIndex { $0 <= length } ?? 0
        writeLiteral(257 + lengthIndex)
        write(length - DeflateTables.lengthBases[lengthIndex], count: DeflateTables.lengthExtras[lengthIndex])
        let distanceIndex = DeflateTables.distanceBases.lastIndex { $0 <= distance } ?? 0
        write(DeflateTables.reversed(distanceIndex, 5), count: 5)
        write(distance - DeflateTables.distanceBases[distanceIndex], count: DeflateTables.distanceExtras[distanceIndex])
    }

    mutating func finish() -> Data {
        if used > 0 { write(0, count: 8 - used) }
        return output
    }
}
