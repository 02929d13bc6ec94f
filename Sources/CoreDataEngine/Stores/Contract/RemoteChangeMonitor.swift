package import Dispatch
import Foundation
import Synchronization

/// A store that can report new transactions, regardless of which program committed them.
package protocol ChangeFeed: NSPersistentStore {
    /// The numbers of the transactions after one, in ascending order.
    func transactionNumbers(after number: Int64) throws -> [Int64]
}

/// What lets a monitor look for new transactions. It may do so more often than there are any.
package protocol ChangeWaker: Sendable {
    /// Ends it; `look` may be called one more time if it is already running.
    func cancel()
}

/// When a waker wants a monitor to look.
package enum ChangeWake: Sendable {
    /// A transaction of this process was committed.
    case committed
    /// The store was written. The changes may become readable a little later.
    case written
}

/// Posts `NSPersistentStoreRemoteChange` for the transactions that anybody commits to a store.
///
/// A waker notifies it when to look, which may be more often than there is something new; it only makes it look up
/// which transactions are new, so none is announced twice.
// @unchecked Sendable because `last` and `nextLook` are used on `queue` alone, and `store` and `waker` are set before
// anybody else has the monitor.
package final class RemoteChangeMonitor: @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange", qos: .utility)
    private weak var store: (any ChangeFeed)?
    private var last: Int64
    private var waker: (any ChangeWaker)?
    private var nextLook: DispatchWorkItem?
    private let isCheckWaiting = Atomic<Bool>(false)

    /// More new transactions than this at once are announced by the last of them alone.
    private static let mostNotifications = 32

    /// Starts to follow a store that is open.
    ///
    /// - Parameters:
    ///   - last: The last transaction that is known.
    ///   - makeWaker: Makes the waker, which may call the block from any thread.
    package init(
        _ store: any ChangeFeed, after last: Int64,
        makeWaker: (DispatchQueue, @escaping @Sendable (ChangeWake) -> Void) -> any ChangeWaker
    ) {
        self.store = store
        self.last = last
        waker = makeWaker(queue) { [weak self] wake in self?.wake(wake) }
    }

    /// Ends the watch; nothing is posted afterwards but what is being posted.
    package func cancel() { waker?.cancel() }

    private func wake(_ wake: ChangeWake) {
        switch wake {
        case .committed: check()
        case .written: queue.async { [weak self] in self?.checkRepeatedly() }
        }
    }

    /// Looks for new transactions soon.
    private func check() {
        guard !isCheckWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isCheckWaiting.store(false, ordering: .releasing)
            announce()
        }
    }

    /// Looks now, and a few times more: the event comes with a write to the log, and the transaction that was written
    /// can be read only after its process has synchronized the log.
    private func checkRepeatedly() {
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
