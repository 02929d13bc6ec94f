/// Where a row of a slab stands: what a read of a clean object comes down to.
///
/// The words from `words` on are the reference, the entity index and version together, and one word for each slot. Before
/// them stands the null mask, a word for each 64 slots, the first nearest; a bit that is set means that the slot has a
/// value. The word of a string or of data is the address of its length (32 bits), after which the bytes follow.
///
/// Valid while the slab lives, which the owner of the pointer has to keep.
@usableFromInline
struct RowPointer: BitwiseCopyable {
    @inlinable @inline(__always)
    static var headerWords: Int { 2 }

    @usableFromInline let words: UnsafePointer<UInt64>

    @inlinable @inline(__always)
    init(words: UnsafePointer<UInt64>) { self.words = words }

    /// The word of a slot; `nil` for one without value.
    @inlinable @inline(__always)
    func word(_ slot: Int) -> UInt64? { isNull(slot) ? nil : words[Self.headerWords + slot] }

    @inline(__always)
    var reference: Int64 { Int64(bitPattern: words[0]) }

    @inline(__always)
    var entityIndex: Int { Int(words[1] &>> 32) }

    @inline(__always)
    var version: Int64 { Int64(Int32(truncatingIfNeeded: words[1])) }

    @inlinable @inline(__always)
    func isNull(_ slot: Int) -> Bool { words[-1 - slot &>> 6] &>> UInt64(slot & 63) & 1 == 0 }

    @inline(__always)
    func integer(_ slot: Int) -> Int64 { Int64(bitPattern: words[Self.headerWords + slot]) }

    @inline(__always)
    func double(_ slot: Int) -> Double { Double(bitPattern: words[Self.headerWords + slot]) }

    @inline(__always)
    func bytes(_ slot: Int) -> UnsafeBufferPointer<UInt8> { Self.bytes(words[Self.headerWords + slot]) }

    /// The bytes that the word of a string or of data represents.
    @inline(__always)
    static func bytes(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
        guard let start = UnsafeRawPointer(bitPattern: UInt(word)) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let length = start.loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(
            start: (start + ByteArena.lengthBytes).assumingMemoryBound(to: UInt8.self), count: Int(length))
    }

    @inline(__always)
    func string(_ slot: Int) -> String { Self.string(words[Self.headerWords + slot]) }

    /// The string that a word represents.
    @inline(__always)
    static func string(_ word: UInt64) -> String { String(decoding: bytes(word), as: UTF8.self) }
}
