public import Foundation
import Synchronization

/// An entity of a model: the name, class and properties of one kind of managed object.
///
/// An entity may be changed until a coordinator uses its model; changing it later is a programming error and stops the
/// process. Reading is safe from any thread once the model is in use.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that. What is
// computed on demand, and the slot of the runtime, are behind a lock or atomic.
open class NSEntityDescription: NSObject, NSCoding, NSCopying, _MadeFromType, @unchecked Sendable {
    /// Creates an entity without a name.
    ///
    /// Set the name, the class and the properties, and add it to the entities of a model.
    ///
    /// ```swift
    /// let book = NSEntityDescription()
    /// book.name = "Book"
    /// book.managedObjectClassName = "Book"
    /// book.properties = [title]
    /// model.entities = [book]
    /// ```
    public override init() {
        super.init()
    }

    /// Creates an entity from an archive.
    ///
    /// The entity belongs to no model. Its superentity and the ends of its relationships are found by name when it
    /// joins one.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no entity.
    public required init?(coder: NSCoder) {
        super.init()
        guard let archived = DescriptionCoding.entity(from: coder) else { return nil }
        archived.copyState(to: self)
    }

    deinit { handle.clear(self) }

    /// Writes the entity into an archive. Of its superentity and the ends of its relationships the names are kept.
    ///
    /// The properties that the entity declares itself are archived with it, and its indexes. It may be in use.
    ///
    /// - Parameter coder: a keyed archiver.
    open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, to: coder) }

    // MARK: Identity

    /// The name of the entity, unique in its model.
    open var name: String? {
        willSet { requireEditable() }
        didSet {
            structureChanged()
            owner?.forgetVersionHashes()
        }
    }

    /// The name of the class of the entity's objects. The default is `NSManagedObject`.
    ///
    /// What Swift calls that class, with the module it is in here or on Apple's systems, means the same.
    open var managedObjectClassName: String! {
        get { explicitClassName ?? "NSManagedObject" }
        set {
            requireEditable()
            explicitClassName = newValue.flatMap { Self.namesOfNoClass.contains($0) ? nil : $0 }
        }
    }

    private static let namesOfNoClass: Set = [
        "NSManagedObject", ".NSManagedObject", "CoreData.NSManagedObject", "OpenCoreData.NSManagedObject",
        "CoreDataEngine.NSManagedObject",
    ]

    /// Whether there are objects of subentities only. The default is false.
    open var isAbstract: Bool = false {
        willSet { requireEditable() }
        didSet { structureChanged() }
    }

    /// The model that the entity belongs to. A new model without entities if the entity belongs to none, or if its
    /// model is gone.
    open var managedObjectModel: NSManagedObjectModel { owner ?? NSManagedObjectModel() }

    /// Application data of the entity.
    open var userInfo: [AnyHashable: Any]? = [:] {
        willSet { requireEditable() }
    }

    /// A string that makes the version hash of the entity different from that of an equal one.
    open var versionHashModifier: String? {
        willSet { requireEditable() }
        didSet { structureChanged() }
    }

    /// The name of the entity in the previous version of the model. Reads as ``name`` when not set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set {
            requireEditable()
            explicitRenamingIdentifier = newValue
        }
    }

    // MARK: Properties

    /// The properties of the entity, inherited ones included and first.
    ///
    /// Setting it sets the properties that the entity declares itself; those of a superentity in the list are ignored.
    open var properties: [NSPropertyDescription] {
        get { lookup.properties }
        set {
            let ancestors = sequence(first: superentity, next: { $0?.superentity })
                .prefix { $0 != nil }.compactMap(\.self)
            declaredProperties = newValue.filter { property in
                !ancestors.contains { $0 === property.declaringEntity }
            }
        }
    }

    /// The properties of the entity by name, inherited ones included.
    open var propertiesByName: [String: NSPropertyDescription] { lookup.propertiesByName }

    /// The attributes of the entity by name, inherited ones included.
    open var attributesByName: [String: NSAttributeDescription] { lookup.attributesByName }

    /// The relationships of the entity by name, inherited ones included.
    open var relationshipsByName: [String: NSRelationshipDescription] { lookup.relationshipsByName }

    /// Returns the relationships that lead to an entity, including inherited ones.
    ///
    /// A relationship to an entity that the given one inherits from leads there, too; one to an entity that inherits
    /// from it doesn't.
    ///
    /// - Parameter entity: The destination.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        lookup.properties.compactMap { $0 as? NSRelationshipDescription }
            .filter { relationship in
                guard let destination = relationship.destinationEntity else { return false }
                return destination === entity || entity.isKindOf(entity: destination)
            }
    }

    /// Names, or attributes, whose values together may occur only once; one list for each constraint.
    ///
    /// A list without names constrains nothing and is dropped.
    open var uniquenessConstraints: [[Any]] {
        get { constraints }
        set {
            requireEditable()
            constraints = newValue.filter { !$0.isEmpty }
            structureChanged()
        }
    }
    private final var constraints: [[Any]] = []

    /// The indexes that the entity itself declares.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireEditable() }
        didSet {
            for index in indexes {
                index.entity = self
                for element in index.elements { element.link(in: self) }
            }
        }
    }

    /// Indexes in the way of old models, as a model file has them. Setting it does nothing, as on Apple's systems.
    @available(*, deprecated, message: "Use indexes instead.")
    open var compoundIndexes: [[Any]] {
        get { compoundIndexNames }
        set {}
    }

    // MARK: Inheritance

    /// The entity that this one inherits from.
    open internal(set) var superentity: NSEntityDescription?

    /// The entities that inherit from this one directly.
    open var subentities: [NSEntityDescription] {
        get { linkedSubentities.compactMap(\.entity) }
        set { setSubentities(newValue) }
    }

    /// The entities that inherit from this one directly, by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether the entity is the given one or inherits from it.
    ///
    /// Entities are compared as objects: an equal entity of another model is another one.
    ///
    /// - Parameter entity: The entity to compare with.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        var candidate: NSEntityDescription? = self
        while let current = candidate {
            if current === entity { return true }
            candidate = current.superentity
        }
        return false
    }

    /// The entity at the top of the inheritance tree. Its table holds the objects of all that inherit from it.
    package final var rootEntity: NSEntityDescription {
        var root = self
        while let parent = root.superentity { root = parent }
        return root
    }

    // MARK: For the engine

    /// The properties that the entity declares itself, in the order of the model.
    package final var declaredProperties: [NSPropertyDescription] = [] {
        willSet {
            requireEditable()
            for property in declaredProperties where property.declaringEntity === self {
                property.declaringEntity = nil
            }
        }
        didSet {
            for property in declaredProperties {
                programmerError(
                    unless:
                        property.declaringEntity == nil || property.declaringEntity === self,
                    "The property '\(property.name)' cannot be given to entity '\(name ?? "")': it already belongs to "
                        + "entity '\(property.declaringEntity?.name ?? "")'. Give it a copy.")
                property.declaringEntity = self
            }
            structureChanged()
        }
    }

    /// The model, nil while the entity belongs to none.
    package final var owner: NSManagedObjectModel? {
        get { ownerHandle?.object }
        set { ownerHandle = newValue?.weakHandle }
    }
    private final var ownerHandle: WeakHandle<NSManagedObjectModel>?

    private final let handle = WeakHandle<NSEntityDescription>()
    final var weakHandle: WeakHandle<NSEntityDescription> { handle.bound(to: self) }

    /// The class name as it was set, nil for NSManagedObject.
    package final var explicitClassName: String?

    /// The renaming identifier as it was set, nil when it was not.
    package final var explicitRenamingIdentifier: String?

    /// The names of compound indexes of old models.
    package final var compoundIndexNames: [[String]] = []

    /// The superentity's name, for an entity that was copied out of its model and joins another one.
    final var detachedSuperentityName: String?

    /// Whether the model of the entity is in use, and the entity cannot be changed any longer.
    package final var isFrozen: Bool { owner?.isFrozen ?? false }

    // The model owns its entities. Until an entity has a model, its superentity keeps it alive.
    final var subentityHold: [NSEntityDescription] = []
    final var linkedSubentities: [WeakEntity] = []

    private final let lookupCache = Mutex<EntityLookup?>(nil)
    private final let runtimeSlot = AtomicLazyReference<AnyObject>()
    private final let hashes = Mutex(VersionHashes())

    struct WeakEntity {
        private let handle: WeakHandle<NSEntityDescription>
        var entity: NSEntityDescription? { handle.object }

        init(entity: NSEntityDescription) { handle = entity.weakHandle }
    }

    private struct VersionHashes {
        /// From the file that the entity comes from.
        var known: Data?
        var computed: Data?
    }

    /// What the engine computes once from the entity and keeps with it; nil until ``setRuntime(_:)``.
    package final var runtime: AnyObject? { runtimeSlot.load() }

    /// Sets the runtime unless there is one, and returns the one that is there afterwards.
    @discardableResult package final func setRuntime(_ runtime: AnyObject) -> AnyObject {
        runtimeSlot.storeIfNil(runtime)
    }

    final var lookup: EntityLookup {
        if let cached = lookupCache.withLock({ $0 }) { return cached }
        let fresh = EntityLookup(declared: declaredProperties, inherited: superentity?.lookup.properties ?? [])
        lookupCache.withLock { $0 = fresh }
        return fresh
    }

    /// A hash of what matters for storing the entity's objects: two versions with equal hashes need no migration.
    ///
    /// It is computed, unless the file that the entity comes from brought the hash along.
    open var versionHash: Data {
        if let known = hashes.withLock({ $0.known ?? $0.computed }) { return known }
        let fresh = VersionHash.of(self)
        hashes.withLock { $0.computed = fresh }
        return fresh
    }

    /// Whether a store with the hash has the entity as it is here.
    ///
    /// Earlier versions of this library computed other hashes for derived attributes and for composites within
    /// composites; their stores keep them.
    package final func accepts(versionHash hash: Data?) -> Bool {
        guard let hash else { return false }
        return hash == versionHash || hash == formerVersionHash
    }

    /// The hash that earlier versions of this library computed for the entity, nil if it is the same.
    package final var formerVersionHash: Data? {
        let differs = properties.contains {
            $0 is NSDerivedAttributeDescription || ($0 as? NSCompositeAttributeDescription)?.nestedElement != nil
        }
        return differs ? VersionHash.of(self, by: .former) : nil
    }

    /// Keeps the hash that a file gives for the entity. It is forgotten when the entity changes.
    final func setKnownVersionHash(_ hash: Data) {
        hashes.withLock { $0.known = hash }
    }

    /// The hash that a file gave for the entity, or nil without one, or after a change of the entity.
    package final var knownVersionHash: Data? { hashes.withLock { $0.known } }

    final func forgetVersionHash() {
        hashes.withLock { $0 = VersionHashes() }
    }

    /// What a change of the entity or of one of its properties makes void, here and in all entities that inherit it.
    final func structureChanged() {
        lookupCache.withLock { $0 = nil }
        forgetVersionHash()
        owner?.contentsChanged()
        for child in linkedSubentities { child.entity?.structureChanged() }
    }

    /// A new name shows in the hashes of relationships that lead back to the property.
    final func propertyNamesChanged() {
        structureChanged()
        owner?.forgetVersionHashes()
    }

    /// Forgets the properties that were collected, for a change of the links that leaves the meaning as it is.
    final func invalidateLookup() {
        lookupCache.withLock { $0 = nil }
        for child in linkedSubentities { child.entity?.invalidateLookup() }
    }

    /// Stops with a sentence when the model of the entity is in use.
    package final func requireEditable() {
        guard isFrozen else { return }
        programmerError(
            "The entity '\(name ?? "")' cannot be changed: its model is already used by a coordinator. "
                + "Change a copy of the model instead.")
    }

    /// Whether another object is an entity with the same contents, of whatever model. What it refers to, as its superentity
    /// and the ends of its relationships, is compared by name.
    ///
    /// The classes and the user info are part of the contents, so two entities with equal version hashes may differ.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || hasSameContents(as: other)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String { "<NSEntityDescription \(name ?? "(no name)")>" }

    /// Returns a copy with copies of the properties that the entity declares itself.
    ///
    /// The copy belongs to no model. When it is added to one, its superentity and the ends of its relationships are
    /// found there by name.
    open func copy(with zone: NSZone? = nil) -> Any { detachedCopy() }
    // MARK: Entities of contexts

    /// Returns the entity with a name in the context's model.
    ///
    /// A context without a coordinator or parent has no model, so the result is `nil`.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - context: A context with a coordinator or a parent.
    /// - Returns: The entity, or `nil` if the model has none of this name.
    open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription?
    {
        entityOfContext(forEntityName: entityName, in: context)
    }

    /// Creates an object of an entity's class and inserts it.
    ///
    /// Use `init(context:)` of the class if it is known when the program is compiled. An abstract entity stops the
    /// program with a message.
    ///
    /// - Parameters:
    ///   - entityName: The name of an entity of the context's model. Another name stops the program with a message.
    ///   - context: The context.
    /// - Returns: The object.
    open class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        newObject(forEntityName: entityName, into: context)
    }
}
