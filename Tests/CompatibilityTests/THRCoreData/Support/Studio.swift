import THRCoreData
import TestSupport
import Testing

/// Where the tests' objects are kept.
enum StoreKind: CaseIterable, Sendable {
    case sqlite, binary, inMemory

    /// A database and memory.
    static let usual: [StoreKind] = [.sqlite, .inMemory]
}

/// A manager of the music model in a folder of its own, in which its bundle is, too.
final class Studio: Sendable {
    let folder: TemporaryFolder
    let manager: CoreDataManager

    init(_ kind: StoreKind = .sqlite, in folder: TemporaryFolder? = nil, isOld: Bool = false) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        manager = CoreDataManager(
            modelName: MusicModel.name, storeType: Studio.storeType(kind, folder),
            bundle: try Studio.bundle(in: folder, isOld: isOld))
    }

    static func storeType(_ kind: StoreKind, _ folder: TemporaryFolder) -> StoreType {
        switch kind {
        case .sqlite: .sqlite(folder.file("Data"))
        case .binary: .binary(folder.file("Data"))
        case .inMemory: .inMemory
        }
    }

    /// The bundle of an application, with the model.
    static func bundle(in folder: TemporaryFolder, isOld: Bool = false) throws -> Bundle {
        let url = folder.file(isOld ? "Old.resources" : "App.resources")
        if !FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try MusicModel.write(to: url.appendingPathComponent("\(MusicModel.name).momd"), isOld: isOld)
        }
        return try #require(Bundle(url: url))
    }

    @MainActor var main: NSManagedObjectContext { manager.mainContext }
    var background: NSManagedObjectContext { manager.backgroundContext }

    /// Lets go of the file at once; the manager can't be used any more.
    func close() throws {
        guard let coordinator = background.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Saves, and waits until that is done and merged.
    @discardableResult
    func save(_ context: NSManagedObjectContext) async throws -> SaveOutcome {
        try await withCheckedThrowingContinuation { continuation in
            manager.save(context: context) { continuation.resume(with: $0) }
        }
    }

    /// Inserts songs with these keys in the main context, whose titles and ranks go with them, and saves.
    @MainActor func fill(_ keys: [String]) async throws {
        for (rank, key) in keys.enumerated() {
            Song.insertObject(withUniqueKeyValue: key, inContext: main) { song in
                song.title = "The song \(key)"
                song.rank = Int32(rank)
            }
        }
        try await save(main)
    }
}

/// What several threads note.
// @unchecked Sendable because `noted` is only touched under `lock`.
final class Noted<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [Element] = []

    func note(_ element: Element) { lock.withLock { noted.append(element) } }
    var all: [Element] { lock.withLock { noted } }
}

/// A promise that something happens.
// @unchecked Sendable because everything is only touched under `lock`.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isRaised = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var isSet: Bool { lock.withLock { isRaised } }

    func set() {
        let waiters = lock.withLock {
            isRaised = true
            defer { waiting = [] }
            return waiting
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = lock.withLock {
                if !self.isRaised { waiting.append(continuation) }
                return self.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}

/// What a child process wrote before it was stopped.
func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
