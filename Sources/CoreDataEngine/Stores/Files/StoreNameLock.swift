import Foundation

/// The lock of the name of a store's file, for creating or replacing the file.
///
/// The lock is on `.<name>.lock` beside the file, and is removed with it: the file itself may not exist, or be another
/// one after each save.
enum StoreNameLock {
    /// How long to wait for the lock unless the store's options say otherwise, in seconds.
    private static let timeout: TimeInterval = 10

    /// How long the options of a store say that others are waited for who make, migrate or replace it, in seconds.
    static func patience(_ options: [AnyHashable: Any]?) -> TimeInterval {
        let asked = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 0
        return asked > 0 ? asked : timeout
    }

    /// Takes the lock; release it with its file.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - options: The store's: `NSPersistentStoreTimeoutOption` says how long to wait.
    /// - Throws: `NSPersistentStoreTimeoutError` when others have it for that long, or what making the file gave.
    static func take(_ url: URL, options: [AnyHashable: Any]?) throws -> FileLock {
        let file = url.realFile
        let beside = file.deletingLastPathComponent().appendingPathComponent(DurableFile.hiddenName(of: file) + ".lock")
        do {
            return try FileLock(beside, timeout: patience(options))
        } catch let error as CocoaError where error.code == .fileLocking {
            throw CoreDataError.make(
                NSPersistentStoreTimeoutError,
                "The store \(url.lastPathComponent) is being written by another process, which doesn't finish. Nothing "
                    + "was changed.", path: url.path, underlying: error)
        } catch {
            throw CoreDataError.writing("The store \(url.path) can't be written.", path: url.path, cause: error)
        }
    }
}
