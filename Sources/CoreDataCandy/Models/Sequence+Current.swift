extension Sequence where Element: DatabaseModel {
    /// The values of a field of all models, in order.
    ///
    /// Each model's value is read on the queue of its context. See `current(_:)` for values that can't be decoded.
    ///
    /// - Parameter field: The field.
    /// - Returns: A value for each model.
    public func mapCurrent<Field: FieldInterfaceProtocol>(_ field: KeyPath<Element, Field>) -> [Field.Value]
    where Field.Entity == Element.Entity {
        map { $0.current(field) }
    }

    /// The elements of the values of a field of all models, in order.
    ///
    /// For fields whose values are arrays or strings, for example.
    ///
    /// - Parameter field: The field.
    /// - Returns: The elements of all values.
    public func flatMapCurrent<Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Element, Field>
    ) -> [Field.Value.Element] where Field.Entity == Element.Entity, Field.Value: Sequence {
        flatMap { $0.current(field) }
    }

    /// The children of all models, in order.
    ///
    /// A child that several models share comes once for each of them.
    ///
    /// - Parameter children: The relationship.
    /// - Returns: The children.
    public func flatMapCurrent<Children: ChildrenInterfaceProtocol>(
        _ children: KeyPath<Element, Children>
    ) -> [Children.Child] where Children.Entity == Element.Entity {
        flatMap { $0.current(children) }
    }

    /// The values of a field of all models that have one, in order.
    ///
    /// Models whose value is `nil` are left out, so the result may be shorter than the sequence.
    ///
    /// - Parameter field: The field.
    /// - Returns: The values that aren't `nil`.
    public func compactMapCurrent<Field: FieldInterfaceProtocol, Wrapped>(
        _ field: KeyPath<Element, Field>
    ) -> [Wrapped] where Field.Entity == Element.Entity, Field.Value == Wrapped? {
        compactMap { $0.current(field) }
    }
}
