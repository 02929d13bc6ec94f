public import Foundation

/// An object of the graph: one row of a store, or one yet to be.
///
/// An object belongs to a context and may only be used on the context's queue. Its values are read when they are asked
/// for; until then it is a fault.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    // Exclusivity is not checked at run time below: these are plain values, never passed `inout` across a call that
    // comes back to the object. What a look-up, the firing of a fault that has its row and a read of a clean object
    // need comes first: with what Swift keeps in front of it 48 bytes, so that the memory arrives with one or two
    // accesses.
    /// The address of the row, if the slab has values: accessors read it without the slab, which is held below. The
    /// lowest bit is set if the slow path is needed: for a fault, for an object with edits or without a row, and if
    /// reads have to be on the context's queue.
    @exclusivity(unchecked) @usableFromInline final var rowWord: UInt = 1
    @exclusivity(unchecked) final var extras: ObjectExtras? { didSet { markRowWord() } }
    /// Where the object is registered; `nil` without a context.
    @exclusivity(unchecked) final var table: RegistryTable?
    @exclusivity(unchecked) private final var flags: ObjectState = []
    /// Where the object stands in the lists of its context. Only the context's tracker of changes knows the bits.
    @exclusivity(unchecked) final var changeBits: UInt16 = 0
    /// That of the layout.
    @exclusivity(unchecked) @usableFromInline private(set) final var layoutIdentifier: UInt32
    @exclusivity(unchecked) private(set) final var layout: EntityLayout
    /// What the store or the parent context last said: the row `row` of the slab. `nil` before the first save, and for
    /// a fault whose values are not in memory.
    @exclusivity(unchecked) private(set) final var slab: RowSlab?
    /// The row's number in the store, negative while the object was never saved.
    @exclusivity(unchecked) final var reference: Int64
    @exclusivity(unchecked) private(set) final var row: Int32 = 0
    @exclusivity(unchecked) final var cachedID: NSManagedObjectID?

    /// Creates a new object with its model's default values and inserts it into a context.
    ///
    /// The object is registered in the context, counts as inserted, and `awakeFromInsert()` is called. The next save
    /// writes it. Without a context, it only has its default values, and can be inserted later with
    /// ``NSManagedObjectContext/insert(_:)``. An abstract entity, and one that belongs to no model, stop the program
    /// with a message.
    ///
    /// - Parameters:
    ///   - entity: The entity, of a model that is in use.
    ///   - context: The context, on whose queue this is called; `nil` for an object that is inserted later, or never.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        if let carrier = MaterializingEntity.carrier(entity), let rowLayout = carrier.rowLayout {
            layout = rowLayout
            table = carrier.table
            reference = carrier.reference
            slab = carrier.slab
            row = Int32(truncatingIfNeeded: carrier.row)
            layoutIdentifier = rowLayout.identifier
            rowWord = Self.address(carrier.rowValues) | 1
            flags = carrier.firstState
            super.init()
            TryRetain.watch(self)
            carrier.latest = Unmanaged.passUnretained(self)
            return
        }
        guard let layout = entity.layout else {
            programmerError("The entity \(entity.name ?? "without a name") belongs to no model.")
        }
        programmerError(
            unless:
                !entity.isAbstract, "The entity \(layout.name) is abstract; an object needs one of its subentities.")
        self.layout = layout
        layoutIdentifier = layout.identifier
        reference = TemporaryReference.next()
        if ConcurrencyDebug.stops { flags = .confined }
        super.init()
        TryRetain.watch(self)
        let extras = ObjectExtras()
        extras.values = layout.makeInitialValues()
        extras.model = context == nil ? entity.owner : nil
        self.extras = extras
        context?.insert(self)
    }

    /// Creates a new object of the entity that has this class, and inserts it.
    ///
    /// It is what most programs use. The entity is the one that names the class, or otherwise the one whose name is
    /// that of the class. If the context's model has neither, the program stops with a message.
    ///
    /// ```swift
    /// let book = Book(context: context)
    /// book.title = "Solaris"
    /// ```
    ///
    /// - Parameter context: The context. Its model has to have an entity of this class.
    public required convenience init(context: NSManagedObjectContext) {
        guard let entity = context.entity(for: Self.self) else {
            programmerError("No entity of the context's model has the class \(Self.self).")
        }
        self.init(entity: entity, insertInto: context)
    }

    /// Creates a new object of a class that is known at run time only, as `init(entity:insertInto:)` does, which runs.
    ///
    /// It is what `T(entity:insertInto:)`, `Self(entity:insertInto:)` and `type.init(entity:insertInto:)` call; there
    /// is no need to give the last argument.
    ///
    /// - Parameters:
    ///   - entity: The entity, whose class this is or a superclass of.
    ///   - context: The context to insert it into; `nil` for none.
    ///   - anyClass: Has a default value and no meaning.
    public required convenience init(
        entity: NSEntityDescription, insertInto context: NSManagedObjectContext?,
        _ anyClass: _AnyManagedObjectClass = _AnyManagedObjectClass()
    ) {
        self.init(entity: entity, insertInto: context)
    }

    /// Creates an object of the entity that has this class in a model in use, without inserting it.
    ///
    /// If there is no such entity, the object has no properties, and the save of a context that it is inserted into
    /// throws. Either way it is a mistake, which is logged: use `init(context:)` or `init(entity:insertInto:)`.
    public override convenience init() {
        DiagnosticLog.fail(
            "OpenCoreData",
            "An object of the class \(Self.self) was made without an entity. Use init(context:) or init(entity:insertInto:)."
        )
        let entity = ManagedObjectClass.entity(of: Self.self).flatMap { $0.isAbstract || $0.layout == nil ? nil : $0 }
        self.init(entity: entity ?? EntityLayout.nameless.entity, insertInto: nil)
    }

    deinit {
        TryRetain.forget(self)
        table?.unregister(self)
        if extras != nil, let taken = takeExtrasToRelease() { GraphRelease.release(taken) }
    }

    /// Makes the object, which is in no context yet, one of the same entity in an equal model.
    final func adopt(_ layout: EntityLayout) {
        self.layout = layout
        layoutIdentifier = layout.identifier
        cachedID = nil
    }

    /// Sets the row that the object reads from.
    @inline(__always)
    final func setRow(_ slab: RowSlab?, _ row: Int) {
        self.slab = slab
        self.row = Int32(truncatingIfNeeded: row)
        rowWord = Self.address(slab?.values(row))
        markRowWord()
    }

    /// The row, when the slab has values.
    @inline(__always)
    final var rowValues: RowPointer? { UnsafePointer(bitPattern: rowWord & ~1).map(RowPointer.init) }

    @inline(__always)
    private static func address(_ row: RowPointer?) -> UInt { UInt(bitPattern: row?.words) }

    /// What the object is in its context.
    final var state: ObjectState {
        @inline(__always) get { flags }
        @inline(__always) set {
            flags = newValue
            markRowWord()
        }
    }

    /// To be called when a fault has its row, before `awakeFromFetch`, whose changes leave the object clean.
    @inline(__always)
    final func becomeRealized() {
        flags.remove(.fault)
        flags.insert(.untracked)
        markRowWord()
    }

    /// To be called after `awakeFromFetch`: changes count again.
    @inline(__always)
    final func trackChanges() { flags.remove(.untracked) }

    /// To be called when the object became a fault or none, and when its edits came or went.
    @inline(__always)
    final func markRowWord() {
        let address = rowWord & ~1
        let isPlain = address != 0 && flags.isDisjoint(with: .unready) && extras?.values.isEmpty != false
        rowWord = isPlain ? address : address | 1
    }

    // MARK: Identity

    /// The entity of the object.
    open var entity: NSEntityDescription { layout.entity }

    /// The context that the object belongs to; `nil` before it is inserted, and once it or the context is gone.
    open var managedObjectContext: NSManagedObjectContext? { ownContext }
    final var ownContext: NSManagedObjectContext? {
        @inline(__always) get { table?.registry.context }
    }

    /// The object's identifier: temporary until the first save.
    open var objectID: NSManagedObjectID {
        if let cachedID { return cachedID }
        let id = NSManagedObjectID(layout: layout, reference: reference, store: table?.store)
        cachedID = id
        return id
    }

    // MARK: State

    /// Whether the object is new in its context.
    open var isInserted: Bool { state.isInserted }
    /// Whether the object is to be deleted with the next save.
    open var isDeleted: Bool { state.isDeleted }
    /// Whether the object has changes that are not saved and is neither new nor deleted.
    open var isUpdated: Bool { state.isUpdated }
    /// Whether there is anything to save.
    open var hasChanges: Bool { state.hasChanges }
    /// Whether the object's values have not been asked for yet.
    open var isFault: Bool { state.isFault }
    /// 0 when the object is realized.
    open var faultingState: Int { state.isFault ? 1 : 0 }

    /// Whether a property the model doesn't know makes the object dirty. Always true: it doesn't.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Life cycle

    /// Called once when the object is inserted, default values set. Call `super`.
    ///
    /// Use it for values that have to be computed, such as the date of creation. What is set here is saved. It is
    /// called again, for another object, when a child context saves the new object into its parent, and what is set
    /// then gives way to the child's values.
    open func awakeFromInsert() {}
    /// Called when the fault fires. Changes made here leave the object clean. Call `super`.
    ///
    /// Use it for values that are computed from others and kept in transient attributes. All stored values are there.
    /// It is called each time the object stops being a fault, but not for new objects.
    open func awakeFromFetch() {}

    /// Called after undo, rollback or a merge gave the object other values. Does nothing unless overridden.
    ///
    /// It is the place to compute transient values again. `flags` says whether the values came from an undo, a
    /// rollback, a refresh or a merge policy.
    ///
    /// - Parameter flags: What changed the values.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called when the object is deleted, while its relationships are still there.
    ///
    /// ``NSManagedObjectContext/delete(_:)`` calls it at once, before delete rules are applied, and again if it is
    /// called again. Objects that a cascade rule deletes get the call when the rule is applied.
    open func prepareForDeletion() {}
    /// Called before a save; changes made here are saved, and make it called again.
    ///
    /// It is called for new, changed and deleted objects, before they are validated. Change only values that differ: a
    /// method that changes something in each call makes the save throw `NSCoreDataError`. To set a value without the
    /// call being repeated, use `setPrimitiveValue(_:forKey:)`.
    open func willSave() {}
    /// Called after a save.
    ///
    /// It is called for new, changed and deleted objects once all changes are written. What is changed here is an
    /// unsaved change.
    open func didSave() {}
    /// Called before the object becomes a fault.
    ///
    /// The values are still there. It is called when the object is refreshed without unsaved changes to keep, and when
    /// the context is reset. It isn't called when the object is released.
    open func willTurnIntoFault() {}
    /// Called after the object became a fault.
    ///
    /// Unsaved values are gone; reading a property fires the fault again, unless the object has left
    /// its context. Release here what was computed from the values.
    open func didTurnIntoFault() {}

    // MARK: Validation

    /// Checks a value before it is set. Subclasses override to add rules of their own.
    ///
    /// The rules of the model are checked: a missing value of a required property is
    /// `NSValidationMissingMandatoryPropertyError`, and a predicate that isn't satisfied is the code in the model, or
    /// `NSManagedObjectValidationError`. A key that the model doesn't have is fine. A save calls it for values that
    /// were set and have rules; call it yourself to check the input of a user. Call `super` in an override.
    ///
    /// - Parameters:
    ///   - value: The proposed value; may be replaced.
    ///   - key: The property.
    /// - Throws: The error of the first rule that is broken, with the key under `NSValidationKeyErrorKey`.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try validateByReference(&value, forKey: key)
    }

    #if !canImport(ObjectiveC)
    /// Checks a value before it is set, in the form that programs for Apple's systems override. What a class
    /// overrides of the two forms is asked, whichever of them is called.
    ///
    /// Override it only in a class that is compiled for Apple's systems as well. A value that is put in place of the
    /// proposed one isn't checked again.
    ///
    /// - Parameters:
    ///   - value: Where the proposed value is; another may be put there. Numbers are `NSNumber`.
    ///   - key: The property.
    /// - Throws: The error of the first rule that is broken.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validateModelRules(of: value.pointee, forKey: key)
    }
    #endif

    /// Checks the object before its first save. Call `super`.
    ///
    /// All properties are checked, and so are the numbers of objects in relationships. Override it for rules that
    /// concern several properties. It is called by each save after `willSave()`, also in a child context.
    ///
    /// - Throws: The error that was found, or `NSValidationMultipleErrorsError` with all of them under
    ///   `NSDetailedErrorsKey`.
    open func validateForInsert() throws { try validateProperties() }
    /// Checks the object before a change is saved. Call `super`.
    ///
    /// It checks the same as ``validateForInsert()``, also for properties that weren't changed.
    ///
    /// - Throws: The error that was found, or `NSValidationMultipleErrorsError` with all of them under
    ///   `NSDetailedErrorsKey`.
    open func validateForUpdate() throws { try validateProperties() }
    /// Checks that the object may be deleted. Call `super`.
    ///
    /// A relationship with the deny rule that still has objects is an error, unless these objects are deleted with the
    /// same save.
    ///
    /// - Throws: `NSValidationRelationshipDeniedDeleteError`, or `NSValidationMultipleErrorsError` with several of them
    ///   under `NSDetailedErrorsKey`.
    open func validateForDelete() throws { try validateDeleteRules() }

    // MARK: Key-value coding

    /// Returns the value of a property. Fires the fault.
    ///
    /// For a fetched property, the request is executed. A key that the model doesn't have is looked for among the keys
    /// of the class; otherwise ``value(forUndefinedKey:)`` is called. The value of a row that can't be read is `nil`,
    /// and the context's next fetch or save throws the reason.
    ///
    /// - Parameter key: The name of the property, or another key of the class.
    /// - Returns: The value. Numbers are `NSNumber`; a to-many relationship is a set, or an ordered set if it is
    ///   ordered.
    open func value(forKey key: String) -> Any? { modeledValue(forKey: key) }

    /// Sets a property, records the change, and updates the inverse of a relationship.
    ///
    /// A value of the wrong type leaves the property as it was, and validation reports it when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The name of the property, or another key of the class.
    open func setValue(_ value: Any?, forKey key: String) { setModeledValue(value, forKey: key) }

    /// Called by `value(forKey:)` for a key that the model doesn't have.
    ///
    /// Override it, together with ``setValue(_:forUndefinedKey:)``, for keys that the class computes. Values that were
    /// set for such keys are in memory only and are never saved.
    ///
    /// - Parameter key: The key.
    /// - Returns: What was set for the key, or `nil`.
    open func value(forUndefinedKey key: String) -> Any? { extras?.unmodeled[key] }

    /// Called by `setValue(_:forKey:)` for a key that the model doesn't have.
    ///
    /// Keeps the value in memory, and lets the context's next save throw an error that names the key. Subclasses
    /// override it for keys of their own.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        ensureExtras().unmodeled[key] = value
        recordUnknownKey(key)
    }

    // MARK: NSObject

    /// The object's address, which sets hash again anyway. Like `isEqual(_:)`, it must not be overridden.
    override open var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

    override open var description: String {
        let kind = String(describing: type(of: self))
        let id = objectID.uriRepresentation().absoluteString
        return
            "<\(kind) (entity: \(layout.name); id: \(id); data: \(state.isFault ? "<fault>" : "\(describedValues)"))>"
    }

    override open var debugDescription: String { description }

    // MARK: The class's entity

    /// The entity that has this class, of any model in use.
    ///
    /// If no model in use has one, and for `NSManagedObject` itself, returns an entity without a name and logs a line.
    open class func entity() -> NSEntityDescription { entityOfClass() }

    /// A request for all objects of the class's entity.
    ///
    /// For results of the class, use `NSFetchRequest<Book>(entityName: "Book")`. Each call returns a new request. If no
    /// model in use has an entity for the class, the request is for the entity that has the name of the class.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { requestForClass() }

    // MARK: Changes

    /// The properties that were changed since the last fetch or save, with their present values; nil is `NSNull`.
    /// Transient properties are left out.
    ///
    /// A value that was set to what it was before doesn't count. For a new object, values that differ from the defaults
    /// count. Values that `setPrimitiveValue(_:forKey:)` set without a notification are left out.
    open func changedValues() -> [String: Any] { valuesThatChanged() }

    /// The properties changed since changes were last processed, with the values they had before. Also there while the
    /// notification of the changes is posted.
    ///
    /// To-many relationships are left out, and new objects have none. Use it in an observer of
    /// `NSManagedObjectContextObjectsDidChange`.
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesBeforeEvent() }

    /// The last fetched or saved values; nil is `NSNull`. Empty before the first save. Transient properties have none.
    ///
    /// The object's fault is fired. With `nil`, to-many relationships that weren't read are left out; a to-many
    /// relationship that is named is read. Keys that the model doesn't have are ignored.
    ///
    /// - Parameter keys: The properties; `nil` for all.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { lastSavedValues(forKeys: keys) }

    /// Whether a value that is saved differs from the saved one.
    open var hasPersistentChangedValues: Bool { differsFromSaved }

    /// Announces that `setPrimitiveValue` is about to change a property, so that the object is saved.
    ///
    /// Accessors that are written by hand call it before `setPrimitiveValue(_:forKey:)`, and
    /// ``didChangeValue(forKey:)`` afterwards. It fires the fault, marks the object as updated, and lets the change be
    /// undone. Nothing happens for a key that the model doesn't have.
    ///
    /// - Parameter key: The name of the property.
    open func willChangeValue(forKey key: String) { beginChange(forKey: key) }

    /// Announces that a property was changed. A class that overrides this, or `willChangeValue(forKey:)`, is called for
    /// every change.
    ///
    /// It updates the inverse of a to-one relationship that was set with `setPrimitiveValue(_:forKey:)`, and takes over
    /// the changes that were made to the set of a to-many relationship.
    ///
    /// - Parameter key: The name of the property.
    open func didChangeValue(forKey key: String) { endChange(forKey: key) }

    /// Says that a to-many is about to change.
    ///
    /// It calls ``willChangeValue(forKey:)``; `mutation` and `objects` are there for overrides. For a class that
    /// overrides one of these methods, the engine calls it for each object that is added to an unordered to-many
    /// relationship or removed from it.
    ///
    /// - Parameters:
    ///   - key: The name of the relationship.
    ///   - mutation: What happens to the set.
    ///   - objects: The objects of the change.
    open func willChangeValue(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        beginSetChange(forKey: key, withSetMutation: mutation, using: objects)
    }

    /// Says that a to-many changed.
    ///
    /// It calls ``didChangeValue(forKey:)``; `mutation` and `objects` are there for overrides.
    ///
    /// - Parameters:
    ///   - key: The name of the relationship.
    ///   - mutation: What happened to the set.
    ///   - objects: The objects of the change.
    open func didChangeValue(
        forKey key: String, withSetMutation mutation: KeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        endSetChange(forKey: key, withSetMutation: mutation, using: objects)
    }

    /// Says that elements of an ordered to-many are about to change.
    ///
    /// It calls ``willChangeValue(forKey:)``; `changeKind` and `indexes` have no effect.
    ///
    /// - Parameters:
    ///   - changeKind: What happens to the elements.
    ///   - indexes: Their indexes.
    ///   - key: The name of the relationship.
    open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        willChangeValue(forKey: key)
    }

    /// Says that elements of an ordered to-many changed.
    ///
    /// It calls ``didChangeValue(forKey:)``; `changeKind` and `indexes` have no effect.
    ///
    /// - Parameters:
    ///   - changeKind: What happened to the elements.
    ///   - indexes: Their indexes.
    ///   - key: The name of the relationship.
    open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        didChangeValue(forKey: key)
    }

    // MARK: Primitive values

    /// Returns the value of a property without firing a fault and without calling accessors.
    ///
    /// A to-many relationship is a mutable set. Changes to it become the object's with the next `didChangeValue` for
    /// the relationship; those of an ordered one become so at once.
    ///
    /// - Parameter key: The name of the property.
    open func primitiveValue(forKey key: String) -> Any? { unhookedValue(forKey: key) }

    /// Sets a property without recording a change and without updating the inverse.
    ///
    /// The object isn't marked as updated, so call ``willChangeValue(forKey:)`` before and ``didChangeValue(forKey:)``
    /// after it, unless the value needn't be saved. A value of the wrong type leaves the property as it was, and
    /// validation reports it. A value for a key that the model doesn't have is kept in memory.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The name of the property.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setUnhookedValue(value, forKey: key) }

    /// Announces that a property is about to be read, and fires the fault.
    ///
    /// Accessors that are written by hand call it before `primitiveValue(forKey:)`. The whole object is read, whatever
    /// the key is. Nothing is read for an object that isn't a fault.
    ///
    /// - Parameter key: The name of the property; `nil` for any.
    open func willAccessValue(forKey key: String?) { beginAccess(forKey: key) }

    /// Announces that a property was read. Does nothing unless overridden.
    ///
    /// It is there for code that calls it after ``willAccessValue(forKey:)``; leaving out the call has no effect.
    ///
    /// - Parameter key: The name of the property; `nil` for any.
    open func didAccessValue(forKey key: String?) {}

    // MARK: Several properties

    /// Returns the value at the end of a key path.
    ///
    /// If a relationship on the way is `nil`, the result is `nil`, and so it is for a key that isn't known. Faults on
    /// the way are fired.
    ///
    /// - Parameter keyPath: The key path, which may have a collection operator, such as `books.@sum.price`.
    /// - Returns: The value. Over a to-many relationship it is a set of the objects' values, or an ordered set if the
    ///   relationship is ordered. Numbers are `NSNumber`.
    open func value(forKeyPath keyPath: String) -> Any? { valueAtEnd(forKeyPath: keyPath) }

    /// Sets the property at the end of a key path over to-one relationships, or an element of a composite attribute.
    ///
    /// Nothing is set if a relationship on the way is `nil` or a to-many relationship. The other elements of a
    /// composite attribute stay as they are.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - keyPath: The key path.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { setValueAtEnd(value, forKeyPath: keyPath) }

    /// Returns the values of several properties.
    ///
    /// Each key is read as by ``value(forKey:)``, so faults are fired and accessors that the class overrides are
    /// called. A key that is named twice is read once.
    ///
    /// - Parameter keys: The names of the properties.
    /// - Returns: The values by name, with `NSNull` for nil.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] { valuesByKey(forKeys: keys) }

    /// Sets several properties.
    ///
    /// Each value is set as by ``setValue(_:forKey:)``, in no particular order. Properties that aren't named stay as
    /// they are. A value of the wrong type, or for an unknown key, doesn't keep the others from being set.
    ///
    /// - Parameter keyedValues: The values by name. `NSNull` sets nil.
    open func setValuesForKeys(_ keyedValues: [String: Any]) { setValuesByKey(keyedValues) }

    /// Returns a live view of a to-many relationship. Adding and removing members changes the object.
    ///
    /// The inverse of the relationship is kept up to date. Values that aren't managed objects are ignored. A name that
    /// isn't that of a to-many relationship stops the program with a message.
    ///
    /// - Parameter key: The name of the relationship.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { liveSet(forKey: key) }

    /// Returns a live view of an ordered to-many relationship. Changing it changes the object.
    ///
    /// The inverse of the relationship is kept up to date. A name that isn't that of an ordered to-many relationship
    /// stops the program with a message.
    ///
    /// - Parameter key: The name of the relationship.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { liveOrderedSet(forKey: key) }

    /// Returns a live view of the to-many relationship at the end of a key path over to-one relationships.
    ///
    /// The faults on the way are fired. If the last key isn't a to-many relationship, the program stops with a message.
    ///
    /// - Parameter keyPath: The key path.
    /// - Returns: The view; empty, and without effect on an object, if a to-one relationship on the way is nil.
    open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet { liveSet(forKeyPath: keyPath) }

    /// Returns a live view of the ordered to-many relationship at the end of a key path over to-one relationships.
    ///
    /// The faults on the way are fired. If the last key isn't an ordered to-many relationship, the program stops with a
    /// message.
    ///
    /// - Parameter keyPath: The key path.
    /// - Returns: The view; empty, and without effect on an object, if a to-one relationship on the way is nil.
    open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        liveOrderedSet(forKeyPath: keyPath)
    }

    // MARK: Faults of relationships

    /// Returns whether a relationship wasn't read yet. Doesn't fire a fault.
    ///
    /// For a to-one relationship of an object that isn't a fault, it says whether the destination is a fault. The
    /// members of a to-many relationship of a new object are always known. A name that isn't that of a relationship
    /// gives `false`.
    ///
    /// - Parameter key: The name of the relationship.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnreadRelationship(forRelationshipNamed: key) }

    /// Returns the identifiers of a relationship's objects, which stay faults.
    ///
    /// The relationship is read, and the object's own fault is fired. A to-one relationship gives one ID, or none if it
    /// is `nil`. A name that isn't that of a relationship gives an empty array.
    ///
    /// - Parameter key: The name of the relationship.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        destinationIDs(forRelationshipNamed: key)
    }
}

/// What made an object's values change without its doing.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
    /// An update was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 16)
    /// The object was refreshed.
    public static let refresh = NSSnapshotEventType(rawValue: 32)
    /// A merge policy changed the object.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
