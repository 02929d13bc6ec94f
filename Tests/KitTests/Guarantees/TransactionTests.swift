import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

/// What `write` promises: all or nothing, one after the other, and nothing overwritten.
@Suite struct TransactionTests {
    static let layouts: [Layout] = [.standard, .nested, .merging, .siblings, .manual]

    private static func unique() -> NSManagedObjectModel {
        let model = VillageModel.make()
        model.entitiesByName["Villager"]?.uniquenessConstraints = [["name"]]
        return model
    }

    private static func openUnique(_ medium: Medium, in folder: TemporaryFolder) async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "Unique", model: unique(),
                stores: [medium == .disk ? .sqlite(at: folder.file("Unique.sqlite")) : .memory()]))
    }

    // MARK: All or nothing

    @Test(arguments: Medium.allCases, layouts)
    func whatABlockSavedBeforeItThrewIsGone(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Ada", age: 1)
        await #expect(throws: Mishap(number: 1)) {
            try await village.database.write { context in
                context.addVillager("Half")
                try context.villager("Ada")?.age = 2
                try context.save()
                #expect(try context.villagerNames() == ["Ada", "Half"])
                context.addVillager("Rest")
                throw Mishap(number: 1)
            }
        }
        #expect(try await village.storedNames() == ["Ada"])
        #expect(try await village.storedAge("Ada") == 1)
        try await village.settle("Next")
        #expect(try await village.storedNames() == ["Ada", "Next"])
        let inMain = try await MainActor.run { try village.database.main.villagers().map(\.age) }
        #expect(inMain == [1, 0])
        if medium == .disk { #expect(try village.sqlite("SELECT COUNT(*) FROM ZVILLAGER") == "2") }
    }

    @Test(arguments: Medium.allCases, layouts)
    func batchRequestsArePartOfTheBlock(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        for name in ["Ada", "Bob", "Cid"] { try await village.settle(name, age: 1) }
        await #expect(throws: Mishap(number: 2)) {
            try await village.database.write { context in
                #expect(try context.batchUpdate(Query(Villager.self), set: ["age": 9]) == 3)
                #expect(try context.villagers().map(\.age) == [9, 9, 9])
                #expect(try context.batchDelete(Query(Villager.self).filter("name == %@", "Bob")) == 1)
                let insert = NSBatchInsertRequest(entityName: "Villager", objects: [["name": "Dan"]])
                _ = try context.execute(insert)
                #expect(try context.count(Villager.self) == 3)
                throw Mishap(number: 2)
            }
        }
        let stored = try await village.database.read { try $0.villagers().map { "\($0.name ?? "")\($0.age)" } }
        #expect(stored == ["Ada1", "Bob1", "Cid1"])
    }

    @Test(arguments: Medium.allCases) func aBlockThatIsNotValidAtItsEndTakesItsSavesBack(_ medium: Medium) async throws
    {
        let village = try await Village.open(medium)
        await #expect(throws: DatabaseError.self) {
            try await village.database.write { context in
                context.addVillager("Saved")
                try context.save()
                context.addVillager(nil)
            }
        }
        #expect(try await village.storedNames() == [])
    }

    @Test(arguments: Medium.allCases) func aSaveThatIsRefusedCanBeCorrectedInTheBlock(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        try await village.database.write { context in
            context.addVillager("First")
            try context.save()
            let wrong = context.addVillager(nil)
            #expect(throws: (any Error).self) { try context.save() }
            wrong.name = "Second"
            try context.save()
        }
        #expect(try await village.storedNames() == ["First", "Second"])
    }

    @Test(arguments: Medium.allCases) func aCancelledBlockTakesItsSavesBack(_ medium: Medium) async throws {
        let village = try await Village.open(medium)
        let database = village.database
        let task = Locked<Task<Void, any Error>?>(nil)
        let late = Task {
            try await database.write { context in
                context.addVillager("Late")
                try context.save()
                while task.value == nil { Thread.sleep(forTimeInterval: 0.001) }
                task.value?.cancel()
            }
        }
        task.value = late
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try await village.storedNames() == [])
    }

    @Test func nobodySeesABlockBeforeItsEnd() async throws {
        for medium in Medium.allCases {
            let village = try await Village.open(medium, layout: .standard)
            let id = try await village.settle("Ada", age: 1)
            let (saves, saved) = AsyncStream.makeStream(of: Void.self)
            let goOn = DispatchSemaphore(value: 0)
            let commits = village.database.changes
            let work = Task.detached {
                try await village.database.write { context in
                    try context.villager("Ada")?.age = 2
                    context.addVillager("New")
                    try context.save()
                    saved.yield()
                    goOn.wait()
                }
            }
            for await _ in saves { break }
            #expect(try await village.storedNames() == ["Ada"])
            #expect(try await village.storedAge("Ada") == 1)
            let seen = await MainActor.run { (village.database.main.object(with: id) as? Villager)?.age }
            #expect(seen == 1)
            goOn.signal()
            try await work.value
            #expect(try await village.storedNames() == ["Ada", "New"])
            #expect(try await village.storedAge("Ada") == 2)
            try await village.database.close()
            var heard: [Commit] = []
            for await commit in commits { heard.append(commit) }
            #expect(heard.map(\.inserted.count) == [1] && heard.map(\.updated) == [[id]])
        }
    }

    // MARK: One after the other

    @Test(arguments: layouts)
    func incrementsOfEveryKindAreCounted(_ layout: Layout) async throws {
        let first = try await Village.open(.disk, layout: layout)
        let second = try await Village.open(.disk, layout: layout, in: first.folder)
        try await first.settle("Counter")
        let thrown = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<80 {
                group.addTask {
                    let database = number % 2 == 0 ? first.database : second.database
                    do {
                        switch number % 4 {
                        case 0, 1: try await database.write { try $0.villager("Counter")?.age += 1 }
                        case 2: try await database.importing { try $0.villager("Counter")?.age += 1 }
                        default:
                            let draft = database.draft()
                            try await draft.perform { try $0.villager("Counter")?.age += 1 }
                            try await draft.commit()
                        }
                    } catch { thrown.change { $0 += 1 } }
                }
            }
        }
        #expect(try await first.storedAge("Counter") == Int64(80 - thrown.value))
        #expect(thrown.value <= 20)
    }

    @Test(arguments: Medium.allCases, layouts)
    func incrementsOfPlainContextsBesideAreCounted(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        try await village.settle("Counter")
        let thrown = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    do {
                        guard number % 2 == 0 else {
                            return try await village.database.write { try $0.villager("Counter")?.age += 1 }
                        }
                        let context = village.database.context()
                        try await context.perform {
                            // The policies of some layouts have one side win.
                            context.mergePolicy = NSMergePolicy.error
                            try context.villager("Counter")?.age += 1
                            try context.save()
                        }
                    } catch { thrown.change { $0 += 1 } }
                }
            }
        }
        #expect(try await village.storedAge("Counter") == Int64(60 - thrown.value))
    }

    // MARK: Conflicts

    @Test(arguments: Medium.allCases) func aBlockWhoseRowWasChangedRunsAgain(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let id = try await village.settle("Hero", age: 1)
        // An object of another context's state: the version that the block saves is not the store's.
        let runs = Locked(0)
        try await village.database.write { context in
            runs.change { $0 += 1 }
            let hero = try #require(try context.object(Villager.self, id))
            if runs.value == 1 {
                throw DatabaseError.conflict([.init(entity: "Villager", objectID: id, properties: [], reason: "")])
            }
            hero.age += 1
        }
        #expect(runs.value == 2)
        #expect(try await village.storedAge("Hero") == 2)
        let more = Locked(0)
        for (conflicts, expected) in [(WriteConflicts.fail, 1), (.retry, 6), (.retry(atMost: 2), 3)] {
            more.value = 0
            await #expect(throws: DatabaseError.self) {
                try await village.database.write(conflicts: conflicts) { _ in
                    more.change { $0 += 1 }
                    throw DatabaseError.conflict([.init(entity: "", objectID: nil, properties: [], reason: "")])
                }
            }
            #expect(more.value == expected)
        }
    }

    @Test(arguments: Medium.allCases, layouts)
    func aDraftOfARowThatChangedIsAConflictWithBothVersions(_ medium: Medium, _ layout: Layout) async throws {
        let village = try await Village.open(medium, layout: layout)
        let id = try await village.settle("Hero", age: 1)
        let draft = village.database.draft()
        try await draft.perform { try $0.object(Villager.self, id)?.age = 10 }
        try await village.database.write { try $0.object(Villager.self, id)?.age = 20 }
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict(let conflicts)? = error, let conflict = conflicts.first else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflict.kind == .changed && conflict.objectID == id && conflict.entity == "Villager")
        #expect(conflict.properties == ["age"])
        #expect(conflict.yours["age"] == "10" && conflict.stored["age"] == "20")
        #expect(try await village.storedAge("Hero") == 20)
        // The draft is as before, and may win by name.
        #expect(try await draft.perform { try $0.object(Villager.self, id)?.age } == 10)
        #expect(try await draft.commit(conflicts: .mergeByPropertyObjectTrump) == .saved)
        #expect(try await village.storedAge("Hero") == 10)
    }

    @Test(arguments: Medium.allCases)
    func aDraftOfAnObjectThatIsGoneIsAConflict(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let id = try await village.settle("Hero", age: 1)
        let drafts = [village.database.draft(), village.database.draft()]
        try await drafts[0].perform { try $0.object(Villager.self, id)?.age = 10 }
        try await drafts[1].perform { context in try context.object(Villager.self, id).map(context.delete) }
        try await village.database.write { context in try context.object(Villager.self, id).map(context.delete) }
        for draft in drafts {
            let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
            guard case .conflict(let conflicts)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(conflicts.map(\.kind) == [.deleted] && conflicts.map(\.objectID) == [id])
        }
        #expect(try await village.storedNames() == [])
    }

    @Test(arguments: Medium.allCases) @MainActor
    func aDraftOnTheMainContextMeetsConflictsThere(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let id = try await village.settle("Hero", age: 1)
        let main = village.database.main
        let hero = try #require(try main.object(Villager.self, id))
        let draft = main.draft()
        try await draft.perform { try $0.object(Villager.self, id)?.age = 10 }
        hero.age = 20
        let error = await #expect(throws: DatabaseError.self) { try await draft.commit() }
        guard case .conflict(let conflicts)? = error, let conflict = conflicts.first else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflict.yours["age"] == "10" && conflict.stored["age"] == "20")
        #expect(hero.age == 20)
    }

    @Test(arguments: Medium.allCases) func aTakenKeyNamesTheObjectThatHasIt(_ medium: Medium) async throws {
        let folder = try TemporaryFolder()
        let database = try await Self.openUnique(medium, in: folder)
        let id = try await database.write { $0.addVillager("Ada", age: 1).objectID }
        let thrown = Locked<[DatabaseError]>([])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do { try await database.write { _ = $0.addVillager("Ada", age: 2) } } catch {
                        if let error = error as? DatabaseError { thrown.change { $0.append(error) } }
                    }
                }
            }
        }
        #expect(thrown.value.count == 8)
        for case .conflict(let conflicts) in thrown.value {
            #expect(conflicts.map(\.kind) == [.taken])
            #expect(conflicts.map(\.properties) == [["name"]] && conflicts.map(\.holder) == [id])
            #expect(conflicts.first?.entity == "Villager" && conflicts.first?.yours == ["name": "Ada"])
        }
        #expect(try await database.read { try $0.villagers().map(\.age) } == [1])
        // By name only.
        try await database.write(conflicts: .mergeByPropertyObjectTrump) { _ = $0.addVillager("Ada", age: 3) }
        #expect(try await database.read { try $0.villagers().map(\.age) } == [3])
    }

    @Test(arguments: Medium.allCases, [false, true])
    func aNewObjectThatGivesWayIsReported(_ medium: Medium, _ knowsHolder: Bool) async throws {
        let folder = try TemporaryFolder()
        let database = try await Self.openUnique(medium, in: folder)
        let holder = try await database.write { $0.addVillager("Ada", age: 1).objectID }
        var commits = database.changes.makeAsyncIterator()
        let given = try await database.write(conflicts: .mergeByPropertyObjectTrump) { context in
            let held = knowsHolder ? try context.object(Villager.self, holder) : nil
            return withExtendedLifetime(held) { context.addVillager("Ada", age: 2).objectID }
        }
        #expect(await commits.next()?.replaced == (given == holder ? [:] : [given: holder]))
        // In a plain context, too.
        let context = database.context()
        let dropped = try await context.perform { () -> NSManagedObjectID in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let held = try context.object(Villager.self, holder)
            let new = context.addVillager("Ada", age: 3)
            try context.obtainPermanentIDs(for: [new])
            let id = new.objectID
            try context.save()
            #expect(held?.age == 3 && new.managedObjectContext == nil)
            return id
        }
        #expect(await commits.next()?.replaced == [dropped: holder])
        #expect(try await database.read { try $0.villagers().map(\.age) } == [3])
    }

    // MARK: The main actor

    @Test(arguments: Medium.allCases) @MainActor
    func editsOfTheMainContextStayThere(_ medium: Medium) async throws {
        for layout in Self.layouts {
            let village = try await Village.open(medium, layout: layout)
            let main = village.database.main
            main.addVillager(nil)
            try await village.settle("Ada")
            try await village.database.importing { _ = $0.addVillager("Bob") }
            let draft = village.database.draft()
            try await draft.perform { _ = $0.addVillager("Cid") }
            try await draft.commit()
            #expect(try await village.storedNames() == ["Ada", "Bob", "Cid"])
            #expect(main.insertedObjects.count == 1)
        }
    }

    /// In a process of its own, as other tests would wait for the main thread that this one keeps, on threads that it needs.
    @Test func aBusyMainThreadHoldsNobodyUp() async {
        await #expect(processExitsWith: .success) { @MainActor in
            for medium in Medium.allCases {
                for layout in Self.layouts {
                    let village = try await Village.open(medium, layout: layout)
                    let done = DispatchSemaphore(value: 0)
                    Task.detached {
                        try await village.settle("Ada")
                        try await village.database.importing { _ = $0.addVillager("Bob") }
                        let draft = village.database.draft()
                        try await draft.perform { _ = $0.addVillager("Cid") }
                        try await draft.commit()
                        _ = try await village.storedNames()
                        done.signal()
                    }
                    #expect(done.wait(timeout: .now() + 60) == .success)
                }
            }
        }
    }

    @Test @MainActor func anEditOfWhatABatchDeletedIsAnErrorOfTheSave() async throws {
        for layout in [Layout.standard, .nested, .merging, .siblings] {
            for isEditedFirst in [false, true] {
                let village = try await Village.open(.disk, layout: layout)
                let id = try await village.settle("Ada", age: 1)
                let main = village.database.main
                let ada = try #require(try main.object(Villager.self, id))
                if isEditedFirst { ada.age = 2 }
                try await village.database.write { _ = try $0.batchDelete(Query(Villager.self)) }
                await main.perform(schedule: .enqueued) {}
                if !isEditedFirst { ada.age = 2 }
                let error = await #expect(throws: DatabaseError.self, "\(layout), \(isEditedFirst)") {
                    try await main.saveToStore()
                }
                guard case .conflict(let conflicts)? = error else { continue }
                #expect(conflicts.map(\.kind) == [.deleted] && conflicts.map(\.objectID) == [id])
                main.rollback()
                #expect(try await main.saveToStore() == .unchanged || !main.hasChanges)
            }
        }
    }

    @Test @MainActor func anEditOfWhatABatchDeletedIsAnErrorOfAPlainSaveToo() async throws {
        for layout in [Layout.standard, .nested, .merging, .siblings] {
            for isEditedFirst in [false, true] {
                let village = try await Village.open(.disk, layout: layout)
                let id = try await village.settle("Ada", age: 1)
                let main = village.database.main
                let ada = try #require(try main.object(Villager.self, id))
                if isEditedFirst { ada.age = 2 }
                try await village.database.write { _ = try $0.batchDelete(Query(Villager.self)) }
                await main.perform(schedule: .enqueued) {}
                if !isEditedFirst { ada.age = 2 }
                let error = #expect(throws: DatabaseError.self, "\(layout), \(isEditedFirst)") { try main.save() }
                guard case .conflict(let conflicts)? = error else { continue }
                #expect(conflicts.map(\.kind) == [.deleted] && conflicts.map(\.objectID) == [id])
                main.rollback()
                try main.save()
            }
        }
    }

    /// A plain context without the main one's merging.
    @Test func anEditOfWhatABatchDeletedIsAnErrorInABackgroundContext() async throws {
        for layout in Self.layouts {
            let village = try await Village.open(.disk, layout: layout)
            let id = try await village.settle("Ada", age: 1)
            let context = village.database.context()
            context.mergePolicy = NSMergePolicy.error
            try await context.perform { try context.object(Villager.self, id)?.age = 2 }
            try await village.database.write { _ = try $0.batchDelete(Query(Villager.self)) }
            await #expect(throws: (any Error).self) { try await context.perform { try context.save() } }
            #expect(try await village.storedNames() == [])
        }
    }
}
