import Foundation

/// Keeps files mapped while the list of the process's images is made. The runtime looks into every mapped file for it,
/// and a file that another thread unmaps in the meantime (the index of a write-ahead log, by closing a store) would
/// stop the program.
enum UnmappingGate {
    #if DEBUG && os(Linux)
    private static let condition = NSCondition()
    // Both are used under the condition's lock alone.
    nonisolated(unsafe) private static var unmapping = 0
    nonisolated(unsafe) private static var isLooking = false

    /// Runs a block that unmaps a file.
    static func unmapping<Result>(_ body: () -> Result) -> Result {
        condition.withLock {
            while isLooking { condition.wait() }
            unmapping += 1
        }
        defer {
            condition.withLock {
                unmapping -= 1
                condition.broadcast()
            }
        }
        return body()
    }

    /// Runs a block that looks into the mapped files.
    static func looking<Result>(_ body: () -> Result) -> Result {
        condition.withLock {
            while isLooking || unmapping > 0 { condition.wait() }
            isLooking = true
        }
        defer {
            condition.withLock {
                isLooking = false
                condition.broadcast()
            }
        }
        return body()
    }
    #else
    @inline(__always)
    static func unmapping<Result>(_ body: () -> Result) -> Result { body() }
    #endif
}
