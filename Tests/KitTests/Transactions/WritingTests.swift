import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// `write` and `read`.
@Suite struct WritingTests {
    private final class Progress: Sendable {
        let coming = Mutex(0)
        let begun = Mutex(0)
        let mayGoOn = Mutex(false)

        var begunCount: Int { begun.withLock { $0 } }
        var areWaiting: Bool { coming.withLock { $0 } == 10 && begunCount > 0 }
    }

    static let layouts: [Layout] = [.standard, .nested, .merging, .siblings, .manual]

    @Test(arguments: Medium.allCases, layouts)
    func aWriteIsInTheStoreWhenItReturns(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Ada", age: 36)
        #expect(try await village.storedNames() == ["Ada"])
        if medium == .disk { #expect(try village.sqlite("SELECT ZNAME, ZAGE FROM ZVILLAGER") == "Ada|36") }
        let inMain = try await MainActor.run { try village.database.main.villagerNames() }
        #expect(inMain == ["Ada"])
    }

    @Test(arguments: Medium.allCases) func writesFollowEachOtherWhileTasksBlockAllThreads(_ medium: Medium) async throws
    {
        let village = try await Village.open(medium, layout: .standard)
        let progress = Progress()
        let writes = (0..<10).map { number in
            Task {
                progress.coming.withLock { $0 += 1 }
                try await village.database.write { context in
                    progress.begun.withLock { $0 += 1 }
                    while !progress.mayGoOn.withLock({ $0 }) { usleep(1_000) }
                    context.addVillager("\(number)")
                }
            }
        }
        while !progress.areWaiting { try await Task.sleep(for: .milliseconds(1)) }
        #expect(progress.begunCount == 1)
        let fewest = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    progress.mayGoOn.withLock { $0 = true }
                    for _ in 0..<20_000 where progress.begunCount < 10 { usleep(1_000) }
                    return progress.begunCount
                }
            }
            return await group.reduce(10) { min($0, $1) }
        }
        #expect(fewest == 10)
        for write in writes { try await write.value }
        #expect(try await village.storedNames().count == 10)
    }

    @Test(arguments: Medium.allCases, layouts)
    func aThrowDiscardsEverything(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        await #expect(throws: Mishap(number: 7)) {
            try await village.database.write { context in
                context.addVillager("Nobody")
                throw Mishap(number: 7)
            }
        }
        #expect(try await village.storedNames() == [])
        #expect(await MainActor.run { village.database.main.hasChanges } == false)
    }

    @Test(arguments: Medium.allCases, layouts)
    func whatIsNotValidChangesNothing(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let error = await #expect(throws: DatabaseError.self) {
            try await village.database.write { context in
                context.addVillager("Valid")
                context.addVillager(nil)
            }
        }
        guard case .validation(let failures) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failures.map(\.entity) == ["Villager"])
        #expect(failures.map(\.property) == ["name"])
        #expect(failures.map(\.code) == [NSValidationMissingMandatoryPropertyError])
        #expect(failures.first?.objectID != nil)
        #expect(await MainActor.run { village.database.main.hasChanges } == false)
        #expect(try await village.storedNames() == [])
        try await village.settle("Next")
        #expect(try await village.storedNames() == ["Next"])
    }

    @Test(arguments: Medium.allCases, layouts)
    func identifiersThatAreReturnedArePermanent(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let one = try await village.settle("One")
        let several = try await village.database.write { context in
            ["a": [context.addVillager("Two").objectID], "b": [context.addVillager("Three").objectID]]
        }
        #expect(!one.isTemporaryID)
        #expect(several.values.joined().allSatisfy { !$0.isTemporaryID })
        let names = try await MainActor.run {
            try ([one] + several.sorted { $0.key < $1.key }.flatMap(\.value)).map {
                try (village.database.main.existingObject(with: $0) as? Villager)?.name
            }
        }
        #expect(names == ["One", "Two", "Three"])
    }

    @Test func aCancelledTaskWritesNothing() async throws {
        let village = try await Village.open(.memory)
        let database = village.database
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await database.write { _ = $0.addVillager("Early") }
        }
        await #expect(throws: CancellationError.self) { try await early.value }

        let task = Locked<Task<Void, any Error>?>(nil)
        let late = Task {
            try await database.write { context in
                context.addVillager("Late")
                while task.value == nil { Thread.sleep(forTimeInterval: 0.001) }
                task.value?.cancel()
            }
        }
        task.value = late
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try await village.storedNames() == [])
    }

    @Test(arguments: Medium.allCases, layouts)
    func serialWritesFollowEachOther(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout, writes: .serial)
        try await village.settle("Counter")
        let running = Locked(0)
        let most = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await village.database.write { context in
                        let now = running.change { running in
                            running += 1
                            return running
                        }
                        most.change { $0 = max($0, now) }
                        try context.villager("Counter")?.age += 1
                        running.change { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await village.storedAge("Counter") == 200)
        #expect(most.value == 1)
    }

    // One after the other: each has many contexts waiting at a time.
    @Test(.serialized, arguments: Medium.allCases, layouts)
    func concurrentWritesOfDifferentObjectsAllArrive(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask { try await village.settle("V\(number)", age: Int64(number)) }
            }
            try await group.waitForAll()
        }
        let stored = try await village.database.read { try $0.villagers().map { "\($0.name ?? "")=\($0.age)" } }
        #expect(Set(stored) == Set((0..<60).map { "V\($0)=\($0)" }))
    }

    @Test(arguments: Medium.allCases, layouts)
    func aReadSeesWhatIsStoredAndCantChangeIt(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Stored")
        await MainActor.run { _ = village.database.main.addVillager("Unsaved") }
        #expect(try await village.database.read { try $0.villagerNames() } == ["Stored"])
        let attempts: [@Sendable (Context) throws -> Void] = [
            { try $0.villager("Stored")?.age = 99 }, { _ = $0.addVillager("New") },
            { context in try context.villager("Stored").map(context.delete) }, { try $0.save() },
            { _ = try $0.batchUpdate(Query(Villager.self), set: ["age": 99]) },
            { _ = try $0.batchDelete(Query(Villager.self)) },
            {
                _ = try $0.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Villager>(entityName: "Villager")))
            },
            { context in try context.performTransaction { _ = context.addVillager("New") } },
        ]
        for (index, attempt) in attempts.enumerated() {
            let error = await #expect(throws: DatabaseError.self, "\(index)") {
                try await village.database.read { try attempt($0) }
            }
            guard case .readOnly = error else {
                Issue.record("\(index): \(String(describing: error))")
                continue
            }
        }
        try await village.settle("Another")
        #expect(try await village.storedNames() == ["Another", "Stored"])
        #expect(try await village.storedAge("Stored") == 0)
    }

    @Test func errorsOfReadsArriveAsThrown() async throws {
        let village = try await Village.open(.memory)
        await #expect(throws: Mishap(number: 1)) {
            try await village.database.read { _ in throw Mishap(number: 1) }
        }
    }
}
