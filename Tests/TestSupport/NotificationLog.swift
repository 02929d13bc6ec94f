public import Foundation
public import OpenCoreData

/// The notifications that an object posts, in order, from the making of the log to its end.
// @unchecked Sendable because `entries` is only touched under `lock`.
public final class NotificationLog: @unchecked Sendable {
    /// One notification.
    public struct Entry {
        public let notification: Notification
        /// Whether it was posted on the main thread.
        public let isOnMainThread: Bool

        public var name: Notification.Name { notification.name }

        /// What is listed under a key of the user info.
        public func elements(_ key: String) -> [Any] {
            switch notification.userInfo?[key] {
            case let set as NSSet: set.allObjects
            case let set as Set<NSManagedObject>: Array(set)
            case let set as Set<NSManagedObjectID>: Array(set)
            case let array as [Any]: array
            default: []
            }
        }

        public func objects(_ key: String) -> Set<NSManagedObject> {
            Set(elements(key).compactMap { $0 as? NSManagedObject })
        }

        public func ids(_ key: String) -> Set<NSManagedObjectID> {
            Set(elements(key).compactMap { $0 as? NSManagedObjectID })
        }
    }

    private let lock = NSLock()
    private var noted: [Entry] = []
    private var observers: [any NSObjectProtocol] = []

    /// Starts listening.
    public init(_ object: AnyObject, _ names: [Notification.Name] = NotificationLog.contextNames) {
        for name in names {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] in
                    self?.note($0)
                })
        }
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    private func note(_ notification: Notification) {
        let entry = Entry(notification: notification, isOnMainThread: Thread.isMainThread)
        lock.withLock { noted.append(entry) }
    }

    /// What was posted so far.
    public var entries: [Entry] { lock.withLock { noted } }
    public var names: [Notification.Name] { entries.map(\.name) }

    public func entries(_ name: Notification.Name) -> [Entry] { entries.filter { $0.name == name } }

    public func clear() { lock.withLock { noted = [] } }

    /// What a context posts.
    public static let contextNames: [Notification.Name] = [
        .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
        .NSManagedObjectContextDidSaveObjectIDs, .NSManagedObjectContextDidMergeChangesObjectIDs,
    ]
}
