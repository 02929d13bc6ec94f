/// Deletes what watched stores needn't keep of their history: soon after a database was opened, and then every hour.
///
/// In between it holds nothing of the database.
final class HistoryKeeper: Sendable {
    /// A store, by its identifier, and how long it keeps its history.
    struct Kept: Sendable {
        let identifier: String
        let seconds: TimeInterval
    }

    private let task: Task<Void, Never>

    /// How many transactions are deleted at a time.
    private static let chunk = 500
    /// After opening, which has more urgent things to do.
    private static let delay = Duration.seconds(1)
    private static let pause = Duration.seconds(3_600)

    /// - Parameter watch: What it has read of the history may be deleted.
    init(_ stores: [Kept], watch: ExternalWatch, _ tree: ContextTree, core: DatabaseCore) {
        task = Task.detached(priority: .utility) { [weak tree, weak watch, weak core] in
            try? await Task.sleep(for: Self.delay)
            while !Task.isCancelled {
                if let tree {
                    let context = tree.makeBackground("history")
                    for store in stores {
                        do {
                            while let position = watch?.position, !Task.isCancelled {
                                guard try await Self.delete(store, position, in: context) == Self.chunk else { break }
                            }
                        } catch {
                            let isRetired = (tree.coordinator as? DatabaseCoordinator)?.isRetired == true
                            if !isRetired, !Task.isCancelled { core?.report(error) }
                        }
                    }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    deinit { task.cancel() }

    func end() { task.cancel() }

    /// - Returns: How many transactions were deleted.
    private static func delete(
        _ kept: Kept, _ position: HistoryPosition, in context: NSManagedObjectContext
    ) async throws -> Int {
        try await context.perform {
            let stores = context.persistentStoreCoordinator?.persistentStores ?? []
            guard let store = stores.first(where: { $0.identifier == kept.identifier }) else { return 0 }
            return try position.deleteHistory(
                of: store, before: Date(timeIntervalSinceNow: -kept.seconds), limit: chunk, in: context)
        }
    }
}
