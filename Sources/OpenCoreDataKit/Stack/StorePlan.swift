/// The stores of a database, checked before any of them is opened.
struct StorePlan {
    /// The stores with the files that they are in.
    let stores: [(store: Store, url: URL?)]

    /// Refuses two stores on one file, and two stores of one entity.
    ///
    /// - Throws: ``DatabaseError/duplicateStore(store:reason:)``.
    init(_ configuration: Database.Configuration, model: NSManagedObjectModel) throws {
        stores = configuration.stores.map {
            ($0, StoreOpening.url(of: $0, databaseName: configuration.name))
        }
        guard !stores.isEmpty else {
            throw DatabaseError.storeFailed(
                store: "", url: nil,
                cause: CoreDataError.make(
                    NSPersistentStoreOpenError, "The database \(configuration.name) has no store."))
        }
        try refuseSharedFiles()
        try refuseSharedEntities(model)
    }

    private func refuseSharedFiles() throws {
        var seen: Set<String> = []
        for case (_, let url?) in stores where !seen.insert(OpenFiles.key(url)).inserted {
            throw DatabaseError.duplicateStore(store: url.displayName, reason: "Another store has the same file.")
        }
    }

    private func refuseSharedEntities(_ model: NSManagedObjectModel) throws {
        var owners: [String: String] = [:]
        for (store, url) in stores where !store.isReadOnly {
            let label = url?.displayName ?? "in memory"
            // An unknown configuration is reported when the store is opened.
            for entity in model.entities(forConfigurationName: store.configuration) ?? [] {
                let name = entity.name ?? ""
                if let owner = owners.updateValue(label, forKey: name) {
                    throw DatabaseError.duplicateStore(
                        store: label, reason: "The entity \(name) already belongs to the store \(owner).")
                }
            }
        }
    }
}
