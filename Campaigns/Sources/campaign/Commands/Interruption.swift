import Foundation
import Synchronization

/// The signals that ask a long run to end: it ends after the cases that run, and its counts are kept.
enum Interruption {
    private static let flag = Atomic<Bool>(false)

    static var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// From now on the first signal is noted. A second one of the same kind ends the program.
    static func catchSignals() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Interruption.flag.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }
}
