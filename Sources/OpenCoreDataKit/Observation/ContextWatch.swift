import CoreDataPlatform
package import Foundation
import Synchronization

/// Observes the notifications of one context for all its observers, until the context is released.
///
/// A context keeps its watch, so that the watch ends with it; observers at the notification center would keep the
/// context. To be used on the context's queue, where the handlers are called too.
package final class ContextWatch: NSObject {
    /// What a context announces.
    package enum Event {
        /// Objects changed: the context posted objects-did-change, which a save, a merge or a refresh does too.
        case changed(Changes)
        /// The context saved.
        case saved(Changes)
        /// The context was reset, and its former objects don't belong to it any longer.
        case reset
        /// The context has taken over what others wrote to the file. Its objects are fresh, and results should be
        /// fetched again.
        case renewed
    }

    /// The objects of a notification.
    package struct Changes {
        package var inserted: Set<NSManagedObject>
        package var updated: Set<NSManagedObject>
        package var deleted: Set<NSManagedObject>
        package var refreshed: Set<NSManagedObject>

        init(_ info: [AnyHashable: Any]) {
            func objects(_ key: String) -> Set<NSManagedObject> { info[key] as? Set<NSManagedObject> ?? [] }
            inserted = objects(NSInsertedObjectsKey)
            updated = objects(NSUpdatedObjectsKey)
            deleted = objects(NSDeletedObjectsKey)
            refreshed = objects(NSRefreshedObjectsKey)
        }
    }

    /// Ends hearing when it is cancelled or released.
    package final class Token: Sendable {
        private let flag: Flag

        fileprivate init(_ flag: Flag) { self.flag = flag }

        deinit { cancel() }

        /// Ends hearing. May be called anywhere, any number of times.
        package func cancel() { flag.isOver.store(true, ordering: .relaxed) }
    }

    fileprivate final class Flag: Sendable {
        let isOver = Atomic(false)
    }

    private struct Watcher {
        let flag: Flag
        let handle: (Event) -> Void
        let end: () -> Void
    }

    private var watchers: [Watcher] = []
    private var observers: [NoticeObserver] = []

    /// The watch of a context.
    package static func of(_ context: NSManagedObjectContext) -> ContextWatch {
        let key = "OpenCoreDataKit.ContextWatch" as NSString
        if let known = context.userInfo[key] as? ContextWatch { return known }
        let watch = ContextWatch(context)
        context.userInfo[key] = watch
        return watch
    }

    private init(_ context: NSManagedObjectContext) {
        super.init()
        observe(context, .NSManagedObjectContextObjectsDidChange) { info in
            info[NSInvalidatedAllObjectsKey] != nil ? .reset : .changed(Changes(info))
        }
        observe(context, .NSManagedObjectContextDidSave) { .saved(Changes($0)) }
        observe(context, .databaseDidRefresh) { _ in .renewed }
    }

    deinit {
        for watcher in watchers where !watcher.flag.isOver.load(ordering: .relaxed) { watcher.end() }
    }

    private func observe(
        _ context: NSManagedObjectContext, _ name: Notification.Name,
        _ event: @escaping ([AnyHashable: Any]) -> Event
    ) {
        let identity = ObjectIdentifier(context)
        // Both are used only while the context posts, on its queue.
        nonisolated(unsafe) let makeEvent = event
        nonisolated(unsafe) weak let watch = self
        let observer = NoticeObserver(name, of: nil) { notification in
            guard let sender = notification.object as? NSManagedObjectContext, ObjectIdentifier(sender) == identity,
                let watch
            else { return }
            watch.notify(makeEvent(notification.userInfo ?? [:]))
        }
        observers.append(observer)
    }

    /// Observes events from now on.
    ///
    /// - Parameters:
    ///   - handle: Called for each event.
    ///   - end: Called when the context is released, on any thread.
    /// - Returns: A token that ends the observation when it is released.
    package func add(_ handle: @escaping (Event) -> Void, end: @escaping () -> Void = {}) -> Token {
        let flag = Flag()
        watchers.removeAll { $0.flag.isOver.load(ordering: .relaxed) }
        watchers.append(Watcher(flag: flag, handle: handle, end: end))
        return Token(flag)
    }

    /// Whether there is no listener.
    package var isIdle: Bool { watchers.allSatisfy { $0.flag.isOver.load(ordering: .relaxed) } }

    private func notify(_ event: Event) {
        watchers.removeAll { $0.flag.isOver.load(ordering: .relaxed) }
        for watcher in watchers where !watcher.flag.isOver.load(ordering: .relaxed) { watcher.handle(event) }
    }
}
