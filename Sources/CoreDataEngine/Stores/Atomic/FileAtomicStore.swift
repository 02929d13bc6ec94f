import Foundation

/// An atomic store of the engine's own: one file, read whole when the store is added and replaced whole by each save.
///
/// The file is never changed in place: a new one is written beside it, flushed, and renamed.
// @unchecked Sendable because `lastNumber`, `lastObjects` and `defersWriting` are used under `numbers` only.
class FileAtomicStore: NSAtomicStore, @unchecked Sendable {
    private let numbers = NSRecursiveLock()
    private var lastNumber: Int64 = 0
    /// The hash of the objects in the file as this store knows it; another one means that someone else saved.
    private var lastObjects: Data?
    private var defersWriting = false

    /// The layout of the file.
    class var format: any AtomicFileFormat.Type { fatalError("A file store must say which format its file has.") }

    private final var format: any AtomicFileFormat.Type { Swift.type(of: self).format }

    override var type: String { format.storeType }
    override var keepsNodes: Bool { false }

    // MARK: Metadata

    override func loadMetadata() throws {
        guard let url else { throw Self.withoutPlace }
        guard FileManager.default.fileExists(atPath: url.path) else {
            metadata = newMetadata()
            return
        }
        metadata = try Self.metadataForPersistentStore(with: url)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let data = try read(url)
        return try naming(url) {
            var metadata = try format.metadata(of: data)
            metadata[NSStoreTypeKey] = format.storeType
            return metadata
        }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        let data = try read(url)
        try naming(url) {
            try write(try format.data(data, replacingMetadata: metadata ?? [:]), to: url)
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
        guard let url else { throw Self.withoutPlace }
        guard let layout = persistentStoreCoordinator?.layout else { return }
        try Self.naming(url) { try format.check(layout.entities) }
        guard FileManager.default.fileExists(atPath: url.path) else {
            guard !isReadOnly else {
                throw CoreDataError.make(
                    NSFileReadNoSuchFileError, "The store \(url.path) does not exist and may not be made.",
                    path: url.path)
            }
            numbers.withLock { lastNumber = format.firstNumber }
            try save()
            return
        }
        let data = try Self.read(url)
        let (content, objects) = try Self.naming(url) {
            (try format.content(of: data, layout: layout), SHA256.hash(try format.objects(in: data)))
        }
        numbers.withLock {
            lastNumber = content.lastNumber
            lastObjects = objects
        }
        withState { $0.contents = content.contents }
    }

    override func save() throws {
        try numbers.withLock {
            guard !defersWriting else { return }
            guard let url else { throw Self.withoutPlace }
            try refuseForeignChanges(at: url)
            let contents = withState { $0.nextContents ?? $0.contents }
            let data = try Self.naming(url) {
                try format.data(
                    of: AtomicFileContent(metadata: metadata ?? [:], lastNumber: lastNumber, contents: contents))
            }
            try Self.write(data, to: url)
            lastObjects = SHA256.hash(try format.objects(in: data))
        }
    }

    /// Two stores on one file would undo each other's saves without a word.
    private func refuseForeignChanges(at url: URL) throws {
        guard let lastObjects, let data = try? Data(contentsOf: url), let objects = try? format.objects(in: data),
            SHA256.hash(objects) != lastObjects
        else { return }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store \(url.lastPathComponent) was saved by someone else since it was added, and is not overwritten. "
                + "Add it again to see what it holds now.", path: url.path,
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

    private static func read(_ url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw CoreDataError.make(
                isThere ? NSFileReadUnknownError : NSFileReadNoSuchFileError,
                "The store \(url.path) can't be read.", path: url.path, underlying: error)
        }
    }

    private static func write(_ data: Data, to url: URL) throws {
        do {
            try DurableFile.write(data, to: url)
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be written.", path: url.path, cause: error)
        }
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

    private static var withoutPlace: CocoaError {
        CoreDataError.make(NSPersistentStoreOpenError, "A store in a file needs a URL.")
    }

    // MARK: Numbers

    /// Numbers are unique in the file, whatever the entity.
    override func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        numbers.withLock {
            defer { lastNumber += Int64(count) }
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
