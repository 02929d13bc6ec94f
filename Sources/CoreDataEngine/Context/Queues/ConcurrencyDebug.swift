import Foundation

/// Whether each use of a context off its queue stops the program.
///
/// On in debug builds of the engine, and wherever `OPENCOREDATA_CONCURRENCY_DEBUG` or Apple's launch argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` asks for it. `OPENCOREDATA_CONCURRENCY_DEBUG=0` switches it off.
enum ConcurrencyDebug {
    static let isEnabled: Bool = {
        if let level = LaunchSettings.current.level(.concurrencyDebug) { return level > 0 }
        #if DEBUG
            return true
        #else
            return false
        #endif
    }()
}

extension NSManagedObjectContext {
    /// Stops when the caller is not on the context's queue.
    @inline(__always)
    final func checkQueue(_ subject: @autoclosure () -> String = "the context") {
        if checksQueue, !isOnQueue { stopForWrongQueue(subject()) }
    }

    @inline(never)
    private func stopForWrongQueue(_ subject: String) -> Never {
        let name = name.map { " \"\($0)\"" } ?? ""
        let expected =
            kind == .mainQueueConcurrencyType ? "the main queue" : "the context's private queue (perform)"
        let actual = MainQueue.isCurrent ? "the main queue" : "another queue (thread \(Thread.current))"
        fatalError(
            "Core Data concurrency violation: \(subject) of the managed object context\(name) was used on \(actual); "
                + "expected \(expected).")
    }
}
