public import OpenCoreDataKit

#if Publishers
#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif
#endif

/// A model to be edited apart from the others: in a context of its own, a child of the model's.
///
/// What is assigned to a draft shows in the parent context once the draft is saved, and in the store once the parent is.
/// A draft that is dropped leaves no trace. Its context is one of the main queue.
public final class ModelDraft<Model: DatabaseModel> {
    private let context: NSManagedObjectContext
    private let model: Model

    init(in context: NSManagedObjectContext, _ model: (NSManagedObjectContext) -> Model) {
        self.context = context
        self.model = context.performAndWait { model(context) }
    }

    /// A child context for a draft.
    static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.parent = parent
        return context
    }

    /// Pushes the changes into the parent context, and no further.
    ///
    /// - Throws: ``CoreDataCandyError/unableToSaveContext(reason:)``.
    public func save() throws(CoreDataCandyError) {
        do {
            try context.performAndWait { try context.save() }
        } catch {
            throw .unableToSaveContext(reason: CoreDataCandyError.sentence(of: error))
        }
    }
}

// MARK: Reading and writing

extension ModelDraft {
    /// The value of a field, read now. See `current(_:)` of ``DatabaseModel``.
    public func current<Field: FieldInterfaceProtocol>(_ field: KeyPath<Model, Field>) -> Field.Value
    where Field.Entity == Model.Entity {
        model.current(field)
    }

    /// The children, read now.
    public func current<Children: ChildrenInterfaceProtocol>(
        _ children: KeyPath<Model, Children>
    ) -> [Children.Child] where Children.Entity == Model.Entity {
        model.current(children)
    }

    /// The parent, read now; `nil` without one.
    public func current<ParentModel>(
        _ parent: KeyPath<Model, ParentInterface<Model.Entity, ParentModel>>
    ) -> ParentModel? {
        model.current(parent)
    }

    /// Checks a value and writes it into the draft. See ``DatabaseModel/assign(_:to:)``.
    @discardableResult
    public func assign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Model, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Model.Entity {
        model.assign(value, to: field)
    }

    /// Checks a value. See ``DatabaseModel/validate(_:for:)``.
    public func validate<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, for field: KeyPath<Model, Field>
    ) throws where Field.Entity == Model.Entity {
        try model.validate(value, for: field)
    }

    /// Checks a value and writes it into the draft. See ``DatabaseModel/validateAndAssign(_:to:)``.
    public func validateAndAssign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Model, Field>
    ) throws where Field.Entity == Model.Entity {
        try model.validateAndAssign(value, to: field)
    }

    /// Writes the opposite of a field's value into the draft.
    @discardableResult
    public func toggle<Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Model, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Bool {
        model.toggle(field)
    }

    #if Publishers
    /// The values of a field of the draft. See `publisher(for:)` of ``DatabaseModel``.
    public func publisher<Field: FieldInterfaceProtocol>(
        for field: KeyPath<Model, Field>
    ) -> AnyPublisher<Field.Value, Never> where Field.Entity == Model.Entity {
        model.publisher(for: field)
    }
    #endif
}

// MARK: Making drafts

extension DatabaseModel {
    /// A draft of this model's object. A model without context has none to be a child of, which is an error of the program.
    public func draft() -> ModelDraft<Self> {
        guard let context = entity.managedObjectContext else {
            programmerError("A draft needs a \(Entity.modelName) in a context.")
        }
        let objectID = onQueue { entity.objectID }
        return ModelDraft(in: ModelDraft<Self>.child(of: context)) { Self._fetched($0.object(with: objectID)) }
    }

    /// A draft of a new object.
    ///
    /// - Parameter context: Where the object comes to be once the draft is saved. A context without the object's entity is
    ///   an error of the program.
    public static func createDraft(in context: NSManagedObjectContext) -> ModelDraft<Self> {
        ModelDraft(in: ModelDraft<Self>.child(of: context)) { context in
            do {
                return Self(entity: try EntityRecord<Entity>.create(in: context).object)
            } catch {
                programmerError("A draft of \(Self.self) can't be made: \(error)")
            }
        }
    }

    /// A draft of a new object in the default context, ``Fetchable/context``, without which it is an error of the program.
    public static func createDraft() -> ModelDraft<Self> {
        guard let context else { programmerError(MissingContext.text(for: Self.self)) }
        return createDraft(in: context)
    }
}
