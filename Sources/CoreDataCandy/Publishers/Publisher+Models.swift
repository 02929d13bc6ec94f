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
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        tryValidateAndAssign(to: field, on: model)
    }

    /// Checks each value and writes it into a field that may be nil; `tryValidateAndAssign` in other words.
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        tryValidateAndAssign(to: field, on: model)
    }

    /// Checks each value and writes it into a field, from now on. Values that are refused are left out.
    @_disfavoredOverload
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyCancellable where Field.Entity == Model.Entity, Field.Value == Output, Failure == Never {
        sink { model.assign($0, to: field) }
    }

    /// Checks each value and writes it into a field that may be nil, from now on. Values that are refused are left out.
    @_disfavoredOverload
    public func assign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyCancellable where Field.Entity == Model.Entity, Field.Value == Output?, Failure == Never {
        sink { model.assign($0, to: field) }
    }

    /// Checks each value and writes it into a field. A value that is refused ends the subscription.
    public func tryValidateAndAssign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        acting { try model.validateAndAssign($0, to: field) }
    }

    /// Checks each value and writes it into a field that may be nil. A value that is refused ends the subscription.
    public func tryValidateAndAssign<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        to field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        acting { try model.validateAndAssign($0, to: field) }
    }

    // MARK: Checking

    /// Checks each value for a field. A value that is refused ends the subscription.
    public func tryValidate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        acting { try model.validate($0, for: field) }
    }

    /// Checks each value for a field that may be nil. A value that is refused ends the subscription.
    public func tryValidate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        acting { try model.validate($0, for: field) }
    }

    /// Checks each value for a field; `tryValidate` in other words.
    public func validate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output {
        tryValidate(for: field, on: model)
    }

    /// Checks each value for a field that may be nil; `tryValidate` in other words.
    public func validate<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Output? {
        tryValidate(for: field, on: model)
    }

    // MARK: Others

    /// Writes the opposite of a field's value with each value that arrives.
    public func toggle<Model: DatabaseModel, Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Model, Field>, on model: Model
    ) -> AnyPublisher<Output, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Bool {
        acting { _ in try model.toggle(field).get() }
    }

    /// Sorts arrays of models by attributes of their objects.
    public func sorted<Model: DatabaseModel>(
        by sort: Sort<Model.Entity>, _ more: Sort<Model.Entity>...
    ) -> AnyPublisher<[Model], Failure> where Output == [Model] {
        map { $0.sorted(by: [sort] + more) }.eraseToAnyPublisher()
    }

    /// Leaves out nil.
    public func unwrap<Wrapped>() -> AnyPublisher<Wrapped, Failure> where Output == Wrapped? {
        compactMap(\.self).eraseToAnyPublisher()
    }
}
#endif
