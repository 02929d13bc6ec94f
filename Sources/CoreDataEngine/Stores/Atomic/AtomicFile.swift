import Foundation

/// The file of an atomic store as the engine reads and replaces it.
///
/// Who replaces it has the lock of `.<name>.lock` beside it from the moment when he looks at what is there to the rename:
/// the file itself is another one after each save, so it has no lock that lasts. Readers need none, as there is always
/// one whole file under the name.
struct AtomicFile {
    let url: URL
    /// Where the file really is: a rename would replace a symbolic link.
    private let resolvedURL: URL

    init(_ url: URL) {
        self.url = url
        resolvedURL = url.realFile
    }

    var exists: Bool { FileManager.default.fileExists(atPath: resolvedURL.path) }

    /// All bytes.
    ///
    /// - Throws: `CocoaError` that names the file.
    func read() throws -> Data {
        try RegularFile.require(at: url)
        do {
            return try WholeFile.read(resolvedURL)
        } catch {
            throw CoreDataError.reading("The store \(url.path) can't be read", path: url.path, cause: error)
        }
    }

    /// Replaces the file, with the lock.
    ///
    /// - Throws: `CocoaError` that names the file, which is then as it was.
    func write(_ data: Data) throws {
        do {
            try DurableFile.write(data, to: resolvedURL)
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be written.", path: url.path, cause: error)
        }
    }

    /// Removes what writers who died have left, with the lock.
    func removeDrafts() { DurableFile.removeDrafts(of: resolvedURL) }

    /// Runs `body` while no other process replaces the file.
    func whileLocked<Result>(_ options: [AnyHashable: Any]?, _ body: () throws -> Result) throws -> Result {
        let lock = try lock(options)
        defer { lock.release(removingFile: true) }
        return try body()
    }

    /// Takes the lock; release it with its file.
    ///
    /// - Parameter options: The store's: `NSPersistentStoreTimeoutOption` says how long to wait.
    /// - Throws: `NSPersistentStoreTimeoutError` when others have it for that long, or what making the file gave.
    func lock(_ options: [AnyHashable: Any]?) throws -> FileLock {
        try StoreNameLock.take(url, options: options)
    }
}
