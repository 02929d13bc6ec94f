import CoreDataPlatform
public import Foundation

/// Values that are reported when they change. All streams begin with the present value at once, and end when the
/// record's object is deleted or its context is reset or goes. To be called on the context's queue.
extension Record {
    /// The values of a field: the present one at once, then each new one.
    public func values<Value: Equatable>(
        for field: KeyPath<Self, RecordField<Object, Value, Never>>
    ) -> AsyncStream<Value> {
        let read = self[keyPath: field].read
        return ObjectValues.stream(of: object, isSame: ==) { read($0).get() }
    }

    /// The values of a field: the present one at once, then one each time that the object changes.
    public func values<Value>(for field: KeyPath<Self, RecordField<Object, Value, Never>>) -> AsyncStream<Value> {
        let read = self[keyPath: field].read
        return ObjectValues.stream(of: object, isSame: { _, _ in false }, read: { read($0).get() })
    }

    /// The values of a field that are decoded, or why one can't be: the present one at once, then one each time that
    /// another is stored.
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

    /// The record that a relationship leads to: the present one at once, then each new one.
    public func values<Target: Record>(
        for relationship: KeyPath<Self, RecordToOne<Object, Target>>
    ) -> AsyncStream<Target?> {
        let described = self[keyPath: relationship]
        return ObjectValues.stream(of: object, isSame: { $0?.object === $1?.object }, read: { described.read($0) })
    }

    /// The records that a relationship leads to: those of now at once, then again when members come, go or change
    /// positions.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - order: How to sort. A member that changes so that it comes elsewhere is reported too. Without, the members
    ///     come in the relationship's order, or in none.
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
