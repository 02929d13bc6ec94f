import Foundation
import OpenCoreData

/// The store that an import fills.
struct ImportTarget {
    let session: StoreSession

    /// Opens the store at `path` for an import, or creates it.
    ///
    /// The objects are of a class that lets mandatory relationships wait until all objects are there. The class is named
    /// in a copy of the model that never reaches a file.
    init(path: String, modelPath: String?) throws {
        let url = URL(fileURLWithPath: path)
        let exists = FileManager.default.fileExists(atPath: path)
        if !exists, modelPath == nil {
            throw CommandFailure("There is no store at \(path); to create it, name its model with --model.")
        }
        let source = try ModelSource(storeURL: url, modelPath: modelPath)
        if !exists { try Self.create(url, source) }
        do {
            session = try StoreSession(
                url: url, source: source.replacingClasses(with: ImportedObject.self), access: .writing)
        } catch {
            if !exists { Self.remove(url) }
            throw error
        }
    }

    /// Removes the store's files.
    func remove() {
        // The files go in any case; a store that cannot be closed first is no worse for it.
        try? session.coordinator.remove(session.store)
        Self.remove(session.url)
    }

    /// Makes an empty store, which appears under its name when it is complete.
    private static func create(_ url: URL, _ source: ModelSource) throws {
        let name = ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).partial"
        let temporary = url.deletingLastPathComponent().appendingPathComponent(name)
        defer { remove(temporary) }
        let session = try StoreSession(url: temporary, source: source, access: .writing)
        try session.coordinator.remove(session.store)
        guard rename(temporary.path, url.path) == 0 else {
            throw CommandFailure("The store \(url.path) cannot be created: \(String(cString: strerror(errno))).")
        }
    }

    private static func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }
}
