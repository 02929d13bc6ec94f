public import Foundation

/// The files of one implementation.
public struct StoreFolder: StoreSupply {
    public let url: URL
    private let name: String

    /// Makes the folder if it is not there.
    public init(url: URL, name: String) throws {
        self.url = url
        self.name = name
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    public var fullStore: URL { url.appendingPathComponent("\(name)-full.sqlite") }

    private var scratchStore: URL { url.appendingPathComponent("\(name)-scratch.sqlite") }

    public var hasFullStore: Bool { FileManager.default.fileExists(atPath: marker.path) }

    public func markFullStoreComplete() throws {
        try Data().write(to: marker)
    }

    public func emptyScratchStore() throws -> URL {
        try remove(scratchStore)
        return scratchStore
    }

    public func copiedScratchStore() throws -> URL {
        try remove(scratchStore)
        try FileManager.default.copyItem(at: fullStore, to: scratchStore)
        let handle = try FileHandle(forUpdating: scratchStore)
        try handle.synchronize()
        try handle.close()
        return scratchStore
    }

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
