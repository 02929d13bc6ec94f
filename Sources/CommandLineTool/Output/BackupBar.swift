import OpenCoreData
import Synchronization

/// The line that shows how far a backup is.
final class BackupBar: Sendable {
    private static let steps = 1_000
    private let bar = Mutex(ProgressBar("Backing up"))

    func show(_ progress: StoreBackupProgress) {
        bar.withLock { $0.show(done: Int(progress.fraction * Double(Self.steps)), of: Self.steps) }
    }

    func finish() { bar.withLock { $0.finish() } }
}
