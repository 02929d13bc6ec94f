package import Foundation
package import OpenCoreData

/// The store that an import or a copy fills: with all objects, or not at all.
package struct ImportTarget {
    package let url: URL
    private let address: StoreAddress
    private let source: ModelSource
    package let isNew: Bool
    private let objectClass: NSManagedObject.Type

    /// Looks at what is at `path`: a store, or the folder for a new one.
    ///
    /// The objects are of a class that lets mandatory relationships wait until all objects are there. The store keeps
    /// the classes of the application.
    ///
    /// - Parameters:
    ///   - path: The path of a file, or the URL of a database on a server.
    ///   - modelPath: A model; nil for the store's own, or for a new store the one that `input` contains.
    ///   - skipsValidation: Whether objects are imported that the model does not allow.
    package init(path: String, modelPath: String?, input: ImportInput? = nil, skipsValidation: Bool = false) throws {
        let (address, isNew) = try Self.address(of: path)
        let source: ModelSource
        if isNew, modelPath == nil {
            guard let input, let model = try input.containedModel() else {
                throw ToolFailure(
                    "There is no store at \(address.displayName), and the input contains no model; to create the store, name "
                        + "its model with --model.")
            }
            source = ModelSource(model: model, origin: .file(URL(fileURLWithPath: input.name)))
        } else {
            source = try ModelSource(storeURL: address.url, modelPath: modelPath)
        }
        self.init(
            address: address, isNew: isNew, source: source,
            objectClass: skipsValidation ? UnvalidatedObject.self : ImportedObject.self)
    }

    /// Looks at what is at `path`, for a store of a model that is known.
    package init(path: String, source: ModelSource) throws {
        let (address, isNew) = try Self.address(of: path)
        self.init(address: address, isNew: isNew, source: source, objectClass: NSManagedObject.self)
    }

    private init(address: StoreAddress, isNew: Bool, source: ModelSource, objectClass: NSManagedObject.Type) {
        url = address.url
        self.address = address
        self.isNew = isNew
        self.source = source
        self.objectClass = objectClass
    }

    private static func address(of path: String) throws -> (StoreAddress, isNew: Bool) {
        let isNew = try isFree(path)
        guard isNew, !StoreAddress.isServer(path) else { return (try StoreAddress(existing: path), isNew) }
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw ToolFailure("The store \(path) can't be created: its folder does not exist.")
        }
        return (try StoreAddress(path), isNew)
    }

    /// The name, for messages.
    package var name: String { address.name }

    /// The whole location, for messages.
    package var displayName: String { address.displayName }

    /// What became of the store when the import did not succeed, as a sentence.
    package var outcome: String { Self.outcome(at: url, isNew: isNew) }

    /// The same for an import that did not come as far as to have a target.
    package static func outcome(at url: URL, isNew: Bool, _ word: String = "imported") -> String {
        isNew
            ? "Nothing was \(word), and no store was created."
            : "Nothing was \(word); the store \(StoreAddress(url: url).name) is unchanged."
    }

    /// Runs a block that fills the store. If it throws, or the process is killed, everything is unchanged.
    ///
    /// - Parameters:
    ///   - model: The model of another session, to be shared with it; `nil` for its own.
    ///   - original: The store that is copied; the copy gets no more permissions than it has.
    package func fill<Result>(
        sharing model: NSManagedObjectModel? = nil, from original: URL? = nil, _ body: (StoreSession) throws -> Result
    ) throws -> Result {
        guard isNew else { return try fillOldStore(model, body) }
        return address.server == nil ? try fillNewStore(model, original, body) : try fillNewStoreOnServer(model, body)
    }

    /// In one transaction, during which no other process writes.
    private func fillOldStore<Result>(
        _ model: NSManagedObjectModel?, _ body: (StoreSession) throws -> Result
    ) throws -> Result {
        let session = try StoreSession(
            url: url, source: source, access: .writing, objectClass: objectClass, sharing: model)
        return try closing(session) { try session.savingTogether { try body(session) } }
    }

    /// The store is made first, with the classes of the application in the copy of its model; it has no objects until
    /// all are there.
    private func fillNewStoreOnServer<Result>(
        _ model: NSManagedObjectModel?, _ body: (StoreSession) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source.model)
        let made = try coordinator.addPersistentStore(
            ofType: address.type, configurationName: nil, at: url, options: [makesRemoteStoreOption: true])
        try coordinator.remove(made)
        do {
            return try fillOldStore(model, body)
        } catch {
            // What others have saved there in the meantime stays. What failed first counts.
            if (try? isEmpty()) == true { try? address.server?.destroyStore(at: url, options: nil) }
            throw error
        }
    }

    private func isEmpty() throws -> Bool {
        let session = try StoreSession(url: url, source: source, access: .reading)
        return try closing(session) { try StoreCopier.objectCount(session) == 0 }
    }

    /// In a file of its own, which gets the store's name when it is complete.
    private func fillNewStore<Result>(
        _ model: NSManagedObjectModel?, _ original: URL?, _ body: (StoreSession) throws -> Result
    ) throws -> Result {
        let exchange = try StoreExchange(at: url)
        defer { exchange.close() }
        do {
            let session = try StoreSession(
                url: exchange.draft, source: source, access: .writing, objectClass: objectClass, sharing: model,
                type: address.type)
            let result = try closing(session) {
                // A store that is written as a whole is written once.
                try address.isSQLite ? body(session) : session.savingTogether { try body(session) }
            }
            if address.isSQLite { try keepModel(in: exchange.draft) }
            let permissions = try original.flatMap { $0.isFileURL ? try FileFacts(path: $0.path)?.permissions : nil }
            guard try Self.isFree(url.path), try exchange.exchangeIfFree(permissions: permissions.map { $0 | 0o200 })
            else { throw ToolFailure("Another program created a store at \(url.path) in the meantime.") }
            return result
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw ToolFailure("The store \(url.path) cannot be written: the disk is full.")
        }
    }

    /// Gives the new store a copy of the model with the classes of the application, which it was not filled with.
    private func keepModel(in draft: URL) throws {
        let model = try source.model.encodedModelCache()
        do {
            let connection = try SQLiteConnection(path: draft.path, configuration: .init(access: .readWrite))
            defer { connection.close() }
            try connection.transaction { try StoreFile.setModelCache(model, in: connection) }
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .saving)
        }
    }

    private func closing<Result>(_ session: StoreSession, _ body: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try body()
        } catch {
            // What failed first counts.
            try? session.coordinator.remove(session.store)
            throw error
        }
        try session.coordinator.remove(session.store)
        return result
    }

    /// Whether nothing is at a path, nor a log that SQLite would take for that of a new store; of a URL, whether there
    /// is no store.
    package static func isFree(_ path: String) throws -> Bool {
        if StoreAddress.isServer(path) {
            do {
                _ = try StoreAddress(path).metadata()
                return false
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                return true
            }
        }
        do throws(SystemFailure) {
            guard try FileFacts(path: path) == nil else { return false }
            for suffix in ["-wal", "-journal"] {
                // An empty log, as stores leave it, holds nothing.
                if try FileFacts(path: path + suffix) != nil, LogState.byteCount(at: path + suffix) != 0 {
                    throw SystemFailure(number: EEXIST)
                }
            }
            return true
        } catch {
            guard error.number == EEXIST else {
                throw ToolFailure("The store \(path) can't be created: \(error).")
            }
            throw ToolFailure(
                "There is no store at \(path), but there is the log of one. "
                    + "Remove \(path)-wal and \(path)-journal first, or restore the store.")
        }
    }
}
