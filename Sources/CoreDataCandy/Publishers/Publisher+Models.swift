#if Publishers
import OpenCoreDataKit

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Operators that act on a model with each value and pass the value on.
///
/// The model is held until the subscription ends. What fails is a ``CoreDataCandyError``, `unknown` for an error of
/// another kind, and ends the subscription.
extension Publisher {
    /// Acts with each value.
    private func acting(_ act: @escaping (Output) throws -> Void) -> AnyPublisher<Output, CoreDataCandyError> {
        tryMap { value in
            try act(value)
            return value
        }
        .mapError { CoreDataCandyError($0) }
        .eraseToAnyPublisher()
    }

    // MARK: Assigning

    /// Checks each value and writes it into a field; `tryValidateAndAssign` in other words.
    ///
    /// The overload for publishers that never fail, which returns an `AnyCancellable`, is chosen where the result is
    /// stored as one. It leaves out refused values; this one ends with the error.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were written.
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        tryValidateAndAssign(to: field, on: model)
    }

    /// Checks each value and writes it into a field that may be nil; `tryValidateAndAssign` in other words.
    ///
    /// Values that aren't `nil` are written. A refused value ends the subscription.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were written.
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        tryValidateAndAssign(to: field, on: model)
    }

    /// Checks each value and writes it into a field, from now on. Values that are refused are left out.
    ///
    /// Nothing says which values were refused; use `tryValidateAndAssign(to:on:)` if that matters. Nothing is saved.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: The subscription, which ends when it is released.
    @_disfavoredOverload
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyCancellable where Field.Entity == Model.Entity, Field.Value == Output, Failure == Never {
        sink { model.assign($0, to: field) }
    }

    /// Checks each value and writes it into a field that may be nil, from now on. Values that are refused are left out.
    ///
    /// Nothing says which values were refused. Nothing is saved.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: The subscription, which ends when it is released.
    @_disfavoredOverload
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyCancellable where Field.Entity == Model.Entity, Field.Value == Output?, Failure == Never {
        sink { model.assign($0, to: field) }
    }

    /// Checks each value and writes it into a field. A value that is refused ends the subscription.
    ///
    /// Nothing happens until there is a subscriber, and nothing is saved. Each value is written on the queue of the
    /// model's context, which is waited for.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were written. It fails with the error of the value that was refused.
    public func tryValidateAndAssign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        acting { try model.validateAndAssign($0, to: field) }
    }

    /// Checks each value and writes it into a field that may be nil. A value that is refused ends the subscription.
    ///
    /// Nothing happens until there is a subscriber, and nothing is saved.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were written. It fails with the error of the value that was refused.
    public func tryValidateAndAssign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        acting { try model.validateAndAssign($0, to: field) }
    }

    // MARK: Checking

    /// Checks each value for a field. A value that is refused ends the subscription.
    ///
    /// Writes nothing. For a unique field, each value costs a fetch.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were accepted. It fails with the error of the value that was refused.
    public func tryValidate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        acting { try model.validate($0, for: field) }
    }

    /// Checks each value for a field that may be nil. A value that is refused ends the subscription.
    ///
    /// Writes nothing.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were accepted. It fails with the error of the value that was refused.
    public func tryValidate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        acting { try model.validate($0, for: field) }
    }

    /// Checks each value for a field; `tryValidate` in other words.
    ///
    /// A value that is refused ends the subscription. Writes nothing.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were accepted.
    public func validate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        tryValidate(for: field, on: model)
    }

    /// Checks each value for a field that may be nil; `tryValidate` in other words.
    ///
    /// A value that is refused ends the subscription. Writes nothing.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that were accepted.
    public func validate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        tryValidate(for: field, on: model)
    }

    // MARK: Others

    /// Writes the opposite of a field's value with each value that arrives.
    ///
    /// The arriving values themselves don't matter. A refusal by a rule of the field ends the subscription.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - model: The model.
    /// - Returns: A publisher of the values that arrived.
    public func toggle<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Bool {
        acting { _ in try model.toggle(field).get() }
    }

    /// Sorts arrays of models by attributes of their objects.
    ///
    /// The values are read when an array arrives. The array isn't published again when they change later.
    ///
    /// - Parameters:
    ///   - sort: How to order the models.
    ///   - more: What decides where the first sort finds no difference.
    /// - Returns: A publisher of the sorted arrays.
    public func sorted<Model: DatabaseModel>(
        by sort: Sort<Model.Entity>, _ more: Sort<Model.Entity>...
    ) -> AnyPublisher<[Model], Failure> where Output == [Model] {
        map { $0.sorted(by: [sort] + more) }.eraseToAnyPublisher()
    }

    /// Leaves out nil.
    ///
    /// Each `nil` is dropped without a trace; the subscription continues.
    ///
    /// - Returns: A publisher of the values that aren't `nil`.
    public func unwrap<Wrapped>() -> AnyPublisher<Wrapped, Failure> where Output == Wrapped? {
        compactMap(\.self).eraseToAnyPublisher()
    }
}
#endif
