import Dispatch
import Foundation
import Synchronization

/// Posts `NSPersistentStoreRemoteChange` for the transactions that anybody writes to the file of a store.
///
/// It learns of a write from the process's own stores on the file, at once, and from file events for other processes.
/// Either only makes it look up which transactions are new, so none is announced twice.
// @unchecked Sendable because `last` and `nextLook` are used on `queue` alone, and `store` and `watch` are set before
// anybody else has the monitor.
final class RemoteChangeMonitor: @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange", qos: .utility)
    private let path: String
    private weak var store: SQLiteStore?
    private var last: Int64
    private var watch: StoreFileWatch?
    private var nextLook: DispatchWorkItem?
    private let isCheckWaiting = Atomic<Bool>(false)

    /// More new transactions than this at once are announced by the last of them alone.
    private static let mostNotifications = 32

    /// Starts to follow a store that is open.
    init(_ store: SQLiteStore, file: URL, after last: Int64) {
        self.store = store
        self.last = last
        path = RemoteChangeHub.key(file)
        RemoteChangeHub.add(self, path: path)
        watch = StoreFileWatch(file, queue: queue) { [weak self] in self?.fileDidChange() }
    }

    /// Ends the watch; nothing is posted afterwards but what is being posted.
    func cancel() {
        RemoteChangeHub.remove(self, path: path)
        watch?.cancel()
    }

    /// Looks for new transactions soon.
    func check() {
        guard !isCheckWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isCheckWaiting.store(false, ordering: .releasing)
            announce()
        }
    }

    /// Looks now, and a few times more: the event comes with a write to the log, and the transaction that was written can
    /// be read only after its process has synchronised the log.
    private func fileDidChange() {
        announce()
        lookAgain(after: Self.delays[...])
    }

    private static let delays: [DispatchTimeInterval] = [.milliseconds(20), .milliseconds(200), .seconds(2)]

    private func lookAgain(after delays: ArraySlice<DispatchTimeInterval>) {
        nextLook?.cancel()
        guard let delay = delays.first else { return }
        let look = DispatchWorkItem { [weak self] in
            self?.announce()
            self?.lookAgain(after: delays.dropFirst())
        }
        nextLook = look
        queue.asyncAfter(deadline: .now() + delay, execute: look)
    }

    private func announce() {
        guard let store, let coordinator = store.persistentStoreCoordinator, let identifier = store.identifier,
            var numbers = try? store.transactionNumbers(after: last), let newest = numbers.last
        else { return }
        last = newest
        if numbers.count > Self.mostNotifications { numbers = [newest] }
        for number in numbers {
            var info: [AnyHashable: Any] = [
                NSStoreUUIDKey: identifier, NSPersistentHistoryTokenKey: NSPersistentHistoryToken([identifier: number]),
            ]
            info[NSPersistentStoreURLKey] = store.url
            NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
        }
    }
}
