import Foundation

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

    /// Sets a value that the attribute can't have, so that the save says which one it was.
    package final func setInvalidValue(_ value: Any, _ property: ResolvedProperty) {
        setModeledValue(value, forKey: property.name)
    }

    /// Forgets a value that the attribute couldn't have.
    package final func forgetInvalidValue(_ property: ResolvedProperty) {
        extras?.unmodeled.removeValue(forKey: Self.invalidKey(property.name))
    }
}
