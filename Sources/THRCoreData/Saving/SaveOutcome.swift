import OpenCoreDataKit

/// The result of a save.
public enum SaveOutcome: Sendable, Hashable {
    /// There were changes, and the store has them.
    case saved
    /// There was nothing to save.
    case noChanges

    init(_ outcome: CommitOutcome) {
        switch outcome {
        case .saved: self = .saved
        case .unchanged: self = .noChanges
        }
    }
}
