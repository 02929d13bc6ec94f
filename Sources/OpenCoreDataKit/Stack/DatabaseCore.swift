import Dispatch

#if canImport(Logging)
    import Logging
#endif

/// What stays the same of a database for its whole life, whatever becomes of its stores.
final class DatabaseCore: Sendable {
    let name: String
    let gate: OperationGate
    let hub = CommitHub()
    /// Whose turn it is, where writes are serial.
    let turns: TurnQueue?
    private let onBackgroundError: (@Sendable (any Error) -> Void)?

    init(_ configuration: Database.Configuration) {
        name = configuration.name
        gate = OperationGate(name: configuration.name)
        turns = configuration.writes == .serial ? TurnQueue() : nil
        onBackgroundError = configuration.onBackgroundError
    }

    /// Tells an error of work that nobody waits for.
    func report(_ error: any Error) {
        if let onBackgroundError { return onBackgroundError(error) }
        #if canImport(Logging)
            Logger(label: "OpenCoreData").error("\(name): \(DatabaseError.sentence(error))")
        #endif
    }
}
