import Foundation

/// Runs a block as one of the main actor.
///
/// For callbacks of main-queue contexts, which the engine makes on the main queue only: `MainActor.assumeIsolated` would
/// ask for the thread, which is another one when a block of the main queue is waited for elsewhere.
package func onMainActor<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    try withoutActuallyEscaping(body) { body in
        try unsafeBitCast(body, to: (() throws -> T).self)()
    }
}
