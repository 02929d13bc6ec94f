import Foundation

/// A folder whose entries were all found in place once, and whether it has changed since.
struct WatchedFolder {
    /// How long it may take until it shows that a folder further up was moved, which the folder itself doesn't report.
    private static let patience = Duration.milliseconds(100)

    private let path: String
    /// As it was when all was in place; nil when the next change of it may look the same.
    private var trusted: FolderState?
    private var descriptor: FolderDescriptor?
    private var lastLook = ContinuousClock.now

    init(path: String) { self.path = path }

    /// Whether nothing in it came, went or was renamed since it was trusted, and it is where it was.
    mutating func isUnchanged() -> Bool {
        guard let trusted, let descriptor, FolderState(descriptor: descriptor.number) == trusted else { return false }
        let now = ContinuousClock.now
        if now - lastLook < Self.patience { return true }
        guard FolderState(of: path) == trusted else { return false }
        lastLook = now
        return true
    }

    /// Stops trusting the state.
    ///
    /// - Returns: The present state, to be trusted after all of it was checked; `nil` if the folder doesn't exist.
    mutating func forget() -> FolderState? {
        trusted = nil
        return FolderState(of: path)
    }

    /// Trusts it when it still is as it was.
    mutating func trust(_ state: FolderState?) {
        guard let state, state.isSettled else { return }
        if descriptor.map({ FolderState(descriptor: $0.number) != state }) ?? true {
            descriptor = FolderDescriptor(path)
        }
        guard let descriptor, FolderState(descriptor: descriptor.number) == state else { return }
        trusted = state
        lastLook = .now
    }
}

/// A folder that is held open, so that looking at it needs no walk along its path.
private final class FolderDescriptor {
    let number: Int32

    init?(_ path: String) {
        number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return nil }
    }

    deinit { close(number) }
}
