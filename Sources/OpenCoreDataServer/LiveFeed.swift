#if Server
public import Foundation
public import OpenCoreDataKit

/// A list of values that follows a query, for any number of readers.
///
/// The query is fetched once and kept current in the database's main context; each change is made into values and JSON
/// once, however many clients read. What other processes save shows too, where the store notices it (`Store.watched`) and
/// the database's layout merges into the main context (`Layout.merging`, `Layout.siblings`).
///
///     let newest = try await LiveFeed(Query(Book.self).sorted(SortDescriptor(\.title)).limit(50), in: database) {
///         BookView($0)
///     }
///     router.get("events") { _, _ in newest.response() }
@MainActor public final class LiveFeed<Value: Encodable & Sendable> {
    /// How long changes gather before they are sent.
    private let interval: Duration
    private let broadcast = Broadcast<Data>()
    private let encoder: JSONEncoder
    /// The newest list as JSON.
    private var latest: Data
    private var following: Task<Void, Never>?

    /// Fetches, and follows the database from then on, until the feed is released.
    ///
    /// A later list whose values can't be created or encoded isn't sent; readers keep the one before. A list whose JSON is
    /// equal to the one before isn't sent either.
    ///
    /// - Parameters:
    ///   - query: What to fetch, and in which order. Give it a limit: each change sends the whole list.
    ///   - database: Where the objects are; its main context follows them.
    ///   - interval: How long changes gather before they are sent.
    ///   - encoder: What makes JSON of the values; by default one that writes dates in ISO 8601, as Hummingbird's
    ///     answers have them.
    ///   - value: What is sent of an object.
    /// - Throws: The errors of `LiveResults`, of `value` and of the encoder.
    public init<T: NSManagedObject>(
        _ query: Query<T>, in database: Database, every interval: Duration = .milliseconds(20),
        encoder: JSONEncoder = EventStream.encoder, _ value: @escaping @MainActor (T) throws -> Value
    ) throws {
        self.interval = interval
        self.encoder = encoder
        let results = try LiveResults(query, in: database.main)
        latest = try encoder.encode(results.objects.map(value))
        let snapshots = results.snapshots
        following = Task { [weak self] in
            // The first are those that `latest` was made of, or newer ones, if something changed before the task began.
            for await objects in snapshots {
                guard let self else { return }
                // The next list doesn't have an object that was deleted in the meantime.
                if let values = try? objects.map(value) { self.notify(values) }
                try? await Task.sleep(for: interval)
            }
            withExtendedLifetime(results) {}
            self?.broadcast.finish()
        }
    }

    deinit {
        following?.cancel()
        broadcast.finish()
    }

    private func notify(_ values: [Value]) {
        guard let data = try? encoder.encode(values), data != latest else { return }
        latest = data
        broadcast.send(data)
    }

    /// The list as JSON, now and after each change. A slow reader receives only the newest.
    public var documents: AsyncStream<Data> { broadcast.stream(keeping: .bufferingNewest(1), first: latest) }
}
#endif
