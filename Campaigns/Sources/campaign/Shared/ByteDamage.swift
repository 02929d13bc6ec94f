import CampaignCore
import Foundation

/// Damages bytes.
enum ByteDamage {
    /// Changes up to a few positions: bits, bytes, numbers, pieces that are zeroed, moved, repeated or cut out, and the
    /// end.
    ///
    /// - Parameter unit: The size of the larger pieces: a page of a database.
    static func damaged(_ data: Data, _ random: inout SplitMix64, unit: Int = 4_096) -> Data {
        var bytes = [UInt8](data)
        for _ in 0...(random.chance(60) ? 0 : random.below(8)) {
            guard !bytes.isEmpty else { break }
            damage(&bytes, &random, unit)
        }
        return Data(bytes)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64, _ unit: Int) {
        let index = random.below(bytes.count)
        switch random.below(14) {
        case 0, 1, 2: bytes[index] ^= 1 << random.below(8)
        case 3, 4: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 5: bytes[index] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        case 6: overwrite(&bytes, index, random.bytes(1 + random.below(16)))
        case 7: overwrite(&bytes, index, [UInt8](repeating: random.pick([0, 0xFF, 0x7F]), count: 1 + random.below(9)))
        case 8:
            let value = random.pick([UInt64(Int64.max), .max, 1 << 31, 1 << 32, 0x7FFF_FFFF, 0, 1])
            withUnsafeBytes(of: random.chance(50) ? value.bigEndian : value.littleEndian) {
                overwrite(&bytes, index, Array($0))
            }
        case 9:
            let start = index / unit * unit
            overwrite(&bytes, start, [UInt8](repeating: 0, count: unit))
        case 10:
            let (from, to) = (random.below(bytes.count) / unit * unit, index / unit * unit)
            overwrite(&bytes, to, Array(bytes[from..<min(bytes.count, from + unit)]))
        case 11: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(random.chance(70) ? 8 : unit)))
        case 12:
            let end = min(bytes.count, index + 1 + random.below(random.chance(70) ? 32 : unit))
            bytes.insert(contentsOf: bytes[index..<end], at: random.below(bytes.count))
        default:
            bytes.removeSubrange((random.chance(50) ? index : bytes.count - 1 - random.below(min(64, bytes.count)))...)
        }
    }

    private static func overwrite(_ bytes: inout [UInt8], _ index: Int, _ values: [UInt8]) {
        let end = min(bytes.count, index + values.count)
        bytes.replaceSubrange(index..<end, with: values.prefix(end - index))
    }
}
