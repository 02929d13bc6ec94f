package import Foundation

/// One value of one property, as the engine keeps it between an accessor and a store.
///
/// Numbers, booleans and dates are unboxed; a date is `double`, seconds since 2001-01-01 00:00:00 UTC. Which of the cases
/// a slot may hold follows from its `SlotKind`.
package enum PropertyValue {
    case null
    case integer(Int64)
    case double(Double)
    case string(String)
    case data(Data)
    case uuid(UUID)
    case uri(URL)
    case decimal(DecimalBox)
    /// A to-one's destination by identity.
    case reference(ObjectReference)
    /// A to-one's destination that has an object in the same context; saved or not.
    case object(NSManagedObject)
    /// A transformable's value, not yet archived.
    case transformed(TransformedValue)

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// A decimal on the heap: a `Decimal` inline would double the size of every `PropertyValue`.
package final class DecimalBox: Sendable {
    package let value: Decimal

    package init(_ value: Decimal) { self.value = value }
}

/// The value of a transformable attribute, with its archived form once that is known.
package final class TransformedValue {
    package let value: Any

    package init(_ value: Any) { self.value = value }
}

/// Which object a to-one points to: the destination's entity and its number in the store.
package struct ObjectReference: Hashable, Sendable {
    /// The number of the row: `Z_PK` in a SQL store. Negative for an object that was never saved.
    package var reference: Int64
    /// The concrete entity's index in the model, `EntityLayout.index`.
    package var entityIndex: Int32

    package init(reference: Int64, entityIndex: Int32) {
        self.reference = reference
        self.entityIndex = entityIndex
    }
}
