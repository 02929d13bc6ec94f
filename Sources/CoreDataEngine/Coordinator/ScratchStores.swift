import Foundation
import Synchronization

/// SQLite stores at `/dev/null`, and named ones at `/dev/null/NAME`: they behave like files and are gone with the coordinator.
///
/// Behind each is a file in the folder for temporary files. Coordinators of the same process that add the same name have the
/// same store, which is gone with the last of them.
final class ScratchStores: Sendable {
    private let files = Mutex<[ObjectIdentifier: ScratchFile]>([:])
    /// The files of named stores; those that are gone are left out when another one comes.
    private static let named = Mutex<[String: [WeakReference<ScratchFile>]]>([:])

    /// The URL of the stores without a name.
    static let url = URL(fileURLWithPath: "/dev/null")

    /// Whether a URL is that of such a store.
    static func contain(_ url: URL) -> Bool {
        url.isFileURL && (url.path == Self.url.path || name(of: url) != nil)
    }

    private static func name(of url: URL) -> String? {
        let path = url.standardizedFileURL.path
        let name = path.dropFirst(Self.url.path.count + 1)
        return path.hasPrefix(Self.url.path + "/") && !name.isEmpty ? String(name) : nil
    }

    /// The file of the store at a URL: a new one, or that of a named store which is open.
    static func makeFile(for url: URL) throws -> ScratchFile {
        guard let name = name(of: url) else { return try ScratchFile() }
        if let file = openFile(at: url) { return file }
        let made = try ScratchFile()
        return named.withLock { named in
            // Another thread may have been quicker.
            if let other = named[name]?.compactMap(\.object).first { return other }
            named = named.filter { $0.value.contains { $0.object != nil } }
            named[name] = [WeakReference(made)]
            return made
        }
    }

    /// The file of a named store that some coordinator has open.
    static func openFile(at url: URL) -> ScratchFile? {
        guard let name = name(of: url) else { return nil }
        return named.withLock { $0[name] ?? [] }.compactMap(\.object).first
    }

    /// Where the file of a store really is, if that is a named store which some coordinator has open.
    static func fileURL(of url: URL) -> URL { openFile(at: url)?.url ?? url }

    /// Remembers where a store's file really is.
    func keep(_ store: NSPersistentStore, file: ScratchFile) {
        files.withLock { $0[ObjectIdentifier(store)] = file }
    }

    /// Removes the file of a closed store.
    func discard(_ store: NSPersistentStore) {
        // It is deleted outside of the lock.
        _ = files.withLock { $0.removeValue(forKey: ObjectIdentifier(store)) }
    }
}

/// The file of a store that is in memory to others, in a folder of its own, which goes with the last store on it.
final class ScratchFile: Sendable {
    let url: URL

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("CoreData-\(UUID().uuidString)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The folder \(folder.path) for a temporary store can't be created.",
                path: folder.path, underlying: error)
        }
        url = folder.appendingPathComponent("Scratch.sqlite")
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
