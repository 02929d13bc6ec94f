import Dispatch
import Foundation

/// Which contexts the running thread is inside of: one frame for each `perform` or `performAndWait` on its stack.
///
/// A queue-specific value can't show that: a block that runs by `sync` sees only the queue it runs on, and not the ones
/// its caller is on.
final class QueueFrame: ThreadFrame {
    let owner: ObjectIdentifier
    unowned(unsafe) let context: NSManagedObjectContext?
    /// What the caller that waits for the block is inside of.
    let previous: QueueFrame?
    /// What the running thread is inside of besides, where it is another than the caller's: that waits, too.
    private let beneath: QueueFrame?

    private init(
        owner: AnyObject, context: NSManagedObjectContext?, previous: QueueFrame?, beneath: QueueFrame?,
        isOnMainQueue: Bool
    ) {
        self.owner = ObjectIdentifier(owner)
        self.context = context
        self.previous = previous
        self.beneath = beneath
        super.init(isOnMainQueue: isOnMainQueue)
    }

    override var isOfOtherQueue: Bool { context.map { $0.concurrencyType != .mainQueueConcurrencyType } ?? false }

    static var current: QueueFrame? {
        ThreadValue.pointer.map { Unmanaged<QueueFrame>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether this thread is inside of `owner`.
    static func isInside(_ owner: AnyObject) -> Bool {
        guard let word = ThreadValue.pointer else { return false }
        let identifier = ObjectIdentifier(owner)
        return Unmanaged<QueueFrame>.fromOpaque(word)._withUnsafeGuaranteedRef { frame in
            frame.owner == identifier || frame.reaches(identifier)
        }
    }

    private func reaches(_ owner: ObjectIdentifier) -> Bool {
        var frame: QueueFrame? = self
        while let found = frame {
            if found.owner == owner || found.beneath?.reaches(owner) == true { return true }
            frame = found.previous
        }
        return false
    }

    /// What a caller is inside of, recorded before it waits for another queue: once there, its own can't be determined
    /// any more, and the block may even run on another thread.
    struct Caller {
        let frame = QueueFrame.current
        let isOnMainQueue = MainQueue.isCurrent

        /// Whether others may have to wait for the caller.
        var isInsideOfAny: Bool { isOnMainQueue || frame != nil }

        /// Whether the caller has the turn of a queue.
        func isInside(_ queue: SerialQueue) -> Bool {
            queue.isMain ? isOnMainQueue : frame?.reaches(ObjectIdentifier(queue)) ?? false
        }
    }

    /// Runs a block as one that is inside of `owner`, and of all that a waiting caller is inside of.
    static func inside<T>(
        _ owner: AnyObject, context: NSManagedObjectContext?, for caller: Caller = Caller(), _ body: () throws -> T
    ) rethrows -> T {
        let previous = current
        let frame = QueueFrame(
            owner: owner, context: context, previous: caller.frame ?? previous,
            beneath: caller.frame === previous || caller.frame == nil ? nil : previous,
            isOnMainQueue: caller.isOnMainQueue || MainQueue.isCurrent)
        ThreadValue.pointer = Unmanaged.passUnretained(frame).toOpaque()
        defer {
            ThreadValue.pointer = previous.map { Unmanaged.passUnretained($0).toOpaque() }
        }
        return try withExtendedLifetime(frame) { try body() }
    }
}
