import Foundation
import Logging
import Synchronization

/// What happens to uses of a context off its queue.
///
/// They are logged, each place once. Where `OPENCOREDATA_CONCURRENCY_DEBUG` or Apple's launch argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` asks for it, the first one stops the program, and reads of values that are in
/// memory are checked as well: objects are made with the state `confined`, which no accessor passes quickly.
/// `OPENCOREDATA_CONCURRENCY_DEBUG=0` switches checking off.
enum ConcurrencyDebug {
    /// Whether misuse stops the program. Then the calls that are too frequent for the log are checked as well.
    static let stops = (LaunchSettings.current.level(.concurrencyDebug) ?? 0) > 0
    /// Whether misuse is noticed at all.
    static let isEnabled = LaunchSettings.current.level(.concurrencyDebug) != 0

    private static let mostPlaces = 200
    private static let places = Mutex<Set<String>>([])
    private static let write = DiagnosticLog.writer("OpenCoreData.Concurrency", level: .error)

    /// Logs a sentence unless one was logged for the place already.
    @inline(never)
    static func note(_ sentence: (String?) -> String) {
        guard places.withLock({ $0.count < mostPlaces }) else { return }
        let site = CallSite.current(behindAccessorOf: nil)
        // Without a name, how the program came here is the place.
        let key = site.text ?? Thread.callStackReturnAddresses.prefix(16).map(\.stringValue).joined(separator: " ")
        let isNew = places.withLock { $0.insert(key).inserted }
        if isNew { write(sentence(site.text)) }
    }
}

extension NSManagedObjectContext {
    /// Notes, or stops, when the caller is not on the context's queue.
    @inline(__always)
    final func checkQueue(_ subject: @autoclosure () -> String = "the context") {
        if checksQueue, !isOnQueue { foundOnWrongQueue(subject()) }
    }

    /// The same where calls are so frequent that only a program that is to be stopped checks them.
    @inline(__always)
    final func checkQueueClosely(_ subject: @autoclosure () -> String = "the context") {
        if stopsOffQueue, !isOnQueue { foundOnWrongQueue(subject()) }
    }

    @inline(never)
    private func foundOnWrongQueue(_ subject: String) {
        let name = name.map { " \"\($0)\"" } ?? ""
        let expected = queue.isMain ? "the main queue" : "the context's private queue (perform)"
        let actual = MainQueue.isCurrent ? "the main queue" : "another queue (thread \(Thread.current))"
        func sentence(_ place: String?) -> String {
            "Core Data concurrency violation\(place.map { " at \($0)" } ?? ""): \(subject) of the managed object context"
                + "\(name) was used on \(actual); expected \(expected). "
                + "Wrap this in context.perform or context.performAndWait."
        }
        if stopsOffQueue { fatalError(sentence(CallSite.current(behindAccessorOf: nil).text)) }
        ConcurrencyDebug.note(sentence)
    }
}
