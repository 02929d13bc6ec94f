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

/// What a child process wrote before it was stopped.
func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
