import Foundation
import Logging
import Synchronization

/// What happens to uses of a context off its queue.
///
/// They are logged, each location once. Where `OPENCOREDATA_CONCURRENCY_DEBUG` or Apple's launch argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` asks for it, the first one stops the program, and reads of values that are
/// in memory are checked as well: objects are made with the state `confined`, which no accessor passes quickly.
/// `OPENCOREDATA_CONCURRENCY_DEBUG=0` switches checking off.
enum ConcurrencyDebug {
    /// Whether misuse stops the program. Then the calls that are too frequent for the log are checked as well.
    static let stops = (LaunchSettings.current.level(.concurrencyDebug) ?? 0) > 0
    /// Whether misuse is noticed at all.
    static let isEnabled = LaunchSettings.current.level(.concurrencyDebug) != 0

    private struct Noted: Sendable {
        /// How the program came where it used a context wrongly.
        var stacks: Set<[UInt]> = []
        /// The locations that were logged.
        var locations: Set<String> = []
    }

    private static let mostLocations = 200
    private static let mostStacks = 10_000
    private static let noted = Mutex(Noted())
    private static let write = DiagnosticLog.writer("OpenCoreData.Concurrency", level: .error)

    /// Logs a sentence unless one was logged for the location already. Finding the location takes up to half a
    /// second in a large program with debug information.
    ///
    /// - Parameter sentence: Makes what says it, given the location, on the caller's thread.
    @inline(never)
    static func record(_ sentence: () -> (String?) -> String) {
        let addresses = Thread.callStackReturnAddresses.prefix(16).map(\.uintValue)
        let isNew = noted.withLock { noted in
            noted.locations.count < mostLocations && noted.stacks.count < mostStacks
                && noted.stacks.insert(addresses).inserted
        }
        guard isNew else { return }
        let location = CallSite.current(behindAccessorOf: nil).location
        // Without a name, how the program came here is the location.
        let key = location ?? addresses.description
        if noted.withLock({ $0.locations.insert(key).inserted }) { write(sentence()(location)) }
    }
}

extension NSManagedObjectContext {
    /// Notes, or stops, when the caller is not on the context's queue.
    @inline(__always)
    final func checkQueue(_ subject: @autoclosure () -> String = "the context") {
        if contextQueue.isChecked, !isOnQueue { foundOnWrongQueue(subject) }
    }

    /// The same where calls are so frequent that only a program that is to be stopped checks them.
    @inline(__always)
    final func checkQueueClosely(_ subject: @autoclosure () -> String = "the context") {
        if contextQueue.stopsMisuse, !isOnQueue { foundOnWrongQueue(subject) }
    }

    @inline(never)
    private func foundOnWrongQueue(_ subject: () -> String) {
        if contextQueue.stopsMisuse {
            fatalError(violation(of: subject())(CallSite.current(behindAccessorOf: nil).location))
        }
        ConcurrencyDebug.record { violation(of: subject()) }
    }

    /// What says that this context was used on the wrong queue, given the location.
    private func violation(of subject: String) -> (String?) -> String {
        let name = name.map { " \"\($0)\"" } ?? ""
        let expected = queue.isMain ? "the main queue" : "the context's private queue (perform)"
        let actual = MainQueue.isCurrent ? "the main queue" : "another queue (thread \(Thread.current))"
        return { location in
            "Core Data concurrency violation\(location.map { " at \($0)" } ?? ""): \(subject) of the managed object context"
                + "\(name) was used on \(actual); expected \(expected). "
                + "Wrap this in context.perform or context.performAndWait."
        }
    }
}
