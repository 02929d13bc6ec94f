import Foundation
public import Synchronization

/// A property of a managed object class, resolved to its index in the row once.
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
///
/// The type is compared with the model's when an entity's object uses the property for the first time. A property that the
/// entity lacks, or that has a type which doesn't fit, reads as nil or empty and can't be set; the context's next fetch or
/// save throws an error that names it.
public final class ManagedProperty<Value>: ResolvedProperty, @unchecked Sendable {
    override public var acceptedProperties: AcceptedProperties {
        (Value.self as? any ManagedPropertyType.Type)?.acceptedProperties ?? .any
    }

    override public var valueType: Any.Type? { Value.self }
}

/// The part of a `ManagedProperty` that doesn't depend on the type of the value.
// @unchecked Sendable because all that changes is atomic. Subclasses add constants at most, so that theirs is a promise
// of this class.
open class ResolvedProperty: @unchecked Sendable {
    /// The property's name in the model.
    public let name: String
    /// The layout that was asked last and the index it answered, in one word so that threads need no lock.
    @usableFromInline let resolved = Atomic<UInt64>(0)
    /// The declaration in a model that was last found to fit: entities that inherit it need no second comparison.
    private let compared = Atomic<UInt64>(0)

    /// What is in `resolved`: the identifier of the layout in the upper half, the index in the lower.
    @inlinable @inline(__always)
    final var lastResolved: UInt64 { resolved.load(ordering: .relaxed) }

    /// Names a property of the model.
    ///
    /// The name isn't looked up before an object of an entity uses the property. One that the entity lacks reads as
    /// empty, and is an error that the context's next fetch or save throws.
    ///
    /// - Parameter name: The name in the model.
    public init(_ name: String) { self.name = name }

    /// Which properties of a model this one may be. Asked when an entity is met, not for each read.
    open var acceptedProperties: AcceptedProperties { .any }

    /// The type of the values, for messages; `nil` where it is not known.
    open var valueType: Any.Type? { nil }

    /// The slot (attribute, to-one) or relationship index (to-many) of the property in an object's entity.
    ///
    /// - Parameter kinds: What the caller can read from a row.
    /// - Returns: `nil` for a property that is to be reached by its name: the caller can't read it from a row, or it is
    ///   none that the model has.
    @inline(__always)
    func index(in object: NSManagedObject, as kinds: PropertyKinds) -> Int? {
        let known = lastResolved
        if UInt32(truncatingIfNeeded: known >> 32) == object.layoutIdentifier {
            return Int(truncatingIfNeeded: known & 0xFFFF_FFFF)
        }
        return resolve(in: object, as: kinds)
    }

    @inline(never)
    private func resolve(in object: NSManagedObject, as kinds: PropertyKinds) -> Int? {
        let layout = object.layout
        if layout.isProbe {
            KeyPathProbe.record(self, of: object)
            return 0
        }
        guard let found = layout.position(named: name), kinds.contains(found.kind), fits(found) else {
            return unresolved(in: object)
        }
        resolved.store(UInt64(layout.identifier) << 32 | UInt64(found.index), ordering: .relaxed)
        return found.index
    }

    private func fits(_ position: PropertyPosition) -> Bool {
        if compared.load(ordering: .relaxed) == position.identity { return true }
        guard acceptedProperties.accept(position) else { return false }
        compared.store(position.identity, ordering: .relaxed)
        return true
    }

    /// What can't be read from a row: a property of a kind that is reached by its name, or a mistake.
    private func unresolved(in object: NSManagedObject) -> Int? {
        let layout = object.layout
        if let found = layout.position(named: name), PropertyKinds.keyed.contains(found.kind),
            acceptedProperties.accept(found)
        {
            return nil
        }
        object.report(PropertyMismatch(self, of: type(of: object), in: layout))
        return nil
    }
}
