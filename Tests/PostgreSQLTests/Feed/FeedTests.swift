#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer, .serialized) struct FeedTests {
    private static var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
    }

    /// Notes the transactions that a coordinator is notified of.
    private final class Told: Sendable {
        let numbers = Mutex<[(number: Int64, at: ContinuousClock.Instant)]>([])

        init(_ stack: ServerStack) {
            _ = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: stack.coordinator, queue: nil
            ) { [self] notification in
                let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                guard let number = token?.transactionByStore.values.first else { return }
                numbers.withLock { $0.append((number, .now)) }
            }
        }

        func time(of number: Int64, within limit: Duration = .seconds(5)) -> ContinuousClock.Instant? {
            let start = ContinuousClock.now
            while start.duration(to: .now) < limit {
                if let found = numbers.withLock({ $0.first { $0.number >= number } }) { return found.at }
                usleep(300)
            }
            return nil
        }
    }

    private func history(
        _ context: NSManagedObjectContext, after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        return try (context.execute(request) as? NSPersistentHistoryResult)?.result
            as? [NSPersistentHistoryTransaction] ?? []
    }

    @discardableResult
    private func save(_ name: String, _ stack: ServerStack) throws -> NSManagedObjectID {
        try stack.inContext { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            try context.save()
            return author.objectID
        }
    }

    private func lastNumber(_ stack: ServerStack) throws -> Int64 {
        try #require(Int64(try stack.rows("SELECT max(number)::text FROM ocd_transaction")[0][0]))
    }

    /// `OPENCOREDATA_POSTGRESQL_FEED_SAMPLES` says how often it is measured.
    @Test func anotherCoordinatorIsToldSoon() throws {
        let given = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_FEED_SAMPLES"]
        let samples = max(2, given.flatMap(Int.init) ?? 40)
        try ServerStack.with(options: Self.options) { writer in
            let reader = try ServerStack(schema: writer.schema, options: Self.options)
            defer { reader.close() }
            let told = Told(reader)
            try save("first", writer)
            _ = told.time(of: try lastNumber(writer))
            var latencies: [Duration] = []
            for number in 0..<samples {
                usleep(25_000)
                try save("author \(number)", writer)
                let saved = ContinuousClock.now
                let time = try #require(told.time(of: try lastNumber(writer)))
                latencies.append(saved.duration(to: time))
            }
            latencies.sort()
            let median = latencies[samples / 2]
            print(
                "feed: median \(median), 99 % within \(latencies[samples * 99 / 100]), longest \(latencies[samples - 1]) "
                    + "from the end of a save to the notification, \(samples) times")
            // Without notifications it would be most of a second.
            #expect(median < .milliseconds(400))
        }
    }

    @Test func nothingIsLostAndNothingIsToldTwice() throws {
        try ServerStack.with(options: Self.options) { writer in
            let reader = try ServerStack(schema: writer.schema, options: Self.options)
            defer { reader.close() }
            let (writers, saves) = (6, 40)
            let start = reader.coordinator.currentPersistentHistoryToken(fromStores: nil)
            let acknowledged = Atomic<Int>(0)
            let isWriting = Atomic<Bool>(true)
            let seen = Mutex<[String]>([])
            let (group, writing) = (DispatchGroup(), DispatchGroup())
            for number in 0..<writers {
                writing.enter()
                Thread {
                    for round in 0..<saves where (try? self.save("\(number)-\(round)", writer)) != nil {
                        acknowledged.add(1, ordering: .relaxed)
                    }
                    writing.leave()
                }.start()
            }
            // Transactions that begin early, write, and are committed late or not at all.
            group.enter()
            Thread {
                for round in 0..<12 {
                    guard let connection = try? TestServer.connect() else { continue }
                    let table = "\(SQLName.quoted(writer.schema)).ocd_key"
                    try? connection.runScript(
                        "BEGIN; UPDATE \(table) SET z_max = z_max WHERE number = 99; SELECT pg_current_xact_id()")
                    usleep(30_000)
                    try? connection.runScript(round % 2 == 0 ? "COMMIT" : "ROLLBACK")
                }
                group.leave()
            }.start()
            group.enter()
            Thread {
                var token = start
                func follow() {
                    try? reader.inContext { context in
                        for transaction in try history(context, after: token) {
                            token = transaction.token
                            let text = "\(transaction.transactionNumber)"
                            seen.withLock { $0.append(text) }
                        }
                    }
                }
                while isWriting.load(ordering: .relaxed) { follow() }
                for _ in 0..<3 { follow() }
                group.leave()
            }.start()
            writing.wait()
            usleep(500_000)
            isWriting.store(false, ordering: .relaxed)
            group.wait()
            let numbers = seen.withLock { $0 }
            #expect(acknowledged.load(ordering: .relaxed) == writers * saves)
            #expect(numbers.count == writers * saves)
            #expect(Set(numbers).count == numbers.count)
            #expect(try writer.rows("SELECT count(*)::text FROM author") == [["\(writers * saves)"]])
        }
    }

    @Test func rowsThatOthersChangedAreReadAgain() throws {
        try ServerStack.with(options: Self.options) { writer in
            let reader = try ServerStack(schema: writer.schema, options: Self.options)
            defer { reader.close() }
            let told = Told(reader)
            let id = try save("old", writer)
            _ = told.time(of: try lastNumber(writer))
            let (first, second) = (reader.context(), reader.context())
            func name(_ context: NSManagedObjectContext) throws -> String? {
                try context.performAndWait {
                    let uri = id.uriRepresentation()
                    let own = try #require(reader.coordinator.managedObjectID(forURIRepresentation: uri))
                    return try context.existingObject(with: own).value(forKey: "name") as? String
                }
            }
            #expect(try name(first) == "old")
            try writer.inContext { context in
                try context.existingObject(with: id).setValue("new", forKey: "name")
                try context.save()
            }
            _ = told.time(of: try lastNumber(writer))
            // A context that has not read the row gets it from the server, not from the rows in memory.
            #expect(try name(second) == "new")
        }
    }

    /// A fetch sees the row as it was, waits in a function of the store's, and ends after the feed has told of the change.
    @Test func aFetchThatIsOvertakenByTheFeedBringsNoOldRowBack() throws {
        try ServerStack.with(options: Self.options) { writer in
            let reader = try ServerStack(schema: writer.schema, options: Self.options)
            defer { reader.close() }
            let told = Told(reader)
            let id = try save("old", writer)
            _ = told.time(of: try lastNumber(writer))
            let gate = try TestServer.connect()
            defer { gate.close() }
            let key = Int32.random(in: 1...Int32.max)
            try gate.runScript(
                """
                CREATE OR REPLACE FUNCTION \(SQLName.quoted(writer.schema)).ocd_fold_c(value text) RETURNS text
                LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $test$
                BEGIN PERFORM pg_advisory_xact_lock_shared(\(key)); RETURN lower(value); END $test$;
                SELECT pg_advisory_lock(\(key))
                """)
            let found = Mutex<[String]>([])
            let (fetching, holding) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                try? reader.inContext { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                    request.predicate = NSPredicate(format: "name CONTAINS[c] %@", "L")
                    let authors = try context.fetch(request)
                    found.withLock { $0 = authors.compactMap { $0.value(forKey: "name") as? String } }
                    fetching.signal()
                    holding.wait()
                    withExtendedLifetime(authors) {}
                }
                fetching.signal()
            }.start()
            defer { holding.signal() }
            var isWaiting = false
            for _ in 0..<2000 where !isWaiting {
                usleep(2000)
                isWaiting =
                    try writer.rows(
                        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = \(key) AND NOT granted"
                    ).count > 0
            }
            #expect(isWaiting)
            try writer.inContext { context in
                try context.existingObject(with: id).setValue("new", forKey: "name")
                try context.save()
            }
            #expect(told.time(of: try lastNumber(writer)) != nil)
            try gate.runScript("SELECT pg_advisory_unlock(\(key))")
            fetching.wait()
            #expect(found.withLock { $0 } == ["old"])
            let name = try reader.inContext { context in
                let own = try #require(
                    reader.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
                return try context.existingObject(with: own).value(forKey: "name") as? String
            }
            #expect(name == "new")
        }
    }

    @Test func rowsThatABatchOfTheSameProgramChangedAreReadAgain() throws {
        try ServerStack.with(options: Self.options) { stack in
            let told = Told(stack)
            let id = try save("old", stack)
            _ = told.time(of: try lastNumber(stack))
            let (first, second) = (stack.context(), stack.context())
            func name(_ context: NSManagedObjectContext) throws -> String? {
                try context.performAndWait {
                    try context.existingObject(with: id).value(forKey: "name") as? String
                }
            }
            #expect(try name(first) == "old")
            try stack.inContext { context in
                let request = NSBatchUpdateRequest(entityName: "Author")
                request.propertiesToUpdate = ["name": "new"]
                try context.execute(request)
            }
            #expect(told.time(of: try lastNumber(stack)) != nil)
            #expect(try name(second) == "new")
        }
    }
}
#endif
