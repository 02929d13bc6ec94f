import CoreDataMonk
import TestSupport
import Testing

/// Settings of a fetch.
@MainActor struct OptionsTests {
    // Feature MONK-44
    @Test func ofSeveralOfOneKindTheLastCounts() async throws {
        let people = try await PeopleStack.numbered(10)
        #expect(try people.names(options: .limit(2) | .limit(3)) == ["P00", "P01", "P02"])
        #expect(try people.names(options: .Limit(3) | .Offset(1) | .Limit(2)) == ["P01", "P02"])
        #expect(try people.world.fetch(Person.self, %"age" > 3, options: .limit(5)).age ?? 0 > 3)
    }

    // Feature MONK-45
    @Test(arguments: StoreKind.allCases) func subentitiesAreLeftOut(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for name in ["a", "b"] { try update.person(name) }
            try update.create(Student.self).name = "c"
        }
        #expect(try people.names() == ["a", "b", "c"])
        #expect(try people.names(options: .noSubEntities) == ["a", "b"])
        #expect(try people.names(options: .NoSubEntities) == ["a", "b"])
        #expect(try people.world.fetchCount(Person.self) == 3)
        #expect(try people.world.fetchCount(Person.self, options: .noSubEntities) == 2)
        #expect(try people.world.fetchAllIDs(Person.self, options: .noSubEntities).count == 2)
    }

    // Feature MONK-46
    @Test(arguments: StoreKind.allCases) func unsavedChangesAreNotConsidered(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.numbered(3, kind)
        people.world.beginUpdateAndWait { update in
            try update.person("New", age: 50)
            try people.first(update, "P02").age = 60
            try update.delete(people.first(update, "P00"))
            func names(_ query: CoreDataQuery?, _ options: CoreDataQueryOptions?) throws -> [String?] {
                try update.fetchAll(Person.self, query, orderBy: .ascending("name"), options: options).map(\.name)
            }
            #expect(try names(nil, nil) == ["New", "P01", "P02"])
            #expect(try names(nil, .noPendingChanges).contains("New") == false)
            #expect(try names(%"name" == "New", .NoPendingChanges).isEmpty)
            #expect(try names(%"age" == 60, nil) == ["P02"])
            #expect(try names(%"age" == 60, .noPendingChanges).isEmpty)
            #expect(try names(%"age" == 2, .noPendingChanges) == ["P02"])
            #expect(try update.fetchCount(Person.self, options: .noPendingChanges) == 3)
        }
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-47
    @Test func valuesLoadWhenTheyAreAskedFor() async throws {
        let people = try LoggedPeople()
        try await people.add(3)
        let main = try people.freshContext()
        people.log.clear()
        let found = try main.fetchAll(Person.self, orderBy: .ascending("age"), options: .noPropertyValues)
        #expect(found.map(\.isFault) == [true, true, true])
        let before = people.log.selects.count
        #expect(found[1].name == "P01")
        #expect(people.log.selects.count == before + 1)
        let again = try people.freshContext()
        let whole = try again.fetchAll(Person.self, orderBy: .ascending("age"))
        people.log.clear()
        #expect(whole.map(\.name) == ["P00", "P01", "P02"])
        #expect(people.log.selects.isEmpty)
        #expect(try people.freshContext().fetchAll(Person.self, options: .NoPropertyValues).count == 3)
    }

    // Feature MONK-48
    @Test(arguments: StoreKind.allCases) func windowsAreCutAfterOrdering(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.numbered(10, kind)
        func ages(_ options: CoreDataQueryOptions) throws -> [Int] {
            try people.world.fetchAll(Person.self, orderBy: .descending("age"), options: options).compactMap(\.age)
        }
        #expect(try ages(.limit(3)) == [9, 8, 7])
        #expect(try ages(.offset(7)) == [2, 1, 0])
        #expect(try ages(.limit(3) | .offset(2)) == [7, 6, 5])
        #expect(try ages(.limit(0)) == Array((0...9).reversed()))
        #expect(try ages(.offset(10)).isEmpty)
        #expect(try ages(.limit(5) | .offset(8)) == [1, 0])
    }

    // Feature MONK-48
    @Test(arguments: StoreKind.allCases) func windowsAreCutAfterPendingChanges(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.numbered(5, kind)
        people.world.beginUpdateAndWait { update in
            try update.person("New", age: 100)
            try update.delete(people.first(update, "P03"))
            let order: CoreDataOrderBy = .descending("age")
            let ages = try update.fetchAll(Person.self, orderBy: order, options: .limit(3)).compactMap(\.age)
            #expect(ages == [100, 4, 2])
            let rest = try update.fetchAll(Person.self, orderBy: order, options: .offset(2) | .limit(2))
            #expect(rest.compactMap(\.age) == [2, 1])
        }
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-49
    @Test func aBatchedResultReadsSlices() async throws {
        let people = try LoggedPeople()
        try await people.add(100)
        let main = try people.freshContext()
        people.log.clear()
        let found = try main.fetchAll(Person.self, orderBy: .ascending("age"), options: .batch(20))
        #expect(found.count == 100)
        let before = people.log.selects.count
        #expect(found[50].name == "P50")
        #expect(people.log.selects.count == before + 1)
        // Its neighbors came along, and others did not.
        #expect(found.filter { !$0.isFault || $0.name == nil }.count <= 100)
        #expect(people.log.selects.count <= before + 6)
    }

    // Feature MONK-50
    @Test func prefetchedObjectsNeedNoQueryOfTheirOwn() async throws {
        let people = try LoggedPeople()
        try await people.add(20, withFriends: true)
        func friends(_ options: CoreDataQueryOptions?) throws -> Int {
            let main = try people.freshContext()
            main.managedObjectContext.faultsFireForCohort = false
            let found = try main.fetchAll(Person.self, %"friend" != nil, options: options)
            people.log.clear()
            #expect(found.compactMap { $0.friend?.name }.count == 19)
            return people.log.selects.count
        }
        #expect(try friends(.prefetch(["friend"])) == 0)
        #expect(try friends(.Prefetch(["friend", "friend.friend"])) == 0)
        #expect(try friends(nil) > 0)
    }

    // Feature MONK-50
    @Test func anUnknownPathToPrefetchIsAnError() async throws {
        let people = try await PeopleStack.withFriends(.database)
        for path in ["enemies", "friend.enemies", "name"] {
            let error = #expect(throws: DatabaseError.self, "\(path)") {
                try people.world.fetchAll(Person.self, options: .prefetch([path]))
            }
            #expect(error.map { "\($0)" }?.contains(path.split(separator: ".").last ?? "") == true)
        }
    }

    // Feature MONK-51
    @Test(arguments: StoreKind.allCases) func otherPropertiesLoadWhenTheyAreAskedFor(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        people.world.reset()
        let found = try people.world.fetch(Person.self, %"name" == "Ann", options: .propertiesOnly(["name"]))
        #expect(found.name == "Ann" && found.age == 40 && found.location == "Taipei")
        #expect(throws: DatabaseError.self) {
            try people.world.fetchAll(Person.self, options: .PropertiesOnly(["shoeSize"]))
        }
    }

    // Feature MONK-51
    @Test(arguments: StoreKind.allCases) func namedPropertiesMeanNothingToQueries(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let rows = try people.world.query(
            Person.self, .select("age"), orderBy: .ascending("age"), options: .propertiesOnly(["name"]))
        #expect(rows.map { $0.keys.sorted() } == [["age"], ["age"]])
        #expect(try people.world.fetchAllIDs(Person.self, options: .propertiesOnly(["name"])).count == 2)
        #expect(
            try people.world.queryValue(Person.self, .sum("age"), options: .propertiesOnly(["name"])) as? NSNumber == 60
        )
    }

    // Feature MONK-52
    @Test(arguments: StoreKind.allCases) func equalRowsAreReturnedOnce(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for number in 0..<5 { try update.person("P\(number)", location: number < 3 ? "Taipei" : "Bern") }
        }
        #expect(try people.world.query(Person.self, .select("location")).count == 5)
        let rows = try people.world.query(Person.self, .select("location"), options: .distinct)
        #expect(Set(rows.compactMap { $0["location"] as? String }) == ["Taipei", "Bern"])
        #expect(rows.count == 2)
        #expect(try people.world.query(Person.self, .select("location"), options: .Distinct).count == 2)
    }

    // Feature MONK-53
    @Test func aTweakMaySetAnything() async throws {
        let people = try await PeopleStack.numbered(10)
        #expect(try people.names(options: .tweak { $0.fetchLimit = 2 }) == ["P00", "P01"])
        #expect(try people.names(options: .tweak { $0.fetchLimit = 2 } | .limit(1)) == ["P00"])
        #expect(try people.names(options: .limit(1) | .Tweak { $0.fetchLimit = 2 }) == ["P00", "P01"])
        let replaced = try people.names(
            %"age" < 5, options: .tweak { $0.predicate = NSPredicate(format: "age > 7") })
        #expect(replaced == ["P08", "P09"])
    }
}

/// People in a database whose statements are noted.
@MainActor struct LoggedPeople {
    let log = StatementLog()
    let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("Logged.sqlite")
    }

    /// A main context on a coordinator of its own, which knows no rows yet.
    func freshContext() throws -> CoreDataMainContext {
        let stack = CoreDataStack(model: PeopleModel.make(), rootContext: .none)
        try stack.persistentStoreCoordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: log.options)
        return try CoreDataMainContext(stack: stack)
    }

    func add(_ count: Int, withFriends: Bool = false) async throws {
        let context = try freshContext()
        context.beginUpdateAndWait { update in
            var last: Person?
            for number in 0..<count {
                let person = try update.person(String(format: "P%02d", number), age: number)
                if withFriends { person.friend = last }
                last = person
            }
            try update.commit()
        }
        await context.managedObjectContext.perform(schedule: .enqueued) {}
        #expect(context.stack.lastError == nil)
    }
}
