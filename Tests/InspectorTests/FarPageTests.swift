#if Inspector
import Foundation
import OpenCoreData
import StoreTools
import TestSupport
import Testing

@testable import OpenCoreDataInspector

/// Pages far down a list, which are found without sorting the list for each of them.
struct FarPageTests {
    private let folder = try! TemporaryFolder()

    /// A store of 3,000 books, many with equal values and some without a value.
    private func store(
        options: [AnyHashable: Any] = [:]
    ) async throws -> (InspectedStore, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: InspectedLibrary.model())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Library.sqlite"), options: options)
        let context = InspectedLibrary.context(coordinator, author: "test")
        try await context.perform {
            for number in 0..<3_000 {
                let mixed = (number * 7_919) % 3_001
                var values: [String: Any] = ["title": "Title \(mixed % 900)", "inPrint": mixed % 3 == 0]
                if mixed % 11 != 0 { values["pages"] = mixed % 400 }
                if mixed % 7 != 0 { values["rating"] = Double(mixed % 50) / 10 }
                if mixed % 3 != 0 { values["price"] = NSDecimalNumber(string: "\(mixed % 90).\(mixed % 7)5") }
                if mixed % 5 != 0 { values["published"] = Date(timeIntervalSinceReferenceDate: Double(mixed) / 3) }
                InspectedLibrary.insert(number % 4 == 0 ? "Novel" : "Book", values, context)
            }
            try context.save()
        }
        let store = InspectedStore(
            currentCoordinator: { coordinator }, modelOrigin: "the test", isWritable: false)
        return (store, context)
    }

    @Test(arguments: ["pages", "pages:desc", "rating", "price:desc", "published", "title:desc", "inPrint"])
    func `a page by a sample is the part of the whole list that stands there`(sort: String) async throws {
        let (store, _) = try await store()
        for filter in ["", "pages > 100 AND title != \"Title 5\""] {
            let arguments = RequestArguments(["entity": "Book", "sort": sort, "where": filter])
            let (found, wrong) = try await store.read { reader in
                let list = try ObjectList(arguments, in: reader)
                let all = try reader.context.fetch(list.request(offset: 0, limit: 0)).map(\.inspectorName)
                let key = String(sort.prefix { $0 != ":" })
                let sample = SampledPage(list: list, key: key, ascending: !sort.hasSuffix("desc"), reader: reader)
                var (found, wrong): (Int, [String]) = (0, [])
                for offset in stride(from: 0, to: all.count, by: 250) {
                    let wanted = PageRequest(offset: offset, limit: 100)
                    guard let request = try sample.request(wanted, total: all.count) else { continue }
                    let page = try reader.context.fetch(request).map(\.inspectorName)
                    let expected = Array(all.dropFirst(offset).prefix(100))
                    // Then the page is found in another way.
                    guard page.count == expected.count else { continue }
                    found += 1
                    if page != expected { wrong.append("\(offset) \(page.prefix(3)) \(expected.prefix(3))") }
                }
                return (found, wrong)
            }
            #expect(found >= 5 && wrong.isEmpty, "\(sort) \(filter) \(found): \(wrong)")
        }
    }

    @Test func `after a slow page far down a list, each page takes one statement`() async throws {
        let log = StatementLog()
        let (store, context) = try await store(options: log.options)
        let client = InspectorClient(
            InspectorRoutes(store, access: InspectorAccess(), orders: SortedOrders(store, slowPage: .zero)))
        let list = "/api/rows?entity=Book&sort=rating&columns=title,rating&limit=100"
        let first = try await client.ask(list + "&offset=1200")
        #expect(first.status == 200)
        let arguments = RequestArguments(["entity": "Book", "sort": "rating"])
        for _ in 0..<1_000 {
            if await client.routes.orders.order(of: arguments) != nil { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        for offset in [1_500, 2_900, 1_100] {
            log.clear()
            let page = try await client.ask(list + "&offset=\(offset)&total=3000")
            #expect(log.selects.count == 1, "\(log.selects)")
            let expected = try await store.read { reader in
                try reader.context.fetch(ObjectList(arguments, in: reader).request(offset: offset, limit: 100)).map(
                    \.inspectorName)
            }
            #expect(expected.count == 100 && expected.allSatisfy { page.text.contains("\"\($0)\"") })
        }
        // A change makes the order worthless, and the next page is that of the changed list.
        try await context.perform {
            InspectedLibrary.insert("Book", ["title": "Lowest", "rating": -1.0], context)
            try context.save()
        }
        let changed = try await client.ask(list + "&offset=1500&total=3001").json
        let expected = try await store.read { reader in
            try reader.context.fetch(ObjectList(arguments, in: reader).request(offset: 1_500, limit: 1)).first?
                .inspectorName
        }
        guard case .array(let rows)? = changed["rows"] else {
            Issue.record("no rows")
            return
        }
        #expect(rows.first?["id"] == expected.map(JSONValue.string))
    }

    @Test func `a large list without an index is sorted once, and pages far down are taken from that`() async throws {
        let log = StatementLog()
        let (store, _) = try await store(options: log.options)
        let orders = SortedOrders(store, slowPage: .seconds(60), largeTable: 1_000, quietTime: .zero)
        let client = InspectorClient(InspectorRoutes(store, access: InspectorAccess(), orders: orders))
        let arguments = RequestArguments(["entity": "Book", "sort": "rating:desc"])
        let all = try await store.read { reader in
            try reader.context.fetch(ObjectList(arguments, in: reader).request(offset: 0, limit: 0)).map(
                \.inspectorName)
        }
        log.clear()
        let list = "/api/rows?entity=Book&sort=rating:desc&columns=title&limit=50&total=3000"
        for offset in [0, 1_500, 2_950, 1_200] {
            for _ in 0..<1_000 where offset > 0 {
                if await orders.order(of: arguments) != nil { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            guard case .array(let rows)? = try await client.ask(list + "&offset=\(offset)").json["rows"] else {
                Issue.record("no rows from \(offset) on")
                continue
            }
            #expect(rows.map { $0["id"] } == all.dropFirst(offset).prefix(50).map { JSONValue.string($0) })
        }
        let sorts = log.selects.filter { $0.contains("ZRATING") && $0.contains("ORDER BY") && !$0.contains(" IN (") }
        // The first page, and the whole list.
        #expect(sorts.count == 2, "\(sorts)")
        #expect(!log.selects.contains { $0.contains("OFFSET") })
        // An index has the order of this one.
        _ = try await client.ask("/api/rows?entity=Book&sort=pages&columns=title&limit=50&total=3000")
        #expect(await orders.order(of: RequestArguments(["entity": "Book", "sort": "pages"])) == nil)
    }

    @Test func `an order that is kept has the pages of its list until the store changes`() async throws {
        let (store, context) = try await store()
        let orders = SortedOrders(store)
        let arguments = RequestArguments(["entity": "Book", "sort": "rating:desc"])
        #expect(await orders.order(of: arguments) == nil)
        await orders.prepare(arguments)
        var made: SortedOrder?
        for _ in 0..<1_000 where made == nil {
            made = await orders.order(of: arguments)
            try await Task.sleep(for: .milliseconds(20))
        }
        let order = try #require(made)
        let all = try await store.read { reader in
            try reader.context.fetch(ObjectList(arguments, in: reader).request(offset: 0, limit: 0)).map(
                \.inspectorName)
        }
        for (offset, count) in [(0, 100), (1_700, 100), (2_950, 50), (3_000, 0), (9_000, 0)] {
            let ids = try #require(order.ids(PageRequest(offset: offset, limit: 100)))
            #expect(ids.map(\.inspectorName) == Array(all.dropFirst(offset).prefix(100)) && ids.count == count)
        }
        #expect(await orders.order(of: RequestArguments(["entity": "Book", "sort": "rating"])) == nil)
        try await context.perform {
            InspectedLibrary.insert("Book", ["title": "Later"], context)
            try context.save()
        }
        #expect(await orders.order(of: arguments) == nil)
    }
}
#endif
