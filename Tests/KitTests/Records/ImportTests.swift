import OpenCoreDataKit
import TestSupport
import Testing

/// Imports into an open database, on disk and in memory.
@Suite struct ImportTests {
    private struct Item: Identifiable, Sendable {
        let id: Int
        let town: String
    }

    private struct Stop: Error {}

    private func database(inMemory: Bool, _ folder: TemporaryFolder) async throws -> Database {
        let configuration = Database.Configuration(
            name: "Towns", model: .value(TownModel.make()), stores: [.sqlite(at: folder.file("Towns.sqlite"))])
        return try await Database.open(inMemory ? configuration.inMemory() : configuration)
    }

    // Feature THR-23, BNR-13
    @Test(arguments: [false, true]) func anImportWithRelationshipsOverWhatIsThere(inMemory: Bool) async throws {
        let folder = try TemporaryFolder()
        let database = try await database(inMemory: inMemory, folder)
        let items = (0..<5000).map { Item(id: $0, town: "town \($0 % 10)") }
        let half = Array(items[..<2500])
        for (part, expected) in [(half, (2500, 0)), (items, (2500, 2500))] {
            let outcome = try await database.importing { context in
                try context.upsert(part.map(\.town), into: Town.self, key: \.self) { _, town in town.size += 1 }
                let towns = try context.objects(Town.self, keys: part.map(\.town))
                return try context.upsert(part, into: Resident.self) { item, resident in
                    resident.name = "r\(item.id)"
                    resident.town = towns[item.town]
                }
            }
            #expect((outcome.inserted, outcome.updated) == expected)
        }
        let found = try await database.read { context in
            let names = try context.rows(Query(Resident.self).summarized(.count(), by: \.town?.name))
            return (try context.count(Query(Resident.self)), try names.map { try $0.value("count", as: Int.self) })
        }
        #expect(found.0 == 5000)
        #expect(found.1 == Array(repeating: 500, count: 10))
        try await database.close()
    }

    @Test func nothingStaysOfAnImportThatThrows() async throws {
        let folder = try TemporaryFolder()
        let database = try await database(inMemory: false, folder)
        await #expect(throws: Stop.self) {
            try await database.importing { context in
                try context.upsert(Array(0..<100), into: Resident.self, batchSize: 30, key: \.self) {
                    number, resident in
                    if number == 70 { throw Stop() }
                    resident.name = "r\(number)"
                }
            }
        }
        #expect(try await database.read { try $0.count(Query(Resident.self)) } == 0)
        try await database.close()
    }

    // Feature THR-23
    @Test func aSaveThatFailsSaysWhy() async throws {
        let folder = try TemporaryFolder()
        let database = try await database(inMemory: false, folder)
        do {
            try await database.importing { context in
                try context.upsert(["Bree"], into: Town.self, key: \.self) { _, town in
                    town.setValue(nil, forKey: "name")
                }
            }
            Issue.record("Nothing was thrown.")
        } catch DatabaseError.validation(let failures) {
            #expect(failures.first?.property == "name")
        }
        try await database.close()
    }
}
