package import Foundation

extension NSManagedObjectModel {
    /// Creates one model of several.
    ///
    /// An entity that is in several models must be equal in all of them.
    ///
    /// - Parameter models: the models; they are copied.
    /// - Returns: nil when there are no models, or two have different entities of the same name.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models, !models.isEmpty, let merged = Self.merge(models, hashes: nil) else { return nil }
        self.init()
        adopt(merged)
    }

    /// Creates one model of those entities of several models that a store was written with.
    ///
    /// Metadata without version hashes gives `nil`. Configurations and fetch request templates are joined; of several
    /// templates with one name, the first one stays.
    ///
    /// - Parameters:
    ///   - models: the models, which may be versions of one; they are copied.
    ///   - metadata: the metadata of the store.
    /// - Returns: nil when an entity of the store is in none of the models in the store's version.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let merged = Self.merge(models, hashes: hashes)
        else { return nil }
        self.init()
        adopt(merged)
    }

    /// What `mergedModel(from:)` does.
    static func modelOfBundles(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let urls = modelURLs(in: bundles ?? [.main], besideProgram: true)
        let models = urls.compactMap { NSManagedObjectModel(contentsOf: $0) }
        guard models.count == urls.count else { return nil }
        return models.isEmpty ? NSManagedObjectModel() : NSManagedObjectModel(byMerging: models)
    }

    /// What `mergedModel(from:forStoreMetadata:)` does.
    static func modelOfBundles(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        let models = modelURLs(in: bundles ?? [.main], besideProgram: true).flatMap { allVersions(at: $0) }
        return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
    }

    /// The version of a model that a store was written with, among all versions of a file or folder.
    package static func version(ofModelAt url: URL, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
        allVersions(at: url).first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
    }

    /// The version of some models that a store was written with, among all versions in files and folders.
    package static func version(inModelsAt urls: [URL], forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        NSManagedObjectModel(byMerging: urls.flatMap { allVersions(at: $0) }, forStoreMetadata: metadata)
    }

    /// - Parameter besideProgram: Whether a program without models in its own folder has those in the resource bundles that
    ///   the package manager puts there, if they are its own.
    static func modelURLs(in bundles: [Bundle], besideProgram: Bool = false) -> [URL] {
        bundles.flatMap { bundle in
            let urls = modelURLs(in: bundle)
            guard besideProgram, urls.isEmpty, bundle == .main,
                let folder = bundle.executableURL?.deletingLastPathComponent()
            else { return urls }
            return ModelFinder.best(
                of: ModelFinder.resourceBundles(in: folder).compactMap { Bundle(url: $0) }.flatMap { modelURLs(in: $0) }
            )
        }
    }

    private static func modelURLs(in bundle: Bundle) -> [URL] {
        ModelFinder.extensions.flatMap { kind in
            (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map { $0 as URL }
                .sorted { $0.path < $1.path }
        }
    }

    static func allVersions(at url: URL) -> [NSManagedObjectModel] {
        if let bundle = try? CompiledModelBundle(contentsOf: url), !bundle.versions.isEmpty {
            return bundle.versions.map(\.model)
        }
        if let bundle = try? ModelSourceBundle(contentsOf: url), !bundle.versions.isEmpty {
            return bundle.versions.compactMap { try? $0.document.model() }
        }
        return NSManagedObjectModel(contentsOf: url).map { [$0] } ?? []
    }

    /// - Parameter hashes: the entities that are wanted and their hashes; nil for all entities.
    private static func merge(_ models: [NSManagedObjectModel], hashes: [String: Data]?) -> NSManagedObjectModel? {
        var chosen: [NSEntityDescription] = []
        var known: [String: Data] = [:]
        for entity in models.flatMap(\.entities) {
            let name = entity.name ?? ""
            if let hashes, !entity.accepts(versionHash: hashes[name]) { continue }
            if let hash = known[name] {
                guard hash == entity.versionHash else { return nil }
            } else {
                known[name] = entity.versionHash
                chosen.append(entity)
            }
        }
        if let hashes, Set(hashes.keys) != Set(known.keys) { return nil }
        let merged = NSManagedObjectModel()
        merged.entities = chosen.map { $0.detachedCopy() }
        merged.setKnownVersionHashes(
            Dictionary(
                chosen.compactMap { entity in entity.knownVersionHash.map { (entity.name ?? "", $0) } },
                uniquingKeysWith: { first, _ in first }))
        for model in models { merged.mergeRest(of: model) }
        return merged
    }

    /// Adds version identifiers, fetch requests and configurations; what is there stays.
    private func mergeRest(of model: NSManagedObjectModel) {
        versionIdentifiers.formUnion(model.versionIdentifiers)
        fileURLs += model.fileURLs.filter { !fileURLs.contains($0) }
        fetchRequestTemplates.merge(model.fetchRequestTemplates) { first, _ in first }
        localizationDictionary = (localizationDictionary ?? [:]).merging(model.localizationDictionary ?? [:]) {
            first, _ in first
        }
        if localizationDictionary?.isEmpty == true { localizationDictionary = nil }
        for name in model.configurationNames {
            var members = configurationMembers[name] ?? []
            for member in model.configurationMembers[name] ?? [] {
                guard let copy = entitiesByName[member.name ?? ""], !members.contains(where: { $0 === copy }) else {
                    continue
                }
                members.append(copy)
            }
            setEntities(members, forConfigurationName: name)
        }
    }
}
