import OpenCoreDataKit
import TestSupport
import Testing

/// What `read` promises: one state from its first look to its end.
@Suite struct SnapshotTests {
    @Test(arguments: Medium.allCases, TransactionTests.layouts)
    func allThatAReadSeesIsOneState(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        for name in ["a", "b"] { try await village.settle(name, age: 100) }
        let seen = try await village.database.read { context -> [Int64] in
            let first = try context.count(Villager.self)
            let a = try context.villager("a")?.age ?? 0
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                try await village.database.write { context in
                    try context.villager("a")?.age -= 10
                    try context.villager("b")?.age += 10
                    context.addVillager("c")
                }
                done.signal()
            }
            done.wait()
            let b = try context.villager("b")?.age ?? 0
            let sum: Int? = try context.value(Query(Villager.self).sum(\.age))
            return [Int64(first), Int64(try context.count(Villager.self)), a + b, Int64(sum ?? 0)]
        }
        #expect(seen == [2, 2, 200, 200])
        #expect(try await village.storedNames() == ["a", "b", "c"])
    }

    @Test(arguments: Medium.allCases) func sumsAreNeverTorn(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        for name in ["a", "b", "c"] { try await village.settle(name, age: 100) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<40 {
                group.addTask {
                    try await village.database.write { context in
                        let names = ["a", "b", "c"]
                        try context.villager(names[round % 3])?.age -= Int64(round)
                        try context.save()
                        try context.villager(names[(round + 1) % 3])?.age += Int64(round)
                    }
                }
                group.addTask {
                    let sum = try await village.database.read { context in
                        try ["a", "b", "c"].map { try context.villager($0)?.age ?? 0 }.reduce(0, +)
                    }
                    #expect(sum == 300)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func manyReadsAtATimeAllEnd() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        try await village.settle("a", age: 1)
        let ages = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<200 { group.addTask { try await village.storedAge("a") ?? 0 } }
            return try await group.reduce(0, +)
        }
        #expect(ages == 200)
    }

    @Test func aContextThatLeavesAReadCantBeReadFromLater() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        try await village.settle("a")
        let context = try await village.database.read { SendableBox($0) }.value
        await #expect(throws: (any Error).self) { try await context.perform { try context.villagerNames() } }
        #expect(try await village.storedNames() == ["a"])
    }
}
