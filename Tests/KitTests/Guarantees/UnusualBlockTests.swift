import OpenCoreDataKit
import TestSupport
import Testing

/// Blocks that do what few programs do keep their word, too.
@Suite struct UnusualBlockTests {
    @Test(arguments: Medium.allCases) func otherContextsThatABlockSavesArePartOfIt(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let other = village.database.context()
        for fails in [true, false] {
            let task = Task {
                try await village.database.write { context in
                    context.addVillager("Own")
                    try other.performAndWait {
                        other.addVillager("Other")
                        try other.save()
                    }
                    if fails { throw Mishap(number: 1) }
                }
            }
            if fails { await #expect(throws: Mishap(number: 1)) { try await task.value } } else { try await task.value }
            #expect(try await village.storedNames() == (fails ? [] : ["Other", "Own"]))
        }
        await other.perform {
            let hasChanges = other.hasChanges
            #expect(!hasChanges)
        }
    }

    @Test(arguments: Medium.allCases) func aBlockThatHidesItsFailedSaveFails(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        await #expect(throws: DatabaseError.self) {
            try await village.database.write { context in
                context.addVillager("Saved")
                try context.save()
                context.addVillager(nil)
                try? context.save()
            }
        }
        #expect(try await village.storedNames() == [])
        try await village.settle("Next")
        #expect(try await village.storedNames() == ["Next"])
    }

    @Test(arguments: Medium.allCases) func anInnerTransactionThatFailsIsTheBlocksFailure(_ medium: Medium) async throws
    {
        let village = try await Village.open(medium, layout: .standard)
        await #expect(throws: (any Error).self) {
            try await village.database.write { context in
                context.addVillager("Outer")
                try? context.performTransaction {
                    context.addVillager("Inner")
                    throw Mishap(number: 2)
                }
                context.addVillager("After")
            }
        }
        #expect(try await village.storedNames() == [])
        try await village.database.write { context in
            context.addVillager("Outer")
            try context.performTransaction { _ = context.addVillager("Inner") }
        }
        #expect(try await village.storedNames() == ["Inner", "Outer"])
    }

    @Test(arguments: Medium.allCases) func blocksThatABlockStartsRunAfterIt(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let database = village.database
        let later = Locked<Task<[String], any Error>?>(nil)
        try await database.write { context in
            context.addVillager("First")
            later.value = Task {
                try await database.write { context in
                    context.addVillager("Second")
                    return try context.villagerNames()
                }
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(try await later.value?.value == ["First", "Second"])
    }

    @Test(arguments: Medium.allCases) func aReadTakesNoChangeOfAnyKind(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let id = try await village.settle("Ada", age: 1)
        let changes: [@Sendable (Context) throws -> Void] = [
            { $0.addVillager("New") },
            { try $0.object(Villager.self, id)?.age = 2 },
            { context in try context.object(Villager.self, id).map(context.delete) },
            { context in
                context.addVillager("New")
                try context.save()
            },
            { _ = try $0.batchUpdate(Query(Villager.self), set: ["age": 7]) },
            { _ = try $0.batchDelete(Query(Villager.self)) },
            { try $0.performTransaction { throw Mishap(number: 3) } },
        ]
        for change in changes {
            await #expect(throws: (any Error).self) { try await village.database.read { try change($0) } }
        }
        #expect(try await village.storedNames() == ["Ada"])
        #expect(try await village.storedAge("Ada") == 1)
    }

    @Test(arguments: Medium.allCases) func aBlockThatIsCancelledWhileItWaitsLeavesNothing(_ medium: Medium) async throws
    {
        let village = try await Village.open(medium, layout: .standard)
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let long = Task.detached {
            try await village.database.write { context in
                context.addVillager("Long")
                begun.signal()
                goOn.wait()
            }
        }
        await Task.detached { waitBlocking(begun) }.value
        let waiting = (0..<8).map { number in
            Task.detached { try await village.database.write { _ = $0.addVillager("Waiting \(number)") } }
        }
        try await Task.sleep(for: .milliseconds(20))
        for task in waiting { task.cancel() }
        goOn.signal()
        try await long.value
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(try await village.storedNames() == ["Long"])
    }

    @Test func modelsWithoutClassesAndGenericCodeWork() async throws {
        let model = VillageModel.make()
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let folder = try TemporaryFolder()
        let database = try await Database.open(
            Database.Configuration(
                name: "Plain", model: .value(model), stores: [.sqlite(at: folder.file("Plain.sqlite"))]))
        let id = try await database.write { context in
            let villager = NSEntityDescription.insertNewObject(forEntityName: "Villager", into: context)
            villager.setValue("Ada", forKey: "name")
            return villager.objectID
        }
        func change<T: NSManagedObject>(_ type: T.Type, _ key: String, _ value: Int) async throws {
            try await database.write { try $0.object(T.self, id)?.setValue(value, forKey: key) }
        }
        try await change(NSManagedObject.self, "age", 7)
        #expect(
            try await database.read { try $0.object(NSManagedObject.self, id)?.value(forKey: "age") as? Int64 } == 7)
        let draft = database.draft()
        try await draft.perform { try $0.object(NSManagedObject.self, id)?.setValue(8, forKey: "age") }
        try await change(NSManagedObject.self, "age", 9)
        await #expect(throws: DatabaseError.self) { try await draft.commit() }
        // A class that several entities have is no entity.
        await #expect(throws: DatabaseError.self) { try await database.read { try $0.count(NSManagedObject.self) } }
        try await database.close()
    }

    @Test func erasingWaitsForBlocksAndNoneComesBetween() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        try await village.settle("Before")
        let slow = Task.detached {
            try await village.database.write { context in
                context.addVillager("Slow")
                Thread.sleep(forTimeInterval: 0.05)
                context.addVillager("Slower")
            }
        }
        try await Task.sleep(for: .milliseconds(10))
        async let erased: Void = village.database.erase()
        try await slow.value
        try await erased
        #expect(try await village.storedNames() == [])
        try await village.settle("After")
        #expect(try await village.storedNames() == ["After"])
    }
}

/// Blocks the thread; asynchronous code may not call it directly.
private func waitBlocking(_ semaphore: DispatchSemaphore) { semaphore.wait() }
