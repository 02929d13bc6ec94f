import Foundation
import Synchronization

/// SQLite stores at `/dev/null`: they behave like files and are gone with the coordinator.
///
/// Behind each is a file in the folder for temporary files.
final class ScratchStores: Sendable {
    private let folders = Mutex<[ObjectIdentifier: URL]>([:])

    /// The URL of these stores.
    static let url = URL(fileURLWithPath: "/dev/null")

    /// Makes a folder for the file of a store and returns the file's location.
    static func makeURL() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("CoreData-\(UUID().uuidString)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The folder \(folder.path) for a temporary store can't be made.",
                path: folder.path, underlying: error)
        }
        return folder.appendingPathComponent("Scratch.sqlite")
    }

    static func removeFolder(of url: URL) {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    /// Remembers where a store's file really is.
    func keep(_ store: NSPersistentStore, url: URL) {
        folders.withLock { $0[ObjectIdentifier(store)] = url }
    }

    /// Deletes the file of a store that was closed.
    func discard(_ store: NSPersistentStore) {
        guard let url = folders.withLock({ $0.removeValue(forKey: ObjectIdentifier(store)) }) else { return }
        Self.removeFolder(of: url)
    }
}
