import Foundation

/// Runs a block on the main actor.
///
/// For callbacks of main-queue contexts, which the engine calls only on the main queue. `MainActor.assumeIsolated`
/// checks the thread instead, which is another one while a thread waits for a block of the main queue.
package func onMainActor<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    try withoutActuallyEscaping(body) { body in
        try unsafeBitCast(body, to: (() throws -> T).self)()
    }
}
