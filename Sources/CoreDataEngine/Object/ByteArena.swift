import Foundation

/// Strings and data of many rows, each after its length, in blocks that never move.
struct ByteArena: ~Copyable {
    /// The length before the bytes is 32 bits.
    static let lengthBytes = 4

    /// The block that is being filled; each begins with the address of the one before.
    private var block: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    private var blockBytes: Int
    /// How many bytes the blocks have.
    private(set) var allocatedBytes = 0

    private static let smallestBlock = 256
    private static let largestBlock = 120_000
    private static let headerBytes = MemoryLayout<UnsafeMutableRawPointer?>.stride

    /// - Parameter expectedCount: How many bytes may come; memory is taken with the first.
    init(expectedCount: Int) {
        blockBytes = min(max(expectedCount, Self.smallestBlock), Self.largestBlock)
        next = Self.nowhere
        end = Self.nowhere
    }

    /// An address before any block is there: nothing fits.
    private static var nowhere: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped }

    deinit {
        var last = block
        while let block = last {
            last = block.load(as: UnsafeMutableRawPointer?.self)
            free(block)
        }
    }

    /// Copies bytes and returns where their length stands.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        let length = bytes.count
        if end - next < length + Self.lengthBytes { addBlock(for: length + Self.lengthBytes) }
        let pointer = next
        pointer.storeBytes(of: UInt32(truncatingIfNeeded: length), as: UInt32.self)
        if let base = bytes.baseAddress, length > 0 {
            (pointer + Self.lengthBytes).copyMemory(from: base, byteCount: length)
        }
        next = pointer + Self.lengthBytes + length
        return pointer
    }

    @inline(never)
    private mutating func addBlock(for count: Int) {
        let size = Self.headerBytes + max(blockBytes, count)
        guard let memory = malloc(size) else { fatalError("There isn't enough memory for \(size) bytes of a fetch.") }
        allocatedBytes += size
        memory.storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
        block = memory
        next = memory + Self.headerBytes
        end = memory + size
        blockBytes = min(blockBytes * 2, Self.largestBlock)
    }
}
