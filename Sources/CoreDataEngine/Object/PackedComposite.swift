package import Foundation

/// The values in the bytes of a composite attribute, read where they stand.
package struct PackedComposite {
    private static let numberCount = CompositeCoding.Writer.numberCount

    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: What `CompositeCoding.pack` made, valid as long as this is used.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether there are bytes; those of a composite are as many as its leaves at least.
    package var hasBytes: Bool { bytes.baseAddress != nil }

    /// Where the value of a leaf stands; `nil` where it has none.
    package func place(ofLeaf index: Int) -> Int? {
        var position = 0
        for _ in 0..<index { position += length(at: position) }
        guard position < bytes.count, bytes[position] != CompositeCoding.Tag.null.rawValue,
            position + length(at: position) <= bytes.count
        else { return nil }
        return position
    }

    /// Whether no leaf has a value.
    package var isEmpty: Bool { bytes.allSatisfy { $0 == CompositeCoding.Tag.null.rawValue } }

    /// How many bytes a value has; for one that is cut off, more than there are.
    private func length(at position: Int) -> Int {
        guard position < bytes.count else { return 1 }
        switch CompositeCoding.Tag(rawValue: bytes[position]) {
        case .integer, .real: return Self.numberCount
        case .text, .blob:
            guard bytes.count - position >= Self.numberCount else { return bytes.count + 1 }
            return Self.numberCount + Int(clamping: min(number(at: position), UInt64(bytes.count)))
        case .null, nil: return 1
        }
    }

    private func number(at position: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self).littleEndian
    }

    private func has(_ tag: CompositeCoding.Tag, at place: Int) -> Bool { bytes[place] == tag.rawValue }

    private func content(at place: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[(place + Self.numberCount)..<(place + length(at: place))])
    }

    /// A whole number; `nil` for another value.
    package func integer(at place: Int) -> Int64? {
        has(.integer, at: place) ? Int64(bitPattern: number(at: place)) : nil
    }

    /// A number; `nil` for another value.
    package func real(at place: Int) -> Double? {
        has(.real, at: place) ? Double(bitPattern: number(at: place)) : integer(at: place).map(Double.init)
    }

    /// A string; `nil` for another value.
    package func string(at place: Int) -> String? {
        has(.text, at: place) ? String(decoding: content(at: place), as: UTF8.self) : nil
    }

    /// An identifier; `nil` for another value.
    package func uuid(at place: Int) -> UUID? {
        guard has(.blob, at: place) else { return nil }
        let content = content(at: place)
        return content.count == 16 ? UUID(uuid: content.loadUnaligned(as: uuid_t.self)) : nil
    }

    /// The value in the form of its column.
    package func value(at place: Int) -> SQLValue {
        switch CompositeCoding.Tag(rawValue: bytes[place]) {
        case .integer: .integer(Int64(bitPattern: number(at: place)))
        case .real: .real(Double(bitPattern: number(at: place)))
        case .text: .text(String(decoding: content(at: place), as: UTF8.self))
        case .blob: .blob(Data(content(at: place)))
        case .null, nil: .null
        }
    }
}
