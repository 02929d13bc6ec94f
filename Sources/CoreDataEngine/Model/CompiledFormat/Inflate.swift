package import Foundation

/// Reads raw DEFLATE data (RFC 1951, without a zlib header), as stores keep their model in.
package enum Inflate {
    /// Returns the data that was compressed.
    ///
    /// - Parameters:
    ///   - data: the compressed bytes; what follows the last block is ignored.
    ///   - limit: the largest size of the result.
    /// - Throws: a `CocoaError` for damaged input or a result beyond the limit.
    package static func decompress(_ data: Data, limit: Int = 1 << 26) throws -> Data {
        var inflater = Inflater(input: [UInt8](data), limit: limit)
        return Data(try inflater.run())
    }
}

private struct Inflater {
    private var bits: BitReader
    private var output: [UInt8] = []
    private let limit: Int

    init(input: [UInt8], limit: Int) {
        bits = BitReader(bytes: input)
        self.limit = limit
    }

    mutating func run() throws -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try bits.read(1) == 1
            switch try bits.read(2) {
            case 0: try copyStored()
            case 1: try expand(literals: Self.fixedLiterals, distances: Self.fixedDistances)
            case 2:
                let tables = try readTables()
                try expand(literals: tables.literals, distances: tables.distances)
            default: throw Self.damaged("a block of an unknown type")
            }
        }
        return output
    }

    private mutating func copyStored() throws {
        let header = try bits.alignedBytes(4)
        let length = Int(header[0]) | Int(header[1]) << 8
        guard length == ~(Int(header[2]) | Int(header[3]) << 8) & 0xFFFF else { throw Self.damaged("a wrong length") }
        guard output.count + length <= limit else { throw tooLarge() }
        output.append(contentsOf: try bits.alignedBytes(length))
    }

    private mutating func expand(literals: HuffmanTable, distances: HuffmanTable) throws {
        while true {
            let symbol = try literals.read(&bits)
            if symbol < 256 {
                guard output.count < limit else { throw tooLarge() }
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                try copyMatch(lengthSymbol: symbol - 257, distances: distances)
            }
        }
    }

    private mutating func copyMatch(lengthSymbol: Int, distances: HuffmanTable) throws {
        guard lengthSymbol < DeflateTables.lengthBases.count else { throw Self.damaged("an unknown length") }
        let length = DeflateTables.lengthBases[lengthSymbol] + (try bits.read(DeflateTables.lengthExtras[lengthSymbol]))
        let symbol = try distances.read(&bits)
        guard symbol < DeflateTables.distanceBases.count else { throw Self.damaged("an unknown distance") }
        let distance = DeflateTables.distanceBases[symbol] + (try bits.read(DeflateTables.distanceExtras[symbol]))
        guard distance <= output.count else { throw Self.damaged("a reference to before the beginning") }
        guard output.count + length <= limit else { throw tooLarge() }
        var source = output.count - distance
        for _ in 0..<length {
            output.append(output[source])
            source += 1
        }
    }

    private mutating func readTables() throws -> (literals: HuffmanTable, distances: HuffmanTable) {
        let literalCount = try bits.read(5) + 257
        let distanceCount = try bits.read(5) + 1
        let lengthCount = try bits.read(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw Self.damaged("too many codes") }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount { codeLengths[DeflateTables.codeLengthOrder[index]] = UInt8(try bits.read(3)) }
        let lengthTable = try HuffmanTable(lengths: codeLengths)
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            try readLengths(with: lengthTable, into: &lengths)
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else {
            throw Self.damaged("a wrong list of codes")
        }
        return (
            try HuffmanTable(lengths: Array(lengths[..<literalCount])),
            try HuffmanTable(lengths: Array(lengths[literalCount...]))
        )
    }

    private mutating func readLengths(with table: HuffmanTable, into lengths: inout [UInt8]) throws {
        let symbol = try table.read(&bits)
        switch symbol {
        case 0...15: lengths.append(UInt8(symbol))
        case 16:
            guard let last = lengths.last else { throw Self.damaged("a repetition of nothing") }
            lengths.append(contentsOf: repeatElement(last, count: 3 + (try bits.read(2))))
        case 17: lengths.append(contentsOf: repeatElement(0, count: 3 + (try bits.read(3))))
        default: lengths.append(contentsOf: repeatElement(0, count: 11 + (try bits.read(7))))
        }
    }

    private func tooLarge() -> CocoaError {
        ModelError.corrupt("The compressed data is larger than the limit of \(limit) bytes.")
    }

    static func damaged(_ what: String) -> CocoaError {
        ModelError.corrupt("The compressed data is damaged: it has \(what).")
    }

    private static let fixedLiterals = HuffmanTable(checkedLengths: DeflateTables.fixedLiteralLengths)
    private static let fixedDistances = HuffmanTable(checkedLengths: [UInt8](repeating: 5, count: 30))
}

/// Reads bits, least significant first.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0
    private var buffer: UInt64 = 0
    private var available = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read(_ count: Int) throws -> Int {
        guard count > 0 else { return 0 }
        let value = Int(peek(count))
        try skip(count)
        return value
    }

    /// The next bits, with zeros behind the end.
    mutating func peek(_ count: Int) -> UInt64 {
        while available < count, position < bytes.count {
            buffer |= UInt64(bytes[position]) << UInt64(available)
            position += 1
            available += 8
        }
        return buffer & ((1 << UInt64(count)) - 1)
    }

    mutating func skip(_ count: Int) throws {
        guard available >= count else { throw ModelError.corrupt("The compressed data ends too early.") }
        buffer >>= UInt64(count)
        available -= count
    }

    /// Drops the rest of the current byte and returns whole bytes.
    mutating func alignedBytes(_ count: Int) throws -> [UInt8] {
        position -= available / 8
        buffer = 0
        available = 0
        guard count <= bytes.count - position else { throw ModelError.corrupt("The compressed data ends too early.") }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}

/// A prefix code as a table: the next bits of the input give symbol and length at once.
private struct HuffmanTable {
    private let width: Int
    /// Symbol shifted left by four, and the length of its code; 0 for an unused code.
    private let entries: [UInt16]

    init(lengths: [UInt8]) throws {
        var space = 1 << 15
        for length in lengths where length > 0 { space -= 1 << (15 - Int(length)) }
        guard space >= 0 else { throw Inflater.damaged("codes that overlap") }
        self.init(checkedLengths: lengths)
    }

    init(checkedLengths lengths: [UInt8]) {
        width = Int(max(lengths.max() ?? 1, 1))
        var entries = [UInt16](repeating: 0, count: 1 << width)
        var code = 0
        for length in 1...width {
            for (symbol, symbolLength) in lengths.enumerated() where Int(symbolLength) == length {
                let step = 1 << length
                for index in stride(from: DeflateTables.reversed(code, length), to: entries.count, by: step) {
                    entries[index] = UInt16(symbol << 4 | length)
                }
                code += 1
            }
            code <<= 1
        }
        self.entries = entries
    }

    func read(_ bits: inout BitReader) throws -> Int {
        let entry = Int(entries[Int(bits.peek(width))])
        guard entry != 0 else { throw Inflater.damaged("an unknown code") }
        try bits.skip(entry & 15)
        return entry >> 4
    }
}
