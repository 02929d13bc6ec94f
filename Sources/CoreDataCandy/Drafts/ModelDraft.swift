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
    /// The parent context counts the changes as unsaved afterwards; save the model to write them to the store. Without
    /// changes nothing happens. If it fails, the draft keeps its changes and can be saved again.
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
    ///
    /// Values that were assigned to the draft are included. Runs on the draft's main-queue context, and waits for it on
    /// another thread.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value.
    public func current<Field: FieldInterfaceProtocol>(_ field: KeyPath<Model, Field>) -> Field.Value
    where Field.Entity == Model.Entity {
        model.current(field)
    }

    /// The children, read now.
    ///
    /// Unsaved children of the draft's parent context are included.
    ///
    /// - Parameter children: The relationship.
    /// - Returns: The models of the children, in their order if the relationship has one.
    public func current<Children: ChildrenInterfaceProtocol>(
        _ children: KeyPath<Model, Children>
    ) -> [Children.Child] where Children.Entity == Model.Entity {
        model.current(children)
    }

    /// The parent, read now; `nil` without one.
    ///
    /// The parent's model belongs to the draft's context, so changes of it are part of the draft.
    ///
    /// - Parameter parent: The relationship.
    /// - Returns: The model, or `nil`.
    public func current<ParentModel>(
        _ parent: KeyPath<Model, ParentInterface<Model.Entity, ParentModel>>
    ) -> ParentModel? {
        model.current(parent)
    }

    /// Checks a value and writes it into the draft. See ``DatabaseModel/assign(_:to:)``.
    ///
    /// A value that is refused leaves the draft as it was.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Returns: Whether the value was written. `get()` throws the reason otherwise.
    @discardableResult
    public func assign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Model, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Model.Entity {
        model.assign(value, to: field)
    }

    /// Checks a value. See ``DatabaseModel/validate(_:for:)``.
    ///
    /// Writes nothing, so a form can call it while the user types.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Throws: The first error: a ``CoreDataCandyError``, or the error of a rule of the application.
    public func validate<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, for field: KeyPath<Model, Field>
    ) throws where Field.Entity == Model.Entity {
        try model.validate(value, for: field)
    }

    /// Checks a value and writes it into the draft. See ``DatabaseModel/validateAndAssign(_:to:)``.
    ///
    /// Throws where ``assign(_:to:)`` returns the error.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - field: The field.
    /// - Throws: The error of a rule, or ``CoreDataCandyError/storeConversion``. The draft is unchanged then.
    public func validateAndAssign<Field: FieldInterfaceProtocol>(
        _ value: Field.Value, to field: KeyPath<Model, Field>
    ) throws where Field.Entity == Model.Entity {
        try model.validateAndAssign(value, to: field)
    }

    /// Writes the opposite of a field's value into the draft.
    ///
    /// The field's rules are checked for the new value.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether the value was written.
    @discardableResult
    public func toggle<Field: FieldInterfaceProtocol>(
        _ field: KeyPath<Model, Field>
    ) -> Result<Void, CoreDataCandyError> where Field.Entity == Model.Entity, Field.Value == Bool {
        model.toggle(field)
    }

    #if Publishers
    /// The values of a field of the draft. See `publisher(for:)` of ``DatabaseModel``.
    ///
    /// The publisher sends the current value first. It ends when the draft's object is deleted.
    ///
    /// - Parameter field: The field.
    /// - Returns: The publisher, which never fails.
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
    ///
    /// Each call makes a draft of its own, in a new main-queue context whose parent is the model's context. Unsaved
    /// changes of the model's context are visible in the draft.
    ///
    /// ```swift
    /// let draft = player.draft()
    /// draft.assign("Ada", to: \.name)
    /// try draft.save()
    /// ```
    ///
    /// - Returns: The draft.
    public func draft() -> ModelDraft<Self> {
        guard let context = entity.managedObjectContext else {
            programmerError("A draft needs a \(Entity.modelName) in a context.")
        }
        let objectID = onQueue { entity.objectID }
        return ModelDraft(in: ModelDraft<Self>.child(of: context)) { Self._fetched($0.object(with: objectID)) }
    }

    /// A draft of a new object.
    ///
    /// The object is inserted only into the draft's own context. Neither the given context nor the store has it before
    /// the draft is saved.
    ///
    /// - Parameter context: Where the object comes to be once the draft is saved. A context without the object's entity is
    ///   an error of the program.
    /// - Returns: The draft.
    public static func createDraft(in context: NSManagedObjectContext) -> ModelDraft<Self> {
        ModelDraft(in: ModelDraft<Self>.child(of: context)) { context in
            do {
                return Self(entity: try EntityRecord<Entity>.create(in: context).object)
            } catch {
                programmerError("A draft of \(Self.self) can't be created: \(error)")
            }
        }
    }

    /// A draft of a new object in the default context, ``Fetchable/context``, without which it is an error of the program.
    ///
    /// Otherwise the same as ``createDraft(in:)``.
    ///
    /// - Returns: The draft.
    public static func createDraft() -> ModelDraft<Self> {
        guard let context else { programmerError(MissingContext.text(for: Self.self)) }
        return createDraft(in: context)
    }
}
