#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer, .serialized) struct LostConnectionTests {
    private static var recording: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// Saves an author with two books.
    private func save(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            for number in 0..<2 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("\(name) \(number)", forKey: "title")
                book.setValue(author, forKey: "author")
            }
            try context.save()
        }
    }

    /// The authors with the number of their books.
    private func stored(_ stack: ServerStack) throws -> [String: Int] {
        let rows = try stack.rows(
            "SELECT a.name, count(b.z_pk)::text FROM author a LEFT JOIN book b ON b.author = a.z_pk "
                + "GROUP BY a.z_pk, a.name")
        return Dictionary(rows.map { ($0[0], Int($0[1]) ?? -1) }) { _, _ in -99 }
    }

    @Test func connectionsThatTheServerEndsCostNoSave() throws {
        try ServerStack.with(options: Self.recording) { stack in
            let isOver = Atomic<Bool>(false)
            let saved = Mutex<[String]>([])
            let failed = Atomic<Int>(0)
            let group = DispatchGroup()
            for writer in 0..<4 {
                group.enter()
                Thread {
                    var number = 0
                    while !isOver.load(ordering: .relaxed) {
                        let name = "\(writer)-\(number)"
                        do {
                            try save(name, stack.coordinator)
                            saved.withLock { $0.append(name) }
                        } catch {
                            failed.add(1, ordering: .relaxed)
                        }
                        number += 1
                    }
                    group.leave()
                }.start()
            }
            let killer = try TestServer.connect()
            var kills = 0
            let end = ContinuousClock.now.advanced(by: .seconds(3))
            while ContinuousClock.now < end {
                usleep(UInt32.random(in: 5_000...60_000))
                kills += try killer.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'OpenCoreData' "
                        + "AND query LIKE $1 AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1",
                    values: [.text("%\(stack.schema)%")]
                ).count
            }
            isOver.store(true, ordering: .relaxed)
            group.wait()
            let rows = try stored(stack)
            let names = saved.withLock { $0 }
            print(
                "lost connections: \(kills) ended, \(names.count) saves, \(failed.load(ordering: .relaxed)) refused"
            )
            #expect(kills > 0 && names.count > 0)
            #expect(names.filter { rows[$0] != 2 }.isEmpty)
            #expect(rows.values.allSatisfy { $0 == 2 })
            try save("afterwards", stack.coordinator)
            #expect(try stored(stack)["afterwards"] == 2)
        }
    }

    private func saveOrRecord(_ name: String, _ coordinator: NSPersistentStoreCoordinator) {
        do {
            try save(name, coordinator)
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    /// Adds the kinds of messages that were cut. What was cut nowhere has only messages of kinds that were cut before.
    private func collectKinds(
        of proxy: CuttingProxy, _ wasCut: Bool, into cutKinds: inout Set<String>, _ name: String
    ) {
        let kinds = proxy.takeKinds()
        cutKinds.formUnion(kinds.cut)
        if !wasCut { #expect(kinds.seen.isSubset(of: cutKinds), "\(name)") }
    }

    @Test func aSaveIsCutAtEachMessageAndIsThereOnce() throws {
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        let proxy = try CuttingProxy(toPort: UInt16(parts.port ?? 0))
        defer { proxy.close() }
        parts.port = Int(proxy.port)
        try ServerStack.with(options: Self.recording) { stack in
            parts.queryItems = [
                URLQueryItem(name: "sslmode", value: "disable"), URLQueryItem(name: "schema", value: stack.schema),
            ]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: parts.url,
                options: Self.recording)
            try save("before", coordinator)
            var cuts = 0
            var cutKinds: Set<String> = []
            for direction in [CuttingProxy.Direction.toServer, .toClient] {
                for isInMiddle in [false, true] {
                    for messages in stride(from: 0, to: 200, by: isInMiddle ? 4 : 1) {
                        let name = "\(direction) \(messages) \(isInMiddle)"
                        // Statements that are prepared already are those of most saves.
                        try save("warm " + name, coordinator)
                        proxy.arm(direction, after: messages, inMiddle: isInMiddle)
                        saveOrRecord(name, coordinator)
                        let wasCut = !proxy.disarm()
                        let rows = try stored(stack)
                        #expect(rows[name] == 2, "\(name)")
                        collectKinds(of: proxy, wasCut, into: &cutKinds, name)
                        guard wasCut else { break }
                        cuts += 1
                    }
                }
            }
            print("cuts: \(cuts), of the kinds \(cutKinds.sorted())")
            #expect(cuts > 40)
            #expect(try stored(stack).values.allSatisfy { $0 == 2 })
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    /// From the first message of a new program's connection to its last one. What reads may fail, and is repeated then.
    @Test(.killsServers) func aProgramIsCutAtEachMessageFromTheStart() throws {
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        let proxy = try CuttingProxy(toPort: UInt16(parts.port ?? 0))
        defer { proxy.close() }
        parts.port = Int(proxy.port)
        try ServerStack.with(options: Self.recording) { stack in
            try save("before", stack.coordinator)
            parts.queryItems = [
                URLQueryItem(name: "sslmode", value: "disable"), URLQueryItem(name: "schema", value: stack.schema),
            ]
            var (cuts, failures) = (0, 0)
            var cutKinds: Set<String> = []
            func again<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
                do {
                    return try body()
                } catch let error as CocoaError {
                    let cause = error.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
                    #expect(cause?.isTransient == true, "\(name): \(error)")
                    failures += 1
                    return try body()
                }
            }
            for direction in [CuttingProxy.Direction.toServer, .toClient] {
                for messages in 0..<2_000 {
                    let name = "\(direction) \(messages)"
                    proxy.arm(direction, after: messages)
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
                    _ = try again(name) {
                        try coordinator.addPersistentStore(
                            ofType: PostgreSQLStore.type, configurationName: nil, at: parts.url,
                            options: Self.recording)
                    }
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    let titles = try again(name) {
                        try context.performAndWait {
                            let request = NSFetchRequest<Author>(entityName: "Author")
                            request.predicate = NSPredicate(format: "name == 'before'")
                            request.relationshipKeyPathsForPrefetching = ["books"]
                            return try context.fetch(request).flatMap { $0.books.map(\.title) }.sorted()
                        }
                    }
                    #expect(titles == ["before 0", "before 1"], "\(name)")
                    saveOrRecord(name, coordinator)
                    let wasCut = !proxy.disarm()
                    #expect(try stored(stack)[name] == 2, "\(name)")
                    for store in coordinator.persistentStores { try coordinator.remove(store) }
                    collectKinds(of: proxy, wasCut, into: &cutKinds, name)
                    guard wasCut else { break }
                    cuts += 1
                }
            }
            print("cuts of new programs: \(cuts), of the kinds \(cutKinds.sorted()); \(failures) repeated")
            #expect(try stored(stack).values.allSatisfy { $0 == 2 })
        }
    }

    /// Without history the server is asked what became of the transaction, if it has said which one it is.
    @Test func withoutHistoryALostAnswerIsFoundOutOrSaid() throws {
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        let proxy = try CuttingProxy(toPort: UInt16(parts.port ?? 0))
        defer { proxy.close() }
        parts.port = Int(proxy.port)
        try ServerStack.with { stack in
            parts.queryItems = [
                URLQueryItem(name: "sslmode", value: "disable"), URLQueryItem(name: "schema", value: stack.schema),
            ]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: parts.url, options: nil)
            for _ in 0..<2 { try save("before", coordinator) }
            var (unknown, foundOut) = (0, 0)
            for messages in 0..<80 {
                try save("warm \(messages)", coordinator)
                proxy.arm(.toClient, after: messages)
                let name = "cut \(messages)"
                do {
                    try save(name, coordinator)
                    #expect(try stored(stack)[name] == 2)
                    if proxy.disarm() { break }
                    foundOut += 1
                } catch let error as CocoaError {
                    let cause = error.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
                    #expect(cause?.kind == .commitUnknown)
                    #expect(!error.localizedDescription.contains(parts.password ?? "-"))
                    unknown += 1
                }
            }
            print("lost answers without history: \(foundOut) found out, \(unknown) unknown")
            // The messages that come before the transaction's number. Keys are reserved before, which is done again.
            #expect(unknown > 0 && unknown < 20)
            #expect(foundOut > unknown)
            try save("after", coordinator)
            #expect(try stored(stack)["after"] == 2)
            #expect(try stored(stack).allSatisfy { $0.key == "before" || $0.value == 2 })
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    @Test(.killsServers) func theNumberOfATransactionCountsForOneLifeOfTheServer() throws {
        let server = try OwnServer()
        func life() throws -> String? {
            let connection = try server.connect()
            defer { connection.close() }
            return try connection.execute(TransactionMark.lifeStatement).first?.string(0)
        }
        let first = try #require(try life())
        #expect(try life() == first)
        let victim = try server.connect()
        try server.killConnection()
        #expect(server.answers(within: 20))
        victim.close()
        let second = try #require(try life())
        #expect(second != first)
        try server.killAndStart()
        #expect(try life() != second)
    }
}
#endif
