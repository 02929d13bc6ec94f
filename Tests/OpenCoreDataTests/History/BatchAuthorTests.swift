import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Under whose names the history keeps batch requests that a child context executes.
struct BatchAuthorTests {
    private func transactions(_ history: HistoryStack) throws -> [[String?]] {
        let result = try history.execute(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
        return transactions.map { [$0.author, $0.contextName] }
    }

    private static let requests: [@Sendable () -> NSPersistentStoreRequest] = [
        { NSBatchInsertRequest(entityName: "Author", objects: [["name": "New"]]) },
        {
            let request = NSBatchUpdateRequest(entityName: "Author")
            request.propertiesToUpdate = ["name": "Changed"]
            return request
        },
        { NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")) },
    ]

    @Test(arguments: requests.indices, [1, 2]) func theyAreThoseOfTheContextAtTheTop(_ index: Int, depth: Int) throws {
        let history = try HistoryStack()
        try history.addAuthor("Austen", as: "setup")
        let root = history.stack.context()
        root.performAndWait { (root.transactionAuthor, root.name) = ("app", "root") }
        var context = root
        for level in 1...depth {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            child.performAndWait { (child.transactionAuthor, child.name) = ("child", "child \(level)") }
            context = child
        }
        let child = context
        try child.performAndWait { _ = try child.execute(Self.requests[index]()) }
        #expect(try transactions(history) == [["setup", nil], ["app", "root"]])
        try root.performAndWait { _ = try root.execute(Self.requests[0]()) }
        #expect(try transactions(history).last == ["app", "root"])
    }
}
