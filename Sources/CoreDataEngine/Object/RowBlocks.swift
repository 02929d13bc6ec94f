import Foundation

/// Memory for rows of one length, in blocks of about a hundred kilobytes.
///
/// Blocks of that size come from the heap's own lists, so that the memory of one fetch serves the next; a block as large as
/// the result would be new pages from the system each time. Only the first block may move, and only while it grows.
struct RowBlocks: ~Copyable {
    private let stride: Int
    /// The number of rows in a block is 2 to the power of this.
    private let shift: Int
    private var blocks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    private var blockCount = 1
    private var blockCapacity: Int
    /// How many rows there is memory for.
    private var capacity: Int

    private static let blockBytes = 120_000

    /// - Parameter stride: Words of a row.
    init(stride: Int, expectedCount: Int) {
        self.stride = stride
        let rows = max(Self.blockBytes / (stride * MemoryLayout<UInt64>.stride), 1)
        shift = Int.bitWidth - 1 - rows.leadingZeroBitCount
        capacity = min(max(expectedCount, 1), 1 << shift)
        blockCapacity = max(expectedCount, 1) >> shift + 1
        blocks = Memory.resized(nil, to: blockCapacity)
        blocks[0] = Memory.resized(nil, to: capacity * stride)
    }

    deinit {
        for block in 0..<blockCount { free(blocks[block]) }
        free(blocks)
    }

    @inline(__always)
    func row(_ row: Int) -> UnsafeMutablePointer<UInt64> {
        blocks[row &>> shift] + (row & (1 &<< shift - 1)) &* stride
    }

    /// Makes room for the row with number `row`, the one after the last.
    @inline(__always)
    mutating func append(_ row: Int) -> UnsafeMutablePointer<UInt64> {
        if row >= capacity { grow() }
        return self.row(row)
    }

    @inline(never)
    private mutating func grow() {
        let blockRows = 1 &<< shift
        if capacity < blockRows {
            capacity = min(capacity * 2, blockRows)
            blocks[0] = Memory.resized(blocks[0], to: capacity * stride)
            return
        }
        if blockCount == blockCapacity {
            blockCapacity *= 2
            blocks = Memory.resized(blocks, to: blockCapacity)
        }
        blocks[blockCount] = Memory.resized(nil, to: blockRows * stride)
        blockCount += 1
        capacity += blockRows
    }
}
