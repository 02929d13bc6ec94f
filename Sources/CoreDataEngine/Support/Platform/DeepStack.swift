import Dispatch
import Foundation

/// Runs work that needs more stack than the threads of an application may have.
enum DeepStack {
    /// Enough for a parser a thousand parentheses deep in a build without optimization. Only what is used becomes memory.
    private static let byteCount = 256 << 20

    /// Runs a closure on a thread of its own, and waits for it.
    ///
    /// The closure must not touch what is confined to a queue.
    static func run<Result>(_ body: () throws -> Result) throws -> Result {
        try withoutActuallyEscaping(body) { body in
            let work = Work(body: body)
            let thread = Thread { work.run() }
            thread.stackSize = byteCount
            thread.start()
            work.done.wait()
            return try work.result()
        }
    }

    // The thread that made it waits on `done` until the other thread has used body and outcome.
    private final class Work<Value>: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        private var body: (() throws -> Value)?
        private var outcome: Swift.Result<Value, any Error>?

        init(body: @escaping () throws -> Value) { self.body = body }

        func run() {
            if let body { outcome = Swift.Result(catching: body) }
            body = nil
            done.signal()
        }

        func result() throws -> Value {
            guard let outcome else { programmerError("The work was not done.") }
            return try outcome.get()
        }
    }
}
