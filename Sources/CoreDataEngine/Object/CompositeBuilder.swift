package import Foundation

/// Puts the bytes of a composite attribute together, from values in any order.
package final class CompositeBuilder {
    /// Where the values of the leaves stand in `bytes`; negative for those without one.
    private var places: [Int]
    /// The values in the order in which they were set.
    private var bytes: UnsafeMutableRawBufferPointer
    private var count = 0
    /// Whether the values were set in the order of the leaves, and each once.
    private var isInOrder = true
    private var last = -1

    /// - Parameter leaves: How many leaves the attribute has.
    package init(leaves: Int) {
        places = Array(repeating: -1, count: leaves)
        bytes = .allocate(byteCount: 256, alignment: 8)
    }

    deinit { bytes.deallocate() }

    /// Takes all values away.
    package func clear() {
        for leaf in places.indices { places[leaf] = -1 }
        count = 0
        isInOrder = true
        last = -1
    }

    /// Sets a leaf to no value.
    package func remove(_ leaf: Int) {
        if leaf <= last { isInOrder = false }
        places[leaf] = -1
    }

    package func set(_ leaf: Int, integer: Int64) { setNumber(leaf, .integer, UInt64(bitPattern: integer)) }

    package func set(_ leaf: Int, real: Double) { setNumber(leaf, .real, real.bitPattern) }

    package func set(_ leaf: Int, text: String) {
        var text = text
        text.withUTF8 { setContent(leaf, .text, UnsafeRawBufferPointer($0)) }
    }

    package func set(_ leaf: Int, _ value: SQLValue) {
        switch value {
        case .null: remove(leaf)
        case .integer(let number): set(leaf, integer: number)
        case .real(let number): set(leaf, real: number)
        case .text(let text): set(leaf, text: text)
        case .blob(let blob): blob.withUnsafeBytes { setContent(leaf, .blob, $0) }
        }
    }

    private func setNumber(_ leaf: Int, _ tag: CompositeCoding.Tag, _ number: UInt64) {
        begin(leaf, CompositeCoding.Writer.numberCount)
        append(tag, number)
    }

    private func setContent(_ leaf: Int, _ tag: CompositeCoding.Tag, _ content: UnsafeRawBufferPointer) {
        begin(leaf, CompositeCoding.Writer.numberCount + content.count)
        append(tag, UInt64(content.count))
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: content)
        count += content.count
    }

    private func append(_ tag: CompositeCoding.Tag, _ number: UInt64) {
        bytes[count] = tag.rawValue
        bytes.storeBytes(of: number.littleEndian, toByteOffset: count + 1, as: UInt64.self)
        count += CompositeCoding.Writer.numberCount
    }

    /// Makes room for a value of a leaf, and for the nulls before it.
    private func begin(_ leaf: Int, _ length: Int) {
        reserve(places.count * CompositeCoding.Writer.nullCount + length)
        if leaf > last, isInOrder {
            for _ in (last + 1)..<leaf { appendNull() }
            last = leaf
        } else {
            isInOrder = false
        }
        places[leaf] = count
    }

    private func appendNull() {
        bytes[count] = CompositeCoding.Tag.null.rawValue
        count += CompositeCoding.Writer.nullCount
    }

    private func reserve(_ length: Int) {
        guard bytes.count - count < length else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: (count + length) * 2, alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        bytes.deallocate()
        bytes = larger
    }

    /// The bytes; `nil` where no leaf has a value.
    package var data: Data? {
        guard places.contains(where: { $0 >= 0 }) else { return nil }
        guard isInOrder else {
            let given = PackedComposite(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            return CompositeCoding.pack(places.map { $0 < 0 ? .null : given.value(at: $0) })
        }
        reserve(places.count * CompositeCoding.Writer.nullCount)
        while last + 1 < places.count {
            appendNull()
            last += 1
        }
        return bytes.baseAddress.map { Data(bytes: $0, count: count) }
    }
}
