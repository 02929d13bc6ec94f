import Foundation

/// Covers of books: small pictures of bands and a disc, in PNG format.
enum Cover {
    private static let width = 32
    private static let height = 48

    static func png(_ random: inout SplitMix64) -> Data {
        let palette = (0..<4).flatMap { _ in (0..<3).map { _ in UInt8(60 + random.below(180)) } }
        let (horizon, radius) = (12 + random.below(24), 5 + random.below(8))
        var pixels = Data()
        for y in 0..<height {
            pixels.append(0)  // The line isn't filtered.
            for x in stride(from: 0, to: width, by: 2) {
                let (left, right) = (color(x, y, horizon, radius), color(x + 1, y, horizon, radius))
                pixels.append(left << 4 | right)
            }
        }
        let size = bytes(UInt32(width)) + bytes(UInt32(height))
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk("IHDR", size + [4, 3, 0, 0, 0])  // Four bits for each pixel, an index in the palette.
            + chunk("PLTE", Data(palette)) + chunk("IDAT", stored(pixels)) + chunk("IEND", Data())
    }

    private static func color(_ x: Int, _ y: Int, _ horizon: Int, _ radius: Int) -> UInt8 {
        let (dx, dy) = (x - width / 2, y - horizon)
        if y < 4 || y >= height - 4 { return 3 }
        if dx * dx + dy * dy < radius * radius { return 2 }
        return y < horizon ? 0 : 1
    }

    /// A zlib stream that holds the bytes as they are.
    private static func stored(_ data: Data) -> Data {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let length = UInt16(data.count)
        let lengths = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return Data([0x78, 0x01, 0x01]) + lengths + data + bytes(high << 16 | low)
    }

    private static func chunk(_ name: String, _ content: Data) -> Data {
        let body = Data(name.utf8) + content
        var checksum = UInt32.max
        for byte in body {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return bytes(UInt32(content.count)) + body + bytes(~checksum)
    }

    private static func bytes(_ number: UInt32) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }
}
