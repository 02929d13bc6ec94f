import Foundation

/// An atomic store of the engine's own: one file, read whole when the store is added and replaced whole by each save.
///
/// The file is never changed in place: a new one is written beside it, flushed, and renamed. Several stores, in one
/// process or in many, may be on one file: a save that would undo another's is refused, and has then written nothing.
// @unchecked Sendable because `lastNumber`, `known`, `hasSweptDrafts` and `defersWriting` are used under `numbers` only.
class FileAtomicStore: NSAtomicStore, @unchecked Sendable {
    private let numbers = NSRecursiveLock()
    private var lastNumber: Int64 = 0
    /// The file as this store knows it; another one means that someone else saved.
    private var known: KnownFile?
    private var hasSweptDrafts = false
    private var defersWriting = false

    /// The layout of the file.
    class var format: any AtomicFileFormat.Type { fatalError("A file store must say which format its file has.") }

    private final var format: any AtomicFileFormat.Type { Swift.type(of: self).format }

    override var type: String { format.storeType }
    override var keepsNodes: Bool { false }

    // MARK: Metadata

    override func loadMetadata() throws {
        guard let url else { throw Self.withoutURL }
        try RegularFile.requireFileURL(url)
        guard AtomicFile(url).exists else {
            metadata = newMetadata()
            return
        }
        metadata = try Self.metadataForPersistentStore(with: url)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let data = try AtomicFile(url).read()
        return try naming(url) {
            var metadata = try format.metadata(of: data)
            metadata[NSStoreTypeKey] = format.storeType
            return metadata
        }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        let file = AtomicFile(url)
        // A file that doesn't exist has no lock.
        _ = try file.read()
        try file.whileLocked(nil) {
            let data = try file.read()
            try file.write(try naming(url) { try format.data(data, replacingMetadata: metadata ?? [:]) })
        }
    }

    private func newMetadata() -> [String: Any] {
        guard let model = persistentStoreCoordinator?.managedObjectModel else { return [:] }
        var metadata = StoreFile.newMetadata(
            model: model, entities: model.entities(forConfigurationName: configurationName) ?? [])
        metadata[NSStoreTypeKey] = type
        metadata[NSStoreUUIDKey] = identifier
        metadata["_NSAutoVacuumLevel"] = nil
        return metadata
    }

    // MARK: Reading and writing

    override func load() throws {
        guard let url else { throw Self.withoutURL }
        guard let layout = persistentStoreCoordinator?.layout else { return }
        try Self.naming(url) { try format.check(layout.entities) }
        let file = AtomicFile(url)
        guard try file.exists || !create(file) else { return }
        let data = try file.read()
        let content = try Self.naming(url) { try format.content(of: data, layout: layout) }
        // The file may be another one than when the metadata were read.
        metadata = content.metadata.merging([NSStoreTypeKey: type]) { $1 }
        try numbers.withLock {
            lastNumber = content.lastNumber
            known = try KnownFile(data, format)
        }
        withState { $0.contents = content.contents }
    }

    /// Makes the file of a new store, unless someone else has done so by now.
    ///
    /// - Returns: Whether it was made.
    private func create(_ file: AtomicFile) throws -> Bool {
        guard !isReadOnly else {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError,
                "The store \(file.url.path) does not exist and can't be created, because it is opened read-only.",
                path: file.url.path)
        }
        return try file.whileLocked(options) {
            guard !file.exists else { return false }
            try numbers.withLock {
                lastNumber = format.firstNumber
                try write(to: file)
            }
            return true
        }
    }

    override func save() throws {
        try numbers.withLock {
            guard !defersWriting else { return }
            guard let url else { throw Self.withoutURL }
            let file = AtomicFile(url)
            try file.whileLocked(options) {
                try adoptForeignChanges(in: file)
                try write(to: file)
            }
        }
    }

    /// Writes what there is now, under the file's lock and that of `numbers`.
    private func write(to file: AtomicFile) throws {
        if !hasSweptDrafts {
            file.removeDrafts()
            hasSweptDrafts = true
        }
        let contents = withState { $0.nextContents ?? $0.contents }
        let data = try Self.naming(file.url) {
            try format.data(
                of: AtomicFileContent(metadata: metadata ?? [:], lastNumber: lastNumber, contents: contents))
        }
        let written = try KnownFile(data, format)
        try file.write(data)
        known = written
    }

    /// Refuses to undo what someone else has saved since. Metadata that someone else has set stay, unless this store's
    /// were set too, which are the later ones then.
    private func adoptForeignChanges(in file: AtomicFile) throws {
        guard let known, file.exists else { return }
        let data = try file.read()
        guard !known.isWhole(data) else { return }
        guard known.hasObjects(of: data, format), let found = try? format.metadata(of: data),
            let versions = Self.versions(merging: found, metadata ?? [:])
        else { throw foreignChange(file.url) }
        guard withState({ !$0.needsSave }) else { return }
        metadata = found.merging(versions) { $1 }
        withState { $0.needsSave = false }
    }

    /// What the metadata say of the store itself and of its model; `nil` when it is another store, or of another model now.
    private static func versions(merging found: [String: Any], _ own: [String: Any]) -> [String: Any]? {
        guard found[NSStoreUUIDKey] as? String == own[NSStoreUUIDKey] as? String else { return nil }
        if let hashes = found[NSStoreModelVersionHashesKey] as? [String: Data],
            let ownHashes = own[NSStoreModelVersionHashesKey] as? [String: Data], hashes != ownHashes
        {
            return nil
        }
        return own.filter { NSPersistentStoreCoordinator.lastingKeys.contains($0.key) }
    }

    private func foreignChange(_ url: URL) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store \(url.lastPathComponent) was saved by another coordinator or process since it was added, so it isn't overwritten. "
                + "Add it again to read its current objects.", path: url.path,
            userInfo: [NSAffectedStoresErrorKey: [self]])
    }

    /// Runs a block whose saves reach the file together, at its end.
    final func writingOnce(_ body: () throws -> Void) throws {
        numbers.withLock { defersWriting = true }
        do {
            try body()
        } catch {
            numbers.withLock { defersWriting = false }
            throw error
        }
        numbers.withLock { defersWriting = false }
        try saveMetadata()
    }

    /// Adds the file to errors about its bytes.
    private static func naming<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] == nil {
            throw CoreDataError.make(
                error.code.rawValue, "The store \(url.lastPathComponent): \(error.localizedDescription)",
                path: url.path, underlying: error)
        }
    }

    private static var withoutURL: CocoaError {
        CoreDataError.make(NSPersistentStoreOpenError, "A store in a file needs a URL.")
    }

    // MARK: Numbers

    /// Numbers are unique in the file, whatever the entity.
    override func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        try numbers.withLock {
            let wanted = Int64(max(count, 0))
            guard wanted < Int64.max - lastNumber else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The store \(shortName) has no numbers left for \(count) new objects: its highest is \(lastNumber). Such "
                        + "a number is damage in the file.", path: url?.path,
                    userInfo: [NSAffectedStoresErrorKey: [self]])
            }
            defer { lastNumber += wanted }
            return lastNumber + 1
        }
    }

    override func references(for objects: [NSManagedObject]) throws -> [Int64] {
        guard let root = objects.first?.layout.root else { return [] }
        let first = try allocateReferences(count: objects.count, root: root)
        return objects.indices.map { first + Int64($0) }
    }

    override func uriComponent(for id: NSManagedObjectID) -> String? { "p\(id.reference)" }

    override func reference(forURIComponent component: String, entity: EntityLayout) -> Int64? {
        guard component.hasPrefix("p"), let number = Int64(component.dropFirst()), number > 0 else { return nil }
        return number
    }

    override func referenceObject(for objectID: NSManagedObjectID) -> Any { NSNumber(value: objectID.reference) }

    override func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        guard let number = SlotLayout.integer(from: data), number > 0,
            let layout = persistentStoreCoordinator?.layout[entity.name ?? ""]
        else { return super.objectID(for: entity, withReferenceObject: data) }
        return NSManagedObjectID(layout: layout, reference: number, store: self)
    }

    // MARK: Nodes

    override func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
        guard let layout = persistentStoreCoordinator?.layout else { return [] }
        return RowNodes(contents: withState { $0.contents }, store: self, layout: layout).all
    }

    override func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        cacheNodes().first { $0.objectID == objectID }
    }
}
