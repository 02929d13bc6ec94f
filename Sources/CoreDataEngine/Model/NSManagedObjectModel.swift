public import Foundation
import Synchronization

/// A model: the entities of an object graph, and how they belong together.
///
/// Build one in code, or read it from a file. A model may be changed until a coordinator uses it; changing it later is
/// a programming error and stops the process. Reading is safe from any thread once the model is in use.
// A model is immutable once it is in use, and confined to the code that builds it before that. What is computed on
// demand is behind a lock; the flag that it is in use is atomic.
open class NSManagedObjectModel: NSObject, NSCoding, NSCopying, _MadeFromType, @unchecked Sendable {
    private final let handle = WeakHandle<NSManagedObjectModel>()
    final var weakHandle: WeakHandle<NSManagedObjectModel> { handle.bound(to: self) }

    /// Creates a model without entities.
    ///
    /// Set ``entities``, then create a coordinator or container with the model.
    public override init() {
        super.init()
    }

    /// Creates a model from an archive.
    ///
    /// The model isn't in use, so it may be changed, also if the archived one was in use.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no model.
    public required init?(coder: NSCoder) {
        super.init()
        guard let model = DescriptionCoding.model(from: coder) else { return nil }
        adopt(model)
    }

    deinit { handle.clear(self) }

    /// Writes the model into an archive.
    ///
    /// The archive has the model in its compiled form, as in a `.mom` file. A model that can't be compiled stops the
    /// program with a message.
    ///
    /// - Parameter coder: a keyed archiver.
    open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, to: coder) }

    /// The entities of the model.
    ///
    /// Setting it links superentities, subentities, and the ends of relationships that are known by name only. Entities
    /// that inherit from one in the list belong to the model too.
    open var entities: [NSEntityDescription] {
        get { orderedEntities }
        set {
            requireEditable()
            setEntities(newValue)
        }
    }

    /// The entities of the model by name.
    open var entitiesByName: [String: NSEntityDescription] {
        if let cached = cache.withLock({ $0.entitiesByName }) { return cached }
        let fresh = Dictionary(orderedEntities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        cache.withLock { $0.entitiesByName = fresh }
        return fresh
    }

    /// The names of the model's configurations.
    open var configurations: [String] { configurationNames }

    /// Strings for names of entities, properties and errors, by key. They are kept and not used by the engine.
    open var localizationDictionary: [String: String]?

    /// Strings of the application that name the version of the model. Stores keep them in their metadata.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        willSet { requireEditable() }
    }

    // MARK: For the engine

    /// The fetch requests that the model names.
    package final var fetchRequestTemplates: [String: FetchRequestTemplate] = [:]

    /// The members of each configuration, in the order of the model.
    package final var configurationMembers: [String: [NSEntityDescription]] = [:]

    /// The names of the configurations in the order of the model.
    package final var configurationNames: [String] = []

    /// The source that the model was read from, with all that only Xcode cares for; writing the model keeps it.
    final var sourceDocument: ModelSourceDocument?

    /// The files and folders that the model was read from. Its other versions are looked for there.
    package final var fileURLs: [URL] = []

    /// Whether the model is in use and cannot be changed any longer.
    package final var isFrozen: Bool { frozen.load(ordering: .acquiring) }

    final var orderedEntities: [NSEntityDescription] = []
    final let cache = Mutex(Cache())
    private final let frozen = Atomic(false)

    struct Cache {
        var entitiesByName: [String: NSEntityDescription]?
        var entitiesInStoreOrder: [NSEntityDescription]?
    }

    /// Marks the model as used: from now on it cannot be changed.
    package final func freeze() {
        guard !isFrozen else { return }
        for entity in orderedEntities { _ = entity.lookup }
        frozen.store(true, ordering: .releasing)
    }

    /// Stops with a sentence when the model is in use.
    package final func requireEditable() {
        programmerError(
            unless:
                !isFrozen,
            "The model cannot be changed: it is already used by a coordinator. Change a copy of it instead.")
    }

    final func contentsChanged() {
        cache.withLock { $0 = Cache() }
    }

    final func forgetVersionHashes() {
        for entity in orderedEntities { entity.forgetVersionHash() }
    }

    /// Returns a copy with copies of all entities, which may be changed.
    ///
    /// Copy a model that is in use to change it. Configurations, fetch request templates and version identifiers are
    /// copied as well.
    open func copy(with zone: NSZone? = nil) -> Any { deepCopy() }

    /// Whether another object is a model with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || hasSameContents(as: other)
    }

    open override var hash: Int { orderedEntities.count }

    open override var description: String {
        "<NSManagedObjectModel entities: \(orderedEntities.map { $0.name ?? "" }.joined(separator: ", "))>"
    }
    // MARK: Configurations

    /// Returns the entities of a configuration.
    ///
    /// An entity that belongs to several configurations is in the result of each.
    ///
    /// - Parameter configuration: The name of a configuration; `nil` for all entities of the model.
    /// - Returns: The entities, or `nil` if the model has no configuration of that name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        members(forConfigurationName: configuration)
    }

    /// Makes entities the members of a configuration, which is created when it is not there.
    ///
    /// The members that the configuration had are replaced. An entity of another model, and a model that is in use,
    /// stop the program with a message.
    ///
    /// - Parameters:
    ///   - entities: entities of this model.
    ///   - configuration: the name of the configuration.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        setMembers(entities, forConfigurationName: configuration)
    }

    // MARK: Versions

    /// The version hash of each entity by its name.
    open var entityVersionHashesByName: [String: Data] { hashesByName }

    /// A checksum over the version hashes of all entities, in base64.
    open var versionChecksum: String { checksum }

    /// Returns whether a store with this metadata can be opened with a configuration of the model as it is.
    ///
    /// The result is `false` if the model has no such configuration, or if the metadata has no version hashes. Use it
    /// to find out whether a store needs a migration before you add it.
    ///
    /// - Parameters:
    ///   - configuration: the name of a configuration; nil for all entities.
    ///   - metadata: the metadata of a store.
    /// - Returns: whether store and configuration have the same entities with equal version hashes.
    open func isConfiguration(withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any])
        -> Bool
    {
        hasConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }

    // MARK: Merging

    /// Makes one model of all models in bundles.
    ///
    /// Of a model with several versions, the current one is read. Equal entities of the same name are there once. If
    /// the main bundle has no models, those of the package's resource bundles beside the program are used. Without any
    /// model, the result is a model without entities.
    ///
    /// - Parameter bundles: the bundles; nil for the main bundle.
    /// - Returns: nil when a model is damaged, or two have different entities of the same name.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { modelOfBundles(from: bundles) }

    /// Makes one model of those entities of the models in bundles that a store was written with. All versions are
    /// looked at.
    ///
    /// Use it to get the model of a store that has a former version. Metadata without version hashes gives `nil`.
    ///
    /// - Parameters:
    ///   - bundles: the bundles; nil for the main bundle.
    ///   - metadata: the metadata of the store.
    /// - Returns: nil when an entity of the store is in none of the models in the store's version.
    open class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        modelOfBundles(from: bundles, forStoreMetadata: metadata)
    }

    // MARK: Fetch request templates

    /// The model's fetch request templates by name.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { requestsByName }

    /// Returns the fetch request template with a name.
    ///
    /// Each call returns another request: changing it doesn't change the template. For a template with variables, use
    /// ``fetchRequestFromTemplate(withName:substitutionVariables:)``.
    ///
    /// - Parameter name: The name.
    /// - Returns: The template, or `nil` if the model has none of this name.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        template(forName: name)
    }

    /// Returns a copy of a fetch request template whose variables are replaced by values.
    ///
    /// Variables that aren't named stay variables, and a fetch with such a request throws. The template isn't changed.
    ///
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - variables: The values by the names of the variables, without `$`.
    /// - Returns: The request, or `nil` if the model has no template of this name.
    open func fetchRequestFromTemplate(withName name: String, substitutionVariables variables: [String: Any])
        -> NSFetchRequest<any NSFetchRequestResult>?
    {
        requestFromTemplate(withName: name, substitutionVariables: variables)
    }

    /// Adds or replaces a fetch request template.
    ///
    /// The settings of the request are copied. A model that is in use stops the program with a message.
    ///
    /// - Parameters:
    ///   - request: The template; `nil` removes it.
    ///   - name: Its name.
    open func setFetchRequestTemplate(_ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String) {
        setTemplate(request, forName: name)
    }
}
