/// Waits for what another thread is about to do, as letting go of an object after its block has returned.
///
/// - Returns: Whether it came within a minute.
public func eventually(_ condition: () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}
