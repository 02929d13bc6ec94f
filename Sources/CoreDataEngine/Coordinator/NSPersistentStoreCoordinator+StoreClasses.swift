package import Foundation
import Synchronization

/// The store classes of the process by type.
// @unchecked Sendable because class objects are immutable.
private struct StoreClassEntry: @unchecked Sendable {
    let storeClass: AnyClass
}

private let storeClasses = Mutex<[String: StoreClassEntry]>(
    BuiltInStores.classes.mapValues { StoreClassEntry(storeClass: $0) })

extension NSPersistentStoreCoordinator {
    /// What `registeredStoreTypes` says.
    static var storeClassesByType: [String: NSValue] {
        storeClasses.withLock { entries in
            entries.mapValues { entry in
                var identifier = UInt(bitPattern: ObjectIdentifier(entry.storeClass))
                return NSValue(bytes: &identifier, objCType: "Q")
            }
        }
    }

    /// What `registerStoreClass(_:forStoreType:)` does.
    static func setStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        storeClasses.withLock { $0[storeType] = storeClass.map { StoreClassEntry(storeClass: $0) } }
    }

    /// Registers a store class for a type, so that coordinators can add stores of it.
    ///
    /// A class that was registered for the type before is replaced; stores that are open keep their class. May be
    /// called on any thread.
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of `NSPersistentStore`; `nil` removes the type.
    ///   - type: The type.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }

    /// The class of a type's stores.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` when the type is not known.
    class func storeClass(ofType type: String, at url: URL?) throws -> NSPersistentStore.Type {
        guard let entry = storeClasses.withLock({ $0[type] }) else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no store type '\(type)'.", path: url?.path)
        }
        guard let storeClass = entry.storeClass as? NSPersistentStore.Type else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError,
                "The store type '\(type)' is registered with \(entry.storeClass), which isn't a subclass of NSPersistentStore.",
                path: url?.path)
        }
        return storeClass
    }

    /// The class of the stores that are at such a URL; nil for files, and for URLs that no class knows.
    package class func remoteStoreClass(for url: URL) -> (any RemoteStore.Type)? {
        guard !url.isFileURL else { return nil }
        return storeClasses.withLock { entries in
            entries.values.lazy.compactMap { $0.storeClass as? any RemoteStore.Type }.first { $0.handles(url) }
        }
    }

    /// The type that a class is registered with.
    package class func typeOfStores(_ storeClass: AnyClass) -> String? {
        storeClasses.withLock { entries in entries.first { $0.value.storeClass == storeClass }?.key }
    }

    /// The type that a file looks like, for calls without a type.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` when the beginning of the file says nothing.
    package class func storeType(ofFileAt url: URL) throws -> String {
        if let remote = remoteStoreClass(for: url), let type = typeOfStores(remote) { return type }
        try RegularFile.require(at: url)
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError, "The store \(url.path) can't be read.", path: url.path, underlying: error)
        }
        defer { try? handle.close() }
        let start = (try? handle.read(upToCount: 16)) ?? Data()
        if start.isEmpty || start.starts(with: Data("SQLite format 3".utf8)) { return NSSQLiteStoreType }
        if start.starts(with: Data("<?xml".utf8)) { return NSXMLStoreType }
        if start.starts(with: Data("CoreData".utf8)) { return NSBinaryStoreType }
        throw CoreDataError.make(
            NSPersistentStoreInvalidTypeError, "The file \(url.path) isn't a store of a known type.", path: url.path)
    }
}
