public import Foundation

/// The files of one implementation: the store that holds everything, and the file that a run may change.
public struct StoreFolder: Sendable {
    public let url: URL
    private let name: String

    /// Makes the folder if it is not there.
    public init(url: URL, name: String) throws {
        self.url = url
        self.name = name
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The store that holds everything.
    public var fullStore: URL { url.appendingPathComponent("\(name)-full.sqlite") }

    /// The store of one run of an operation that changes it.
    public var scratchStore: URL { url.appendingPathComponent("\(name)-scratch.sqlite") }

    /// Whether a store that holds everything has been made, completely.
    public var hasFullStore: Bool { FileManager.default.fileExists(atPath: marker.path) }

    /// Notes that the store that holds everything is complete.
    public func markFullStoreComplete() throws {
        try Data().write(to: marker)
    }

    /// Removes what a former run left, and answers where an empty store goes.
    public func emptyScratchStore() throws -> URL {
        try remove(scratchStore)
        return scratchStore
    }

    /// A fresh copy of the store that holds everything. It is on disk when this returns, so that writing it does
    /// not disturb a timer.
    public func copiedScratchStore() throws -> URL {
        try remove(scratchStore)
        try FileManager.default.copyItem(at: fullStore, to: scratchStore)
        let handle = try FileHandle(forUpdating: scratchStore)
        try handle.synchronize()
        try handle.close()
        return scratchStore
    }

    /// Removes a store that was not completed.
    public func removeFullStore() throws {
        try remove(fullStore)
    }

    private var marker: URL { url.appendingPathComponent("\(name)-full.complete") }

    private func remove(_ store: URL) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.removeItem(atPath: store.path + suffix)
        }
    }
}
