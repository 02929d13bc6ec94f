#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Several saves that take effect at once, or not at all.
@Suite(.needsServer) struct SavingTogetherTests {
    private static var recording: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }
    private struct Stop: Error {}

    private func store(_ stack: ServerStack) throws -> PostgreSQLStore {
        try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
    }

    private func insert(_ entity: String, _ name: String, _ context: NSManagedObjectContext) {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(name, forKey: "name")
    }

    private func count(_ entity: String, _ context: NSManagedObjectContext) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    @Test func savesTakeEffectAtTheEnd() throws {
        try ServerStack.with(options: Self.recording) { stack in
            try store(stack).savingTogether {
                for round in 0..<3 {
                    try stack.inContext { context in
                        insert("Author", "a\(round)", context)
                        insert("Label", "l\(round)", context)
                        try context.save()
                        #expect(try count("Author", context) == round + 1)
                    }
                }
                // Another connection sees nothing yet.
                #expect(try stack.rows("SELECT count(*)::text FROM author") == [["0"]])
                try stack.inContext { context in
                    let update = NSBatchUpdateRequest(entityName: "Author")
                    update.propertiesToUpdate = ["country": "NZ"]
                    try context.execute(update)
                }
            }
            #expect(
                try stack.rows("SELECT DISTINCT country, count(*)::text FROM author GROUP BY 1") == [["NZ", "3"]])
            // One transaction for all.
            #expect(try stack.rows("SELECT count(*)::text FROM ocd_transaction") == [["1"]])
            #expect(try stack.rows("SELECT count(*)::text FROM ocd_change") == [["9"]])
            try stack.inContext { context in
                insert("Author", "later", context)
                try context.save()
            }
            #expect(try stack.rows("SELECT count(*)::text FROM author") == [["4"]])
        }
    }

    @Test func aBlockThatThrowsLeavesNothing() throws {
        try ServerStack.with(options: Self.recording) { stack in
            #expect(throws: Stop.self) {
                try store(stack).savingTogether {
                    try stack.inContext { context in
                        insert("Author", "a", context)
                        try context.save()
                    }
                    throw Stop()
                }
            }
            let authors = try stack.rows("SELECT count(*)::text FROM author")
            let transactions = try stack.rows("SELECT count(*)::text FROM ocd_transaction")
            #expect(authors == [["0"]] && transactions == [["0"]])
        }
    }

    @Test func aSaveThatIsRefusedLeavesTheOthersAndCanBeRepaired() throws {
        try ServerStack.with { stack in
            try store(stack).savingTogether {
                try stack.inContext { context in
                    insert("Label", "one", context)
                    try context.save()
                }
                try stack.inContext { context in
                    insert("Label", "one", context)
                    insert("Author", "x", context)
                    #expect(throws: CocoaError.self) { try context.save() }
                    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                    try context.save()
                }
            }
            #expect(try stack.rows("SELECT name FROM label") == [["one"]])
            #expect(try stack.rows("SELECT name FROM author") == [["x"]])
        }
    }
}
#endif
