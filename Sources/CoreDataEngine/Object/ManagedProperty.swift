import Foundation
public import Synchronization

/// A property of a managed object class, resolved to its place in the row once.
///
/// This is how accessors are written by hand, and what generated ones use:
///
/// ```swift
/// final class Book: NSManagedObject {
///     static let titleProperty = ManagedProperty<String>("title")
///     var title: String {
///         get { self[Book.titleProperty] }
///         set { self[Book.titleProperty] = newValue }
///     }
/// }
/// ```
///
/// Reading fires the fault and writing tracks the change, as key-value coding does, without a look-up by name.
public final class ManagedProperty<Value>: ResolvedProperty, @unchecked Sendable {}

/// The part of a `ManagedProperty` that doesn't depend on the type of the value.
// Subclasses add nothing, so that theirs is a promise of this class.
open class ResolvedProperty: @unchecked Sendable {
    /// The property's name in the model.
    public let name: String
    /// The layout that was asked last and the place it answered, in one word so that threads need no lock.
    @usableFromInline let resolved = Atomic<UInt64>(0)

    /// What is in `resolved`: the identifier of the layout in the upper half, the place in the lower.
    @inlinable @inline(__always)
    final var lastResolved: UInt64 { resolved.load(ordering: .relaxed) }

    /// Names a property of the model.
    public init(_ name: String) { self.name = name }

    /// The slot (attribute, to-one) or relationship index (to-many) of the property in an object's entity.
    @inline(__always)
    func place(in object: NSManagedObject, toMany: Bool) -> Int {
        let known = lastResolved
        if UInt32(truncatingIfNeeded: known >> 32) == object.layoutIdentifier {
            return Int(truncatingIfNeeded: known & 0xFFFF_FFFF)
        }
        return resolve(in: object.layout, toMany: toMany)
    }

    @inline(never)
    private func resolve(in layout: EntityLayout, toMany: Bool) -> Int {
        if layout.isProbe {
            KeyPathProbe.note(name)
            return 0
        }
        let place = toMany ? layout.relationship(named: name)?.index : layout.slot(named: name)?.index
        guard let place else {
            preconditionFailure(
                "The entity \(layout.name) has no \(toMany ? "to-many relationship" : "property") named \(name).")
        }
        resolved.store(UInt64(layout.identifier) << 32 | UInt64(place), ordering: .relaxed)
        return place
    }
}
