#if canImport(ObjectiveC)
package import CoreData

extension NSPersistentStoreCoordinator {
    /// The entities of the model.
    package var layout: ModelLayout { ModelLayout(managedObjectModel) }

    /// The stores that keep objects of an entity, in the order in which they were added.
    package func rowStores(for entity: EntityLayout) -> [NSPersistentStore] {
        persistentStores.filter { store in
            guard managedObjectModel.configurations.contains(store.configurationName) else { return true }
            let kept = managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []
            return kept.contains { $0.name == entity.name }
        }
    }
}

extension NSPersistentStoreDescription {
    /// Adds the store, at once or in the background, as the description asks.
    ///
    /// - Parameters:
    ///   - block: Called when it is added, with the error if there was one.
    ///   - add: Adds it.
    package func load(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void,
        _ add: @escaping (NSPersistentStoreDescription) throws -> Void
    ) {
        func run() {
            do {
                try add(self)
                block(self, nil)
            } catch {
                block(self, error)
            }
        }
        guard shouldAddStoreAsynchronously else { return run() }
        let work = SendableBox(run)
        DispatchQueue.global(qos: .userInitiated).async { work.value() }
    }
}

/// The files of a store.
package struct StoreFiles {
    private let url: URL
    private let type: String

    package init(url: URL, type: String) {
        self.url = url
        self.type = type
    }

    /// Deletes all files, the folder of the store's large values among them.
    ///
    /// - Parameters:
    ///   - isThere: Whether there is a file.
    ///   - removeFile: Deletes one of them.
    package func removeAll(where isThere: (URL) -> Bool, removeFile: (URL) throws -> Void) rethrows {
        var files = [url]
        if type == NSSQLiteStoreType {
            files += ["-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) }
            let name = url.deletingPathExtension().lastPathComponent
            files.append(url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT"))
        }
        // The file itself is the first: without it the others mean nothing.
        for file in files where isThere(file) { try removeFile(file) }
    }
}
#endif
