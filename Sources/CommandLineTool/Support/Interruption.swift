import Dispatch
import Foundation
import OpenCoreData
import StoreTools
import Synchronization

/// A signal that asks the command to stop: Ctrl-C, a terminal that is closed, `kill`.
///
/// A command that changes something watches for signals and checks where it can stop without leaving anything behind. A
/// second signal ends it at once.
struct Interruption: Error {
    let signal: Int32

    /// As shells have it.
    var exitCode: Int32 { 128 + signal }

    private static let received = Atomic<Int32>(0)

    /// Lets `check()` notice signals from now on, except those that the command was started to ignore.
    static func watch() {
        // The handler may only touch what is there already.
        guard received.load(ordering: .relaxed) == 0 else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            sigaddset(&signals, number)
            let former = Foundation.signal(number) { number in
                Interruption.received.store(number, ordering: .relaxed)
                _ = Foundation.signal(number, SIG_DFL)
            }
            if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                _ = Foundation.signal(number, SIG_IGN)
            }
        }
        // A process that a thread of Dispatch started has them blocked.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Runs a block that reads and writes stores, and stops it soon after a signal came.
    ///
    /// - Parameter assurance: What is said to the user then, such as that nothing was changed.
    /// - Throws: What the block throws; an interruption when it was stopped.
    static func stopping<Result>(_ assurance: String, _ body: () throws -> Result) throws -> Result {
        let work = CancellableRead()
        return try stopping(assurance, by: { work.cancel() }, { try work.runUntilFinal(body) })
    }

    /// The same for a block that has a way of its own to be stopped.
    static func stopping<Result>(
        _ assurance: String, by cancel: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        watch()
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now(), repeating: .milliseconds(50))
        timer.setEventHandler { if received.load(ordering: .relaxed) != 0 { cancel() } }
        timer.resume()
        defer { timer.cancel() }
        do {
            return try body()
        } catch {
            do { try check() } catch { throw ToolFailure.adding(assurance, to: error) }
            throw error
        }
    }

    /// - Throws: An interruption when a signal came.
    static func check() throws(Interruption) {
        let signal = received.load(ordering: .relaxed)
        if signal != 0 { throw Interruption(signal: signal) }
    }
}
