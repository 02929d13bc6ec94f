import OpenCoreDataKit
import TestSupport
import Testing

/// Settling, erasing and closing, while others work.
@Suite struct LifeCycleTests {
    static let layouts: [Layout] = [.standard, .nested, .merging, .siblings, .manual]

    @Test(arguments: Medium.allCases, layouts)
    func afterSettlingEverySaveIsInTheStores(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let begun = Locked(0)
        let writes = (0..<20).map { number in
            Task {
                try await village.database.write { context in
                    begun.change { $0 += 1 }
                    context.addVillager("V\(number)")
                }
            }
        }
        while begun.value == 0 { await Task.yield() }
        let count = begun.value
        await village.database.settle()
        #expect(try await village.storedNames().count >= count)
        for write in writes { try await write.value }
        #expect(try await village.storedNames().count == 20)
    }

    @Test(arguments: Medium.allCases, layouts) @MainActor
    func erasingLeavesAnEmptyDatabaseThatWorks(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let database = village.database
        for number in 0..<100 { database.main.addVillager("V\(number)") }
        try await database.main.saveToStore()
        let old = database.main
        let oldDraft = database.draft()
        try await oldDraft.perform { _ = $0.addVillager("Old") }
        let write = Task { try await village.settle("Racing") }
        try await database.erase()
        _ = try await write.value

        #expect(database.main !== old)
        #expect(try await village.storedNames().allSatisfy { $0 == "Racing" })
        #expect(throws: (any Error).self) { try old.villagers() }
        await #expect(throws: DatabaseError.self) { try await old.saveToStore() }
        await #expect(throws: DatabaseError.self) { try await oldDraft.commit() }
        await #expect(throws: DatabaseError.self) { try await oldDraft.perform { _ in } }
        try await village.settle("New")
        #expect(try database.main.villager("New") != nil)
        if medium == .disk {
            #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER WHERE ZNAME LIKE 'V%'") == "0")
        }
    }

    @Test(arguments: Medium.allCases) func writesDuringAnErasureArrive(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        for round in 0..<5 {
            let writes = (0..<10).map { number in Task { try await village.settle("\(round)-\(number)") } }
            try await village.database.erase()
            for write in writes { _ = try await write.value }
            let names = try await village.storedNames()
            #expect(names.allSatisfy { $0.hasPrefix("\(round)-") })
        }
        try await village.database.erase()
        #expect(try await village.storedNames() == [])
    }

    @Test func twoErasuresFollowEachOther() async throws {
        let village = try await Village.open(.disk)
        try await village.settle("Ada")
        async let first: Void = village.database.erase()
        async let second: Void = village.database.erase()
        _ = try await (first, second)
        #expect(try await village.storedNames() == [])
        try await village.settle("Bob")
        #expect(try await village.storedNames() == ["Bob"])
    }

    @Test @MainActor func nothingWorksAfterClosing() async throws {
        let village = try await Village.open(.disk)
        let database = village.database
        let draft = database.draft()
        let commits = database.commits
        try await village.settle("Ada")
        try await database.close()
        func expectClosed(_ work: () async throws -> Void) async {
            let error = await #expect(throws: DatabaseError.self) { try await work() }
            guard case .closed("Village") = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        await expectClosed { try await database.write { _ in } }
        await expectClosed { try await database.read { _ in } }
        await expectClosed { try await database.importing { _ in } }
        await expectClosed { try await database.erase() }
        await expectClosed { try await database.close() }
        await expectClosed { _ = try await draft.commit() }
        await expectClosed { try await draft.perform { _ in } }
        await expectClosed { _ = try await database.main.saveToStore() }
        await database.settle()
        #expect(throws: (any Error).self) { try database.main.villagers() }
        var count = 0
        for await _ in commits { count += 1 }
        #expect(count == 1)
        var later = 0
        for await _ in database.commits { later += 1 }
        #expect(later == 0)
    }

    @Test func filesAreDeletedOnlyWhenNothingIsOpen() async throws {
        let folder = try TemporaryFolder()
        let configuration = Database.Configuration(
            name: "Village", model: .value(VillageModel.make()),
            stores: [
                .sqlite(in: .at(folder.url), configuration: "Lasting"),
                .binary(in: .at(folder.url), configuration: "Passing"),
            ])
        try Database.eraseFiles(of: configuration)
        let database = try await Database.open(configuration)
        try await database.write { context in
            context.addVillager("Ada")
            Notice(context: context).text = "x"
        }
        let error = #expect(throws: DatabaseError.self) { try Database.eraseFiles(of: configuration) }
        guard case .storeFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await database.read { try $0.villagerNames() } == ["Ada"])
        try await database.close()
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try Database.eraseFiles(of: configuration)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        let again = try await Database.open(configuration)
        #expect(try await again.read { try $0.villagerNames() } == [])
    }

    @Test func afterTheLastReferenceTheFileIsNotOpen() async throws {
        let folder = try TemporaryFolder()
        let configuration = Database.Configuration(
            name: "Village", model: .value(VillageModel.make()), stores: [.sqlite(in: .at(folder.url))])
        do {
            let database = try await Database.open(configuration)
            try await database.write { _ = $0.addVillager("Ada") }
        }
        let file = folder.file("Village.sqlite")
        #expect(try await eventually { !OpenFiles.contains(file) })
        try Database.eraseFiles(of: configuration)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test @MainActor func whatAFailedSaveLeftWaitingCanBeDiscarded() async throws {
        let village = try await Village.open(.disk)
        let main = village.database.main
        main.addVillager(nil)
        await #expect(throws: DatabaseError.self) { try await main.saveToStore() }
        #expect(main.hasChanges)
        await village.database.discardUnsaved()
        #expect(!main.hasChanges)
        try await village.settle("Bob")
        #expect(try await village.storedNames() == ["Bob"])
    }
}
