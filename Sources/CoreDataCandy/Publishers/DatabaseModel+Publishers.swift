#if Publishers
import OpenCoreDataKit

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// What a model says of its changes: the current value at once, then each new one when the context announces it:
/// after an assignment once pending changes are processed, after a merge, after a refresh.
///
/// Publishers never fail. They end when the object is deleted, or its context is reset or goes, and deliver on the
/// context's queue.
extension DatabaseModel {
    /// The values of a field.
    ///
    /// Values that are `Equatable` are published only if they differ from the one before. Others are published each
    /// time that the object changes. A value that can't be decoded is replaced by the field's fallback, and reported by
    /// `conversionErrorPublisher`.
    ///
    /// - Parameter field: The field.
    /// - Returns: The publisher, whose first value is the current one.
    public func publisher<Field: FieldInterfaceProtocol>(
        for field: KeyPath<Self, Field>
    ) -> AnyPublisher<Field.Value, Never> where Field.Entity == Entity {
        let field = self[keyPath: field].field
        return ContextPublisher<Field.Value>.following(entity, isSame: areKnownEqual) { field.value(of: $0) }
    }

    /// The parent.
    ///
    /// `nil` means that the object has no parent. Changes of the parent's own fields aren't published; the parent's model has
    /// publishers for them.
    ///
    /// - Parameter parent: The relationship.
    /// - Returns: The publisher, whose first value is the present parent.
    public func publisher<ParentModel>(
        for parent: KeyPath<Self, ParentInterface<Entity, ParentModel>>
    ) -> AnyPublisher<ParentModel?, Never> {
        let toOne = self[keyPath: parent].toOne
        return ContextPublisher<ParentModel?>.following(
            entity, isSame: { $0 == $1 },
            read: { object in toOne.read(object).map { ParentModel(entity: $0.object) } })
    }

    /// The children: published again when one comes or goes, and for an ordered relationship when one moves.
    ///
    /// Changes of the children's own fields aren't published.
    ///
    /// - Parameter children: The relationship.
    /// - Returns: The publisher, whose first value is the present children.
    public func publisher<Children: ChildrenInterfaceProtocol>(
        for children: KeyPath<Self, Children>
    ) -> AnyPublisher<[Children.Child], Never> where Children.Entity == Entity {
        publisher(for: children, sorts: [])
    }

    /// The children, sorted: published again when one comes or goes, and when one changes so that it comes
    /// elsewhere.
    ///
    /// The children are sorted in memory, and those without a value come last.
    ///
    /// - Parameters:
    ///   - children: The relationship.
    ///   - sort: How to order the children, by attributes of their entity.
    ///   - more: What decides where the first sort finds no difference.
    /// - Returns: The publisher, whose first value is the present children.
    public func publisher<Children: ChildrenInterfaceProtocol>(
        for children: KeyPath<Self, Children>, sortedBy sort: Sort<Children.Child.Entity>,
        _ more: Sort<Children.Child.Entity>...
    ) -> AnyPublisher<[Children.Child], Never> where Children.Entity == Entity {
        publisher(for: children, sorts: [sort] + more)
    }

    private func publisher<Children: ChildrenInterfaceProtocol>(
        for children: KeyPath<Self, Children>, sorts: [Sort<Children.Child.Entity>]
    ) -> AnyPublisher<[Children.Child], Never> where Children.Entity == Entity {
        let toMany = self[keyPath: children]._relationship.toMany
        let hasOrder = !sorts.isEmpty || onQueue { toMany.isOrdered(entity) }
        return ContextPublisher<[Children.Child]>.following(
            entity,
            concerns: { changes in
                !sorts.isEmpty
                    && changes.updated.union(changes.refreshed).contains { $0 is Children.Child.Entity }
            },
            isSame: { hasOrder ? $0 == $1 : Set($0) == Set($1) },
            read: { toMany.read($0).map(Children.Child.init).sorted(by: sorts) })
    }
}
#endif
