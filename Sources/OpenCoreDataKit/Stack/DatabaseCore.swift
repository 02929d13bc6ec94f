/// What stays the same of a database for its whole life, whatever becomes of its stores.
final class DatabaseCore: Sendable {
    let name: String
    let gate: OperationGate
    let hub = CommitHub()
    /// Whose turn it is, where writes are serial.
    let turns: TurnQueue?
    private let errors: UnawaitedErrors

    init(_ configuration: Database.Configuration) {
        name = configuration.name
        gate = OperationGate(name: configuration.name)
        turns = configuration.writes == .serial ? TurnQueue() : nil
        errors = UnawaitedErrors(
            label: "OpenCoreData", configuration.name, handler: configuration.onBackgroundError)
    }

    /// Reports an error of work that nobody waits for.
    func report(_ error: any Error) { errors.report(error) }
}
