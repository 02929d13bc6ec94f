extension Sequence where Element: DatabaseModel {
    /// The values of a field of all models, in order.
    public func mapCurrent<Field: FieldInterfaceProtocol>(_ field: KeyPath<Element, Field>) -> [Field.Value]
    where Field.Entity == Element.Entity {
        map { $0.current(field) }
    }

    /// The elements of the values of a field of all models, in order.
    public func flatMapCurrent<Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Element, Field>
    ) -> [Field.Value.Element] where Field.Entity == Element.Entity, Field.Value: Sequence {
        flatMap { $0.current(field) }
    }

    /// The children of all models, in order.
    public func flatMapCurrent<Children: ChildrenInterfaceProtocol>(
        _ children: KeyPath<Element, Children>
    ) -> [Children.Child] where Children.Entity == Element.Entity {
        flatMap { $0.current(children) }
    }

    /// The values of a field of all models that have one, in order.
    public func compactMapCurrent<Field: FieldInterfaceProtocol, Wrapped>(
        _ field: KeyPath<Element, Field>
    ) -> [Wrapped] where Field.Entity == Element.Entity, Field.Value == Wrapped? {
        compactMap { $0.current(field) }
    }
}
