/// The stores of a database that are on servers. Apple's framework has no such stores.
struct ServerStores: Sendable {
    #if canImport(ObjectiveC)
    init?(_ session: DatabaseSession) { return nil }

    func position() async throws -> FeedPosition? { nil }

    func follow(_ position: FeedPosition) async throws {}

    static func admission(_ coordinator: DatabaseCoordinator) -> Admission? { nil }
    #else
    private let stores: [any ServerStore]
    private let context: Context

    /// - Returns: `nil` if the database has no stores on a server.
    init?(_ session: DatabaseSession) {
        stores = session.coordinator.rowStores.compactMap { $0 as? any ServerStore }
        if stores.isEmpty { return nil }
        context = session.tree.makeBackground("position")
    }

    func position() async throws -> FeedPosition? {
        // A thread of Swift's own should not wait for a server.
        let positions = try await context.perform(schedule: .enqueued) { try stores.map { try $0.position() } }
        return FeedPosition(rawValue: positions.joined(separator: ","))
    }

    func follow(_ position: FeedPosition) async throws {
        try await context.perform(schedule: .enqueued) {
            for part in position.rawValue.split(separator: ",", omittingEmptySubsequences: false) {
                for store in stores { try store.follow(String(part)) }
            }
        }
    }

    /// What operations wait for; `nil` for stores in files.
    static func admission(_ coordinator: DatabaseCoordinator) -> Admission? {
        let stores = coordinator.rowStores.compactMap { $0 as? any ServerStore }
        guard let scarcest = stores.min(by: { $0.admission.limit < $1.admission.limit }) else { return nil }
        let (limit, timeout) = scarcest.admission
        return Admission(limit: limit, timeout: timeout) { scarcest.admissionError(waiting: $0) }
    }
    #endif
}
