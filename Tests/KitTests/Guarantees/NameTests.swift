import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// The names that people try who know other libraries.
@Suite struct NameTests {
    @Test func databasesAreOpenedByNameOrFile() async throws {
        let folder = try TemporaryFolder()
        let model = VillageModel.make()
        let named = try await Database.open(name: "Named", model: model, in: .at(folder.url))
        try await named.write { _ = $0.addVillager("Ada") }
        try await named.close()
        let opened = try await Database.open(at: folder.file("Named.sqlite"), model: model)
        #expect(try await opened.read { try $0.villagerNames() } == ["Ada"])
        #expect(opened.name == "Named" && opened.configuration.layout == .standard)
        let configured = Database.Configuration(name: "Named", model: model)
        #expect(configured.layout == .standard)
    }

    @Test func queriesAreWrittenAndRunInMoreThanOneWay() async throws {
        let village = try await Village.open(.memory)
        for (name, age) in [("Ada", 3), ("Bob", 1), ("Cid", 2)] { try await village.settle(name, age: Int64(age)) }
        let seen = try await village.database.read { context -> [[String]] in
            func names(_ villagers: [Villager]) -> [String] { villagers.compactMap(\.name) }
            let query = Query(Villager.self)
            return [
                names(try context.fetch(query.where(#Predicate { $0.age > 1 }).sorted(by: \.name))),
                names(try context.all(query.filter("name == %@", "Bob"))),
                names(try context.all(query.where("%K > %@", "age", 2))),
                names(try context.all(query.where(NSPredicate(format: "age == 2")))),
                names(try context.all(query.sorted(\.age, .reverse))),
                names(try context.all(Villager.self)).sorted(),
                [try context.first(Villager.self)?.name ?? ""].filter { !$0.isEmpty }.map { _ in "one" },
                ["\(try context.count(Villager.self))"],
            ]
        }
        #expect(
            seen == [
                ["Ada", "Cid"], ["Bob"], ["Ada"], ["Cid"], ["Ada", "Cid", "Bob"], ["Ada", "Bob", "Cid"], ["one"], ["3"],
            ])
    }

    @Test func aFormatThatCantBeReadThrows() async throws {
        let village = try await Village.open(.memory)
        await #expect(throws: DatabaseError.self) {
            try await village.database.read { _ = try $0.all(Query(Villager.self).filter("name ==")) }
        }
    }

    @Test func objectsAreFoundByTheirIdentifiers() async throws {
        let village = try await Village.open(.disk)
        let other = try await Village.open(.disk)
        let id = try await village.settle("Ada")
        let foreign = try await other.settle("Bob")
        #expect(try await village.database.read { try $0.object(Villager.self, id)?.name } == "Ada")
        await #expect(throws: DatabaseError.self) {
            try await village.database.read { _ = try $0.object(House.self, id) }
        }
        await #expect(throws: DatabaseError.self) {
            try await village.database.read { _ = try $0.object(Villager.self, foreign) }
        }
        try await village.database.write { context in try context.villager("Ada").map(context.delete) }
        #expect(try await village.database.read { try $0.object(Villager.self, id) == nil })
    }

    @Test @MainActor func objectsOfTheMainContextAreHandedToBlocks() async throws {
        let village = try await Village.open(.disk)
        try await village.settle("Ada", age: 1)
        let ada = try #require(try village.database.main.villager("Ada"))
        try await village.database.write(ada) { _, ada in ada.age += 1 }
        #expect(try await village.database.read(ada) { _, ada in ada.age } == 2)
        let new = village.database.main.addVillager("New")
        await #expect(throws: DatabaseError.self) { try await village.database.write(new) { _, new in new.age = 2 } }
        try await village.database.write { context in try context.villager("Ada").map(context.delete) }
        await #expect(throws: DatabaseError.self) { try await village.database.read(ada) { _, ada in ada.age } }
    }

    @Test(arguments: Medium.allCases) func summariesHaveALimitAndAnOrder(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        for (name, age) in [("Ada", 1), ("Bob", 1), ("Cid", 2), ("Dan", 3)] {
            try await village.settle(name, age: Int64(age))
        }
        let rows = try await village.database.read { context in
            try context.rows(
                Query(Villager.self).summarized(.count(as: "n"), by: \.age).sorted(by: \.age, .reverse).limit(2)
            ).map { row in try row.value("age") as Int64? }
        }
        #expect(rows == [3, 2])
    }
}

/// SQL inside of reads and writes.
@Suite struct SQLTests {
    @Test func statementsReadAndAreBound() async throws {
        let village = try await Village.open(.disk)
        guard village.isFile else { return }
        for (name, age) in [("Ada", 3), ("O'Hara", 1)] { try await village.settle(name, age: Int64(age)) }
        let rows = try await village.database.read { context in
            try context.sql("SELECT ZNAME AS name, ZAGE AS age FROM ZVILLAGER WHERE ZNAME = ? OR ZAGE > ?", "O'Hara", 2)
        }
        #expect(try rows.map { try $0.value("age", as: Int.self) } == [3, 1])
        #expect(try rows.map { try $0.value("name", as: String.self) } == ["Ada", "O'Hara"])
        for statement in ["DELETE FROM ZVILLAGER", "COMMIT", "/* x */ begin", "SELECT nothing", "SELECT ?"] {
            await #expect(throws: DatabaseError.self, "\(statement)") {
                try await village.database.read { try $0.sql(statement) }
            }
        }
        #expect(try await village.storedNames() == ["Ada", "O'Hara"])
    }

    @Test func oneStatementIsRunAndSeveralAreRefused() async throws {
        let village = try await Village.open(.disk)
        guard village.isFile else { return }
        for name in ["Ada", "Bob"] { try await village.settle(name, age: 1) }
        let several = [
            "DELETE FROM ZVILLAGER; UPDATE ZVILLAGER SET ZAGE = 5", "UPDATE ZVILLAGER SET ZAGE = 5; nonsense",
            "UPDATE ZVILLAGER SET ZAGE = 5;\0 DELETE FROM ZVILLAGER",
        ]
        for statement in several {
            await #expect(throws: DatabaseError.self, "\(statement)") {
                try await village.database.write { try $0.sql(statement) }
            }
        }
        #expect(try village.sqlite("SELECT group_concat(ZAGE) FROM ZVILLAGER") == "1,1")
        for (number, end) in [";", "; ;", " ; -- the end", ";/* ; */"].enumerated() {
            try await village.database.write { try $0.sql("UPDATE ZVILLAGER SET ZAGE = ?\(end)", number + 10) }
            #expect(try village.sqlite("SELECT group_concat(ZAGE) FROM ZVILLAGER") == "\(number + 10),\(number + 10)")
        }
    }

    @Test func numbersOfRowsArentRounded() async throws {
        let village = try await Village.open(.disk)
        guard village.isFile else { return }
        let row = try await village.database.read { context in
            try context.sql(
                "SELECT 9007199254740993 AS big, 16777217 AS odd, 9223372036854775807 AS most, 0.1 AS part, 2.0 AS two, "
                    + "1e300 AS vast, 1.00000001 AS near")[0]
        }
        #expect(try row.value("big", as: Int.self) == 9_007_199_254_740_993)
        #expect(try row.value("big", as: Decimal.self) == Decimal(9_007_199_254_740_993))
        #expect(try row.value("most", as: Int.self) == .max)
        #expect(try row.value("odd", as: Double.self) == 16_777_217)
        #expect(try row.value("two", as: Int.self) == 2)
        #expect(try row.value("part", as: Float.self) == 0.1)
        #expect(try row.value("part", as: Decimal.self) == Decimal(string: "0.1"))
        for name in ["big", "most"] {
            #expect(throws: DatabaseError.self, "\(name)") { try row.value(name, as: Double.self) }
        }
        for name in ["odd", "vast", "near"] {
            #expect(throws: DatabaseError.self, "\(name)") { try row.value(name, as: Float.self) }
        }
        for name in ["vast", "near", "part"] {
            #expect(throws: DatabaseError.self, "\(name)") { try row.value(name, as: Int.self) }
        }
    }

    @Test func objectsAreReadAgainAfterAStatement() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        guard village.isFile else { return }
        let database = village.database
        let id = try await village.settle("Ada", age: 3)
        let commits = database.changes
        // An object of the main context keeps the row in memory.
        let ada = try await MainActor.run { SendableBox(try #require(try database.main.object(Villager.self, id))) }
        #expect(await MainActor.run { ada.value.age } == 3)
        try await database.write { try $0.sql("UPDATE ZVILLAGER SET ZAGE = 9") }
        #expect(try await database.read { try $0.object(Villager.self, id)?.age } == 9)
        try await database.write { context in
            try context.sql("UPDATE ZVILLAGER SET ZAGE = 10")
            #expect(try context.object(Villager.self, id)?.age == 10)
        }
        #expect(try await database.read { try $0.object(Villager.self, id)?.age } == 10)
        await database.settle()
        #expect(await MainActor.run { ada.value.age } == 10)
        try await database.importing { context in
            try context.sql("UPDATE ZVILLAGER SET ZAGE = 11")
            context.addVillager("Bob")
        }
        _ = try await database.read { try $0.sql("SELECT 1") }
        try await database.write { _ = try $0.sql("SELECT 1") }
        try await database.close()
        var heard: [String] = []
        for await commit in commits { heard.append("\(commit.kind) \(commit.inserted.count)") }
        #expect(heard == ["saved 0", "saved 0", "imported 1", "imported 0"])
    }

    @Test func whatAStatementChangesIsPartOfTheWrite() async throws {
        let village = try await Village.open(.disk)
        guard village.isFile else { return }
        try await village.settle("Ada", age: 3)
        await #expect(throws: Mishap(number: 1)) {
            try await village.database.write { context in
                try context.sql("UPDATE ZVILLAGER SET ZAGE = ZAGE + ?", 1)
                #expect(try context.sql("SELECT ZAGE AS age FROM ZVILLAGER").first?.value("age", as: Int.self) == 4)
                throw Mishap(number: 1)
            }
        }
        #expect(try await village.storedAge("Ada") == 3)
        await #expect(throws: DatabaseError.self) { try await village.database.write { try $0.sql("COMMIT") } }
        try await village.database.write { try $0.sql("UPDATE ZVILLAGER SET ZAGE = ?", 9) }
        #expect(try await village.storedAge("Ada") == 9)
        await #expect(throws: DatabaseError.self) {
            try await Village.open(.memory).database.read { try $0.sql("SELECT 1") }
        }
    }
}
