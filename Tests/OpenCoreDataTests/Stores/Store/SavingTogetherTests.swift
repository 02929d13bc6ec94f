import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Several saves that take effect together or not at all.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct SavingTogetherTests {
    private struct Stop: Error {}

    private let fixture: StoreFixture
    private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

    init() throws {
        fixture = try StoreFixture()
        context.persistentStoreCoordinator = fixture.coordinator
    }

    private func insert(_ name: String) throws {
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            object.setValue(name, forKey: "name")
            try context.save()
            context.reset()
        }
    }

    private func count() throws -> Int {
        try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) }
    }

    @Test func othersSeeAllOfThemAtTheEnd() throws {
        try insert("before")
        try fixture.store.savingTogether {
            for name in 0..<5 {
                try insert("\(name)")
                #expect(try count() == name + 2)
                #expect(try fixture.shell("SELECT count(*) FROM ZAUTHOR") == "1")
            }
        }
        #expect(try fixture.shell("SELECT count(*), max(Z_PK) FROM ZAUTHOR") == "6|6")
        try insert("after")
        #expect(try fixture.shell("SELECT count(DISTINCT Z_PK) FROM ZAUTHOR") == "7")
    }

    @Test func anErrorUndoesAll() throws {
        try insert("before")
        let numbers = try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        #expect(throws: Stop.self) {
            try fixture.store.savingTogether {
                for name in 0..<5 { try insert("\(name)") }
                throw Stop()
            }
        }
        #expect(try fixture.shell("SELECT count(*) FROM ZAUTHOR") == "1")
        #expect(try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == numbers)
        try insert("after")
        #expect(try fixture.shell("SELECT count(*), max(Z_PK) FROM ZAUTHOR") == "2|2")
        #expect(try fixture.shell("PRAGMA integrity_check") == "ok")
    }

    @Test func aSaveThatFailsUndoesItselfOnly() throws {
        try fixture.store.savingTogether {
            try insert("one")
            var plan = SavePlan()
            plan.inserts = [try fixture.insert("Author", 1_000, ["name": .string("undone")])]
            plan.updates = [try fixture.update("Author", 77, version: 1, ["name": .string("nobody")])]
            guard case .conflicts = try fixture.store.execute(plan) else { throw Stop() }
            try insert("two")
        }
        #expect(try fixture.shell("SELECT group_concat(ZNAME) FROM ZAUTHOR") == "one,two")
    }

    private func runBatches() throws {
        try context.performAndWait {
            let rows = (0..<4).map { ["name": "row \($0)"] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
            let update = NSBatchUpdateRequest(entityName: "Author")
            update.predicate = NSPredicate(format: "name == 'row 1'")
            update.propertiesToUpdate = ["name": "changed"]
            _ = try context.execute(update)
            let gone = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            gone.predicate = NSPredicate(format: "name == 'row 2'")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: gone))
        }
    }

    @Test func batchRequestsTakeEffectWithTheSaves() throws {
        try fixture.store.savingTogether {
            try insert("one")
            try runBatches()
            try insert("two")
            #expect(try count() == 5)
            #expect(try fixture.shell("SELECT count(*) FROM ZAUTHOR") == "0")
        }
        #expect(
            try fixture.shell("SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZAUTHOR ORDER BY ZNAME)")
                == "changed,one,row 0,row 3,two")
        #expect(try fixture.shell("SELECT count(DISTINCT Z_PK) FROM ZAUTHOR") == "5")
        let numbers = try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        #expect(throws: Stop.self) {
            try fixture.store.savingTogether {
                try runBatches()
                throw Stop()
            }
        }
        #expect(try fixture.shell("SELECT count(*) FROM ZAUTHOR") == "5")
        #expect(try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == numbers)
    }

    @Test func aBatchThatFailsUndoesItselfOnly() throws {
        try fixture.store.savingTogether {
            try insert("one")
            #expect(throws: CocoaError.self) {
                try context.performAndWait {
                    let rows: [[String: Any]] = [["name": "kept?"], ["name": 5.5 as Any, "nothing": "x"]]
                    _ = try context.execute(NSBatchInsertRequest(entityName: "Author", objects: rows))
                }
            }
            try insert("two")
        }
        #expect(try fixture.shell("SELECT group_concat(ZNAME) FROM ZAUTHOR") == "one,two")
    }

    @Test func nobodyElseWritesMeanwhile() throws {
        try fixture.store.savingTogether {
            try insert("one")
            #expect(throws: SQLiteShell.Failure.self) { try fixture.shell("UPDATE ZAUTHOR SET ZNAME = 'x'") }
        }
        try fixture.store.savingTogether { try fixture.store.savingTogether { try insert("two") } }
        #expect(try fixture.shell("SELECT count(*) FROM ZAUTHOR") == "2")
    }

    @Test func anotherThreadsSaveComesAfterwards() async throws {
        let store = fixture.store
        let (coordinator, url) = (fixture.coordinator, fixture.url)
        let other = Task.detached {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            for _ in 0..<20 {
                try context.performAndWait {
                    NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                        .setValue("other", forKey: "name")
                    try context.save()
                }
            }
        }
        for _ in 0..<10 {
            #expect(throws: Stop.self) {
                try store.savingTogether {
                    try insert("mine")
                    throw Stop()
                }
            }
        }
        try await other.value
        #expect(
            try SQLiteShell.run("SELECT count(*), min(ZNAME), max(ZNAME) FROM ZAUTHOR", on: url) == "20|other|other")
    }
}
