package import Foundation

/// Puts the bytes of a composite attribute together, from values in any order.
package final class CompositeBuilder {
    private let leafCount: Int
    /// Where the values of the leaves stand in `bytes`; negative for those without one.
    private let places: UnsafeMutablePointer<Int>
    // The accesses aren't checked: one thread uses a builder at a time, and nothing that a method calls while it changes
    // these gets hold of the builder.
    /// The values in the order in which they were set.
    @exclusivity(unchecked) private var bytes: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var capacity = 256
    @exclusivity(unchecked) private var count = 0
    /// Whether the values were set in the order of the leaves, and each once.
    @exclusivity(unchecked) private var isInOrder = true
    @exclusivity(unchecked) private var last = -1

    /// - Parameter leaves: How many leaves the attribute has.
    package init(leaves: Int) {
        leafCount = leaves
        places = .allocate(capacity: leaves)
        places.initialize(repeating: -1, count: leaves)
        bytes = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        places.deallocate()
        bytes.deallocate()
    }

    /// Takes all values away.
    package func clear() {
        places.update(repeating: -1, count: leafCount)
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

    package func set(_ leaf: Int, uuid: UUID) {
        withUnsafeBytes(of: uuid.uuid) { setContent(leaf, .blob, $0) }
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
        guard let source = content.baseAddress else { return }
        (bytes + count).copyMemory(from: source, byteCount: content.count)
        count += content.count
    }

    private func append(_ tag: CompositeCoding.Tag, _ number: UInt64) {
        bytes.storeBytes(of: tag.rawValue, toByteOffset: count, as: UInt8.self)
        bytes.storeBytes(of: number.littleEndian, toByteOffset: count + 1, as: UInt64.self)
        count += CompositeCoding.Writer.numberCount
    }

    /// Makes room for a value of a leaf, and for the nulls before it.
    private func begin(_ leaf: Int, _ length: Int) {
        programmerError(unless: leaf >= 0 && leaf < leafCount, "The attribute has no element \(leaf).")
        reserve(leafCount * CompositeCoding.Writer.nullCount + length)
        if leaf > last, isInOrder {
            for _ in (last + 1)..<leaf { appendNull() }
            last = leaf
        } else {
            isInOrder = false
        }
        places[leaf] = count
    }

    private func appendNull() {
        bytes.storeBytes(of: CompositeCoding.Tag.null.rawValue, toByteOffset: count, as: UInt8.self)
        count += CompositeCoding.Writer.nullCount
    }

    private func reserve(_ length: Int) {
        guard capacity - count < length else { return }
        capacity = (count + length) * 2
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: bytes, byteCount: count)
        bytes.deallocate()
        bytes = larger
    }

    /// The bytes; `nil` where no leaf has a value.
    package var data: Data? {
        let places = UnsafeBufferPointer(start: self.places, count: leafCount)
        guard places.contains(where: { $0 >= 0 }) else { return nil }
        guard isInOrder else {
            let given = PackedComposite(UnsafeRawBufferPointer(start: bytes, count: count))
            return CompositeCoding.pack(places.map { $0 < 0 ? .null : given.value(at: $0) })
        }
        reserve(leafCount * CompositeCoding.Writer.nullCount)
        while last + 1 < leafCount {
            appendNull()
            last += 1
        }
        return Data(bytes: bytes, count: count)
    }
}
