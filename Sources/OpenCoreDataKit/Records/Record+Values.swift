import CoreDataPlatform
public import Foundation

/// Values that are reported when they change. All streams begin with the current value at once, and end when the
/// record's object is deleted or its context is reset or goes. Call this on the context's queue.
extension Record {
    /// Returns the values of a field: the current value at once, then each new value.
    ///
    /// Values are reported when the context processes or merges a change of the object, saved or not. A value equal to
    /// the one before isn't reported. The stream ends when the object is deleted, or its context is reset or released.
    /// Call this on the context's queue.
    ///
    /// ```swift
    /// for await score in player.values(for: \.score) { print(score) }
    /// ```
    ///
    /// - Parameter field: The field.
    /// - Returns: A stream that begins with the current value.
    public func values<Value: Equatable>(
        for field: KeyPath<Self, RecordField<Object, Value, Never>>
    ) -> AsyncStream<Value> {
        let read = self[keyPath: field].read
        return ObjectValues.stream(of: object, isSame: ==) { read($0).get() }
    }

    /// Returns the values of a field: the current value at once, then one each time that the object changes.
    ///
    /// The compiler chooses this overload if the type of the field isn't `Equatable`. Values can't be compared then, so
    /// a change of another field of the object reports the value again.
    ///
    /// - Parameter field: The field.
    /// - Returns: A stream that begins with the current value.
    public func values<Value>(for field: KeyPath<Self, RecordField<Object, Value, Never>>) -> AsyncStream<Value> {
        let read = self[keyPath: field].read
        return ObjectValues.stream(of: object, isSame: { _, _ in false }, read: { read($0).get() })
    }

    /// Returns the values of a field that has to be decoded, or the errors of decoding: the current one at once, then
    /// one each time that another value is stored.
    ///
    /// A value that can't be decoded is an element of the stream, and doesn't end it: a later change may repair it. The
    /// stored values are compared, so the type needn't be `Equatable`.
    ///
    /// - Parameter field: The field.
    /// - Returns: A stream of results, ``DatabaseError/undecodable(entity:property:value:type:)`` for values that can't
    ///   be decoded.
    public func values<Value>(
        for field: KeyPath<Self, RecordField<Object, Value, DatabaseError>>
    ) -> AsyncStream<Result<Value, DatabaseError>> {
        let field = self[keyPath: field]
        let stored = { [object] in field.name.flatMap { object.value(forKey: $0) as? AnyHashable } }
        var last = stored()
        return ObjectValues.stream(
            of: object,
            isSame: { _, _ in
                let present = stored()
                defer { last = present }
                return field.name != nil && present == last
            }, read: field.read)
    }

    /// Returns the record of the related object: the current one at once, then each new one.
    ///
    /// `nil` means that the relationship is empty. Changes of the related object's own fields aren't reported; follow these
    /// with a stream of its record.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: A stream that begins with the present record.
    public func values<Target: Record>(
        for relationship: KeyPath<Self, RecordToOne<Object, Target>>
    ) -> AsyncStream<Target?> {
        let described = self[keyPath: relationship]
        return ObjectValues.stream(of: object, isSame: { $0?.object === $1?.object }, read: { described.read($0) })
    }

    /// Returns the records of the related objects: the present ones at once, then again when objects are added, removed
    /// or moved.
    ///
    /// Without a sort order, changes of the related objects' own fields aren't reported. With one, they are if they
    /// change the order.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - order: The sort order. A change that moves an object is reported as well. Without it, records have the order
    ///     of the relationship, or none.
    /// - Returns: A stream that begins with the present records.
    public func values<Target: Record>(
        for relationship: KeyPath<Self, RecordToMany<Object, Target>>, sortedBy order: SortDescriptor<Target.Object>...
    ) -> AsyncStream<[Target]> {
        let source = membersSource(relationship, order)
        return ObjectValues.stream(of: object, concerns: source.concerns, isSame: source.isSame, read: source.read)
    }

    /// How the members of a relationship are followed, for ``ObjectValues``.
    package func membersSource<Target: Record>(
        _ relationship: KeyPath<Self, RecordToMany<Object, Target>>, _ order: [SortDescriptor<Target.Object>]
    ) -> (
        concerns: (ContextWatch.Changes) -> Bool, isSame: ([Target], [Target]) -> Bool, read: (Object) -> [Target]
    ) {
        let described = self[keyPath: relationship]
        let isOrdered = !order.isEmpty || described.isOrdered(object)
        return (
            concerns: { changes in
                !order.isEmpty && changes.updated.union(changes.refreshed).contains { $0 is Target.Object }
            },
            isSame: { isOrdered ? $0 == $1 : Set($0) == Set($1) },
            read: { object in
                let members = described.read(object)
                return (order.isEmpty ? members : members.sorted(using: order)).map { Target(object: $0) }
            }
        )
    }
}
