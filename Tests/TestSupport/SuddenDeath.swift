import Foundation
package import OpenCoreData

/// Ends the process that runs a test's child as `kill -9` does: no code runs any more, and what was written stays.
package enum SuddenDeath {
    package static func now() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }

    /// Runs a block, and dies while it runs or when it is done.
    package static func within(microseconds: UInt32, _ body: () throws -> Void) rethrows -> Never {
        Thread.detachNewThread {
            usleep(microseconds)
            now()
        }
        try body()
        now()
    }

    /// Runs a block, and dies at a step of a migration or when it is done.
    package static func at(_ step: MigrationStep, _ body: () throws -> Void) rethrows -> Never {
        try MigrationStep.$observer.withValue({ if $0 == step { now() } }, operation: body)
        now()
    }
}
