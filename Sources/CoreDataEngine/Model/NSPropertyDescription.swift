public import Foundation
import Synchronization

/// A property of an entity: its name, whether it may be empty, and how it takes part in versioning.
///
/// Create attributes, relationships and fetched properties with the subclasses. A description may be changed until a
/// coordinator uses its model; changing it later is a programming error and stops the process.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSPropertyDescription: NSObject, NSCoding, NSCopying, _MadeFromType, @unchecked Sendable {
    /// Creates a property without a name.
    ///
    /// Create an object of a subclass: a property of this class itself is neither an attribute nor a relationship.
    public override init() {
        super.init()
    }

    /// Creates a property from an archive.
    ///
    /// The property belongs to no entity, so it can be given to one. The ends of a relationship are found by name when
    /// the entity joins a model.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no property of this kind.
    public required init?(coder: NSCoder) {
        super.init()
        guard let archived = DescriptionCoding.property(from: coder), archived.isKind(of: Self.self) else { return nil }
        archived.copyState(to: self)
    }

    /// Writes the property into an archive. Of the ends of a relationship the names are kept.
    ///
    /// The property itself may be in use. It belongs to no entity when it is read again.
    ///
    /// - Parameter coder: a keyed archiver.
    open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, to: coder) }

    /// The name of the property. It must be unique in its entity, inherited properties included.
    open var name: String = "" {
        willSet { requireEditable() }
        didSet { declaringEntity?.propertyNamesChanged() }
    }

    /// Whether an object may be saved without a value for the property. The default is true.
    open var isOptional: Bool = true {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// Whether the property is left out of the store. The default is false.
    open var isTransient: Bool = false {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The flag that Apple's search index reads. It is kept in the model and has no other effect.
    open var isIndexedBySpotlight: Bool = false {
        willSet { requireEditable() }
    }

    /// Application data of the property. May be changed at any time, also while the model is in use: predicates of fetched
    /// properties read it.
    open var userInfo: [AnyHashable: Any]? {
        get { sharedUserInfo.withLock { $0 }.value }
        set {
            let box = SendableBox(newValue)
            sharedUserInfo.withLock { $0 = box }
        }
    }

    private let sharedUserInfo = Mutex(SendableBox<[AnyHashable: Any]?>([:]))

    /// A string that makes the version hash of the property different from that of an equal one.
    open var versionHashModifier: String? {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The name of the property in the previous version of the model. Reads as ``name`` when not set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set {
            requireEditable()
            explicitRenamingIdentifier = newValue
        }
    }

    /// The predicates that every value of the property must fulfil.
    open private(set) var validationPredicates: [NSPredicate] = []

    /// The message or error code that belongs to each of ``validationPredicates``.
    open private(set) var validationWarnings: [Any] = []

    /// Sets the predicates that a value must fulfil, and what is reported for each that it does not.
    ///
    /// Values are validated when they are saved. A value that is `nil` isn't checked. For a predicate without a
    /// warning, or with an empty one, the error describes the predicate. A model that is in use stops the program with
    /// a message.
    ///
    /// ```swift
    /// attribute.setValidationPredicates(
    ///     [NSPredicate(format: "SELF > 0")], withValidationWarnings: ["A book has at least one page."])
    /// ```
    ///
    /// - Parameters:
    ///   - validationPredicates: predicates that are evaluated on the value.
    ///   - validationWarnings: for each predicate a message or an error code.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(predicates: validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    package final func setValidation(predicates: [NSPredicate], warnings: [Any]) {
        requireEditable()
        validationPredicates = predicates
        validationWarnings = warnings
    }

    /// The entity that declares the property. A new entity without a name if the property belongs to none,
    /// or if its model is gone.
    open var entity: NSEntityDescription { declaringEntity ?? NSEntityDescription() }

    /// Whether an index over this property alone is wanted. Deprecated by Apple; kept because old models hold it.
    @available(*, deprecated, message: "Use NSEntityDescription.indexes instead.")
    open var isIndexed: Bool {
        get { isIndexedFlag }
        set {
            requireEditable()
            isIndexedFlag = newValue
        }
    }

    /// The flag of an index file that no longer exists. Deprecated by Apple; kept because old models hold it.
    @available(*, deprecated, message: "Records outside of the store are no longer written.")
    open var isStoredInExternalRecord: Bool {
        get { isStoredInExternalRecordFlag }
        set {
            requireEditable()
            isStoredInExternalRecordFlag = newValue
        }
    }

    package final var isIndexedFlag = false
    package final var isStoredInExternalRecordFlag = false

    /// The entity that declares the property, nil while it belongs to none.
    package final var declaringEntity: NSEntityDescription? {
        get { entityHandle?.object }
        set { entityHandle = newValue?.weakHandle }
    }
    private final var entityHandle: WeakHandle<NSEntityDescription>?

    /// The renaming identifier as it was set, nil when it was not.
    package final var explicitRenamingIdentifier: String?

    /// A hash of what matters for storing the property: two versions with equal hashes need no migration.
    open var versionHash: Data { VersionHash.of(self) }

    /// Whether the property enters the version hash of its entity and has a column in the store.
    package final var isPersistent: Bool { !isTransient && !(self is NSFetchedPropertyDescription) }

    /// Returns a copy that belongs to no entity.
    ///
    /// Use it to give the same property to another entity: a property can belong to one only. The copy may be changed,
    /// also if the original is in use.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeEmptyCopy()
        copyState(to: copy)
        return copy
    }

    package func makeEmptyCopy() -> NSPropertyDescription { NSPropertyDescription() }

    package func copyState(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.setValidation(predicates: validationPredicates, warnings: validationWarnings)
        copy.isIndexedFlag = isIndexedFlag
        copy.isStoredInExternalRecordFlag = isStoredInExternalRecordFlag
    }

    /// Whether another object is a property of the same kind with the same contents, and of an entity of the same name if both
    /// belong to one. What it refers to is compared by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        if self === other { return true }
        guard name == other.name, type(of: self) == type(of: other) else { return false }
        if let mine = declaringEntity?.name, let theirs = other.declaringEntity?.name, mine != theirs { return false }
        return hasSameContents(as: other)
    }

    open override var hash: Int { name.hashValue }

    /// Stops with a sentence when the model of the property is in use.
    package final func requireEditable() {
        guard let declaringEntity, declaringEntity.isFrozen else { return }
        programmerError(
            "The property '\(name)' of entity '\(declaringEntity.name ?? "")' cannot be changed: "
                + "its model is already used by a coordinator. Change a copy of the model instead.")
    }

    open override var description: String {
        "<\(type(of: self)) \(declaringEntity?.name.map { $0 + "." } ?? "")\(name)>"
    }
}

extension NSPropertyDescription: UserInfoHolding {}
