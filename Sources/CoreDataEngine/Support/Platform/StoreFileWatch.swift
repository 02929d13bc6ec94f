import Dispatch
import Foundation

/// Notifies of writes to a store file or its write-ahead log, by this process or another.
///
/// It may notify more often than that, but never less. It uses the system's file events, or looks once a second if they
/// aren't available.
// @unchecked Sendable because the sources are constants, and dispatch sources are safe to use from any thread.
final class StoreFileWatch: @unchecked Sendable {
    private let sources: [any DispatchSourceProtocol]

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - url: The store file, which must be open, so that its log is there.
    ///   - queue: Where `handler` is called.
    init(_ url: URL, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        let events = FileEvents.sources(for: url, queue: queue, handler: handler)
        sources = events.isEmpty ? [Self.timer(queue, handler)] : events
        for source in sources { source.activate() }
    }

    /// Ends the watch. The handler may be called one more time if it is already running.
    func cancel() {
        for source in sources { source.cancel() }
    }

    deinit { cancel() }

    private static func timer(_ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void)
        -> any DispatchSourceProtocol
    {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
        timer.setEventHandler(handler: handler)
        return timer
    }
}
