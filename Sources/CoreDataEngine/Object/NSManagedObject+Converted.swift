package import Foundation

/// Reading and writing for properties whose values are not kept as they are.
extension NSManagedObject {
    /// The value of a transformable attribute; nil for none.
    package final func transformedValue(_ property: ResolvedProperty) -> Any? {
        guard let index = property.index(in: self, as: .keyed) else { return keyedValue(property) }
        guard !layout.isProbe, let slot = layout.slots[index] else { return nil }
        return anyValue(slot, slotValue(index))
    }

    /// Sets a transformable attribute.
    package final func setTransformedValue(_ value: Any?, _ property: ResolvedProperty) {
        set(property, as: .keyed, value.map { .transformed(TransformedValue($0)) } ?? .null, value)
    }

    /// The bytes of a composite attribute; nil where it has no value, or one that was set as a dictionary.
    package final func packedValue(_ property: ResolvedProperty) -> Data? {
        guard let index = property.index(in: self, as: .keyed), !layout.isProbe, case .data(let data) = slotValue(index)
        else { return nil }
        return data
    }

    /// The bytes of a composite attribute in the row, of an object without edits; nil where `packedValue` has to be asked.
    ///
    /// They are valid until the object changes.
    package final func plainBytes(_ property: ResolvedProperty) -> UnsafeRawBufferPointer? {
        guard let word = plainWord(property), slab?.hasDamage == false else { return nil }
        return UnsafeRawBufferPointer(RowPointer.bytes(word))
    }

    /// The elements of a composite attribute in the order of its bytes; nil where one has elements itself.
    package final func elements(_ property: ResolvedProperty) -> [SlotLayout]? {
        guard let index = property.index(in: self, as: .keyed), !layout.isProbe, let slot = layout.slots[index],
            slot.kind == .composite
        else { return nil }
        let start = slot.name.utf8.count + 1
        let isFlat = slot.leaves.allSatisfy { !$0.name.utf8.dropFirst(start).contains(UInt8(ascii: ".")) }
        return isFlat && !slot.leaves.isEmpty ? slot.leaves : nil
    }

    /// Sets a composite attribute to bytes that `packing` made for it.
    ///
    /// - Returns: Whether it could be set so; otherwise it needs a dictionary.
    package final func setPackedValue(_ data: Data, _ property: ResolvedProperty) -> Bool {
        guard let index = property.index(in: self, as: .keyed) else { return false }
        setAttribute(index, .data(data))
        return true
    }

    /// The bytes for a dictionary of a composite attribute; nil where it can't have it.
    package final func packing(_ elements: [String: Any], _ property: ResolvedProperty) -> Data? {
        guard let index = property.index(in: self, as: .keyed), let slot = layout.slots[index], slot.kind == .composite
        else { return nil }
        return try? slot.archived(elements)
    }

    /// Sets a value that the attribute can't have, so that the save says which one it was.
    package final func setInvalidValue(_ value: Any, _ property: ResolvedProperty) {
        setModeledValue(value, forKey: property.name)
    }

    /// Forgets a value that the attribute couldn't have.
    package final func forgetInvalidValue(_ property: ResolvedProperty) {
        acceptValue(forKey: property.name)
    }
}
