import CoreDataMonk
import TestSupport
import Testing

/// Keys, comparisons and their joining: the predicates that they make, and what these find.
@MainActor struct PredicateTests {
    // Feature MONK-36
    @Test func allSpellingsOfAKeyAreTheSame() {
        #expect((%"name").paths == ["name"])
        #expect(("name"%).paths == ["name"])
        #expect((%"name"%).paths == ["name"])
        #expect((%"friend.age").paths == ["friend.age"])
        #expect((%"name" == "Monk").description == "name == \"Monk\"")
        #expect(("name"% == "Monk").description == "name == \"Monk\"")
        #expect((%"friend.age" > 3).description == "friend.age > 3")
    }

    // Feature MONK-36
    @Test(arguments: StoreKind.allCases) func aPathReachesThroughARelationship(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let found = try people.world.fetchAll(Person.self, %"friend.name" == "Ann")
        #expect(found.map(\.name) == ["Bob"])
    }

    // Feature MONK-37
    @Test func modifiersAreWrittenInFront() {
        #expect((%"friends.age"%.any > 30).description == "ANY friends.age > 30")
        #expect((%"friends.age"%.all > 30).description == "ALL friends.age > 30")
        #expect((%"friends.age").any.description == "ANY friends.age")
        #expect((%"friends.age").all.description == "ALL friends.age")
    }

    // Feature MONK-37
    @Test(arguments: StoreKind.allCases) func anyAsksForOneFriendAndAllForEach(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            let young = try update.person("Young", age: 20)
            let old = try update.person("Old", age: 40)
            try update.person("Both", age: 1).friends = [young, old]
            try update.person("OnlyOld", age: 1).friends = [old]
        }
        func names(_ query: CoreDataQuery) throws -> [String?] {
            try people.world.fetchAll(Person.self, query, orderBy: .ascending("name")).map(\.name)
        }
        #expect(try names(%"friends.age"%.any > 30) == ["Both", "OnlyOld"])
        // ALL is true without friends.
        #expect(try names(%"friends.age"%.all > 30) == ["Old", "OnlyOld", "Young"])
        #expect(try names(%"friends.age"%.all > 30 && %"age" == 1) == ["OnlyOld"])
        #expect(try names(%"friends.age"%.any < 30) == ["Both"])
    }

    // Feature MONK-37
    @Test(arguments: StoreKind.allCases) func overAToOneThereIsNothingToModify(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        for query in [%"friend.age" > 30, %"friend.age"%.any > 30, %"friend.age"%.all > 30] {
            #expect(try people.world.fetchAll(Person.self, query).map(\.name) == ["Bob"], "\(query)")
        }
    }

    // Feature MONK-38
    @Test func comparisonsSayWhatPredicatesSay() {
        let born = Date(timeIntervalSinceReferenceDate: 0)
        let pairs: [(CoreDataQuery, NSPredicate)] = [
            (%"name" == "monk", NSPredicate(format: "%K == %@", "name", "monk")),
            (%"name" != "monk", NSPredicate(format: "%K != %@", "name", "monk")),
            (%"age" > 3, NSPredicate(format: "age > 3")), (%"age" < 3, NSPredicate(format: "age < 3")),
            (%"age" >= 3, NSPredicate(format: "age >= 3")), (%"age" <= 3, NSPredicate(format: "age <= 3")),
            (%"height" >= 1.5, NSPredicate(format: "height >= 1.5")),
            (%"born" < born, NSPredicate(format: "born < %@", argumentArray: [born])),
            (%"isMember" == true, NSPredicate(format: "isMember == YES")),
            (%"location" == nil, NSPredicate(format: "location == nil")),
            (%"location" != nil, NSPredicate(format: "location != nil")),
        ]
        for (query, predicate) in pairs { #expect(query.description == predicate.predicateFormat) }
    }

    // Feature MONK-38
    @Test(arguments: StoreKind.allCases) func everyComparisonOfEveryTypeFinds(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        func date(_ day: Double) -> Date { Date(timeIntervalSinceReferenceDate: day * 86_400) }
        try await people.update { update in
            for number in 1...3 {
                let person = try update.person("P\(number)", age: number)
                person.height = Double(number) + 0.5
                person.born = date(Double(number))
                person.isMember = number == 3
            }
            _ = try update.person("P4", age: nil)
        }
        func names(_ query: CoreDataQuery) throws -> String {
            try people.world.fetchAll(Person.self, query, orderBy: .ascending("name")).compactMap(\.name).joined()
        }
        let keys: [(CoreDataQueryKey, Any)] = [(%"age", 2), (%"height", 2.5), (%"born", date(2))]
        for (key, value) in keys {
            #expect(try names(key == value) == "P2", "\(key)")
            #expect(try names(key != value) == "P1P3P4", "\(key)")
            #expect(try names(key > value) == "P3", "\(key)")
            #expect(try names(key < value) == "P1", "\(key)")
            #expect(try names(key >= value) == "P2P3", "\(key)")
            #expect(try names(key <= value) == "P1P2", "\(key)")
            #expect(try names(key == nil) == "P4", "\(key)")
            #expect(try names(key != nil) == "P1P2P3", "\(key)")
        }
        #expect(try names(%"name" == "P2") == "P2")
        #expect(try names(%"name" > "P2") == "P3P4")
        #expect(try names(%"name" <= "P1") == "P1")
        #expect(try names(%"isMember" == true) == "P3")
        #expect(try names(%"isMember" != true) == "P1P2P4")
    }

    // Feature MONK-38
    @Test(arguments: StoreKind.allCases) func anOptionalIsWhatIsInIt(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        let some: String? = "Ann"
        let none: String? = nil
        let nested: Int?? = 40
        #expect(try people.world.fetchAll(Person.self, %"name" == some).count == 1)
        #expect(try people.world.fetchAll(Person.self, %"title" == none).count == 2)
        #expect(try people.world.fetchAll(Person.self, %"age" == nested as Any?).map(\.name) == ["Ann"])
        #expect((%"title" == none).description == (%"title" == nil).description)
    }

    // Feature MONK-38
    @Test(arguments: StoreKind.allCases) func mistakesInAConditionAreErrors(_ kind: StoreKind) async throws {
        let people = try await PeopleStack.withFriends(kind)
        #expect(throws: DatabaseError.self) { try people.world.fetchAll(Person.self, %"shoeSize" == 3) }
        #expect(throws: DatabaseError.self) { try people.world.fetch(Person.self, %"friend.shoeSize" == 3) }
        let error = #expect(throws: DatabaseError.self) { try people.world.fetchAll(Person.self, %"shoeSize" > 3) }
        #expect(error.map { "\($0)" }?.contains("shoeSize") == true)
        #expect(error.map { "\($0)" }?.contains("Person") == true)
    }

    // Feature MONK-38
    @Test func aTextForANumberIsAReadableError() async throws {
        for kind in StoreKind.allCases {
            let people = try await PeopleStack.withFriends(kind)
            let error = #expect(throws: DatabaseError.self, "\(kind)") {
                try people.world.fetchAll(Person.self, %"age" > "old")
            }
            #expect(error.map { "\($0)" }?.contains("age") == true)
        }
    }

    // Feature MONK-39
    @Test(arguments: StoreKind.allCases) func twoKeysAreCompared(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            try update.person("Taipei", age: 1).location = "Taipei"
            try update.person("Bern", age: 2).location = "Rome"
            let both = try update.person("Nobody", age: 3)
            (both.location, both.title) = (nil, nil)
            let rome = try people.first(update, "Bern")
            rome.title = "Rome"
        }
        func names(_ query: CoreDataQuery) throws -> [String?] {
            try people.world.fetchAll(Person.self, query, orderBy: .ascending("name")).map(\.name)
        }
        #expect((%"name" == %"location").description == "name == location")
        #expect((%"name" != %"location").description == "name != location")
        #expect(try names(%"name" == %"location") == ["Taipei"])
        #expect(try names(%"title" == %"location") == ["Bern", "Nobody"])
        #expect(try names(%"name" < %"location") == ["Bern"])
        #expect(try names(%"name" <= %"location") == ["Bern", "Taipei"])
        #expect(try names(%"location" > %"name") == ["Bern"])
        #expect(try names(%"location" >= %"name") == ["Bern", "Taipei"])
    }

    // Feature MONK-40
    @Test(arguments: StoreKind.allCases) func predicateStringsTakeArguments(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for (name, age) in [("Monk", 10), ("Mink", 20), ("Monkey", 30), ("MÖNK", 40)] {
                _ = try update.person(name, age: age)
            }
        }
        func names(_ query: CoreDataQuery) throws -> [String?] {
            try people.world.fetchAll(Person.self, query, orderBy: .ascending("age")).map(\.name)
        }
        let pattern = "M?nk"
        #expect(try names(.where("name like %@", pattern)) == ["Monk", "Mink"])
        #expect(try names(.Where("name like %@", "Monk*")) == ["Monk", "Monkey"])
        #expect(try names(.where("name ==[cd] %@", "monk")) == ["Monk", "MÖNK"])
        #expect(try names(.where("age BETWEEN %@", [15, 35])) == ["Mink", "Monkey"])
        #expect(try names(.where("age BETWEEN {%d, %d}", 15, 35)) == ["Mink", "Monkey"])
        #expect(try names(.where("name IN %@", ["Monk", "Mink"])) == ["Monk", "Mink"])
        #expect(try names(.where("%K > %ld", "age", 25)) == ["Monkey", "MÖNK"])
        #expect(try names(.where("age > %f", 25.5)) == ["Monkey", "MÖNK"])
        #expect(try names(.where("name == %@", "Monk") || %"age" == 40) == ["Monk", "MÖNK"])
        let none: String? = nil
        #expect(try names(.where("location == %@", none)).count == 4)
    }

    // Feature MONK-41
    @Test func aReadyPredicateGoesThroughAsItIs() async throws {
        let predicate = NSPredicate(format: "age > 30")
        #expect(CoreDataQuery.predicate(predicate).predicate === predicate)
        #expect(CoreDataQuery.Predicate(predicate).predicate === predicate)
        #expect(CoreDataQuery.Where(predicate).predicate === predicate)
        #expect(CoreDataQuery.where(predicate).predicate === predicate)
        let people = try await PeopleStack.withFriends(.database)
        #expect(try people.world.fetchAll(Person.self, .predicate(predicate)).map(\.name) == ["Ann"])
    }

    // Feature MONK-41
    @Test func aBlockWorksInMemoryAndIsAnErrorForADatabase() async throws {
        let (all, none) = (NSPredicate { object, _ in object != nil }, NSPredicate { _, _ in false })
        let memory = try await PeopleStack.withFriends(.memory)
        #expect(try memory.world.fetchAll(Person.self, .predicate(all)).count == 2)
        #expect(try memory.world.fetchAll(Person.self, .predicate(all) && %"age" > 30).map(\.name) == ["Ann"])
        #expect(try memory.world.fetchAll(Person.self, .predicate(none)).isEmpty)
        let database = try await PeopleStack.withFriends(.database)
        #expect(throws: DatabaseError.self) { try database.world.fetchAll(Person.self, .predicate(all)) }
    }

    // Feature MONK-42
    @Test func joinedConditionsHaveTheirParentheses() {
        let (a, b, c) = (%"age" == 1, %"age" == 2, %"age" == 3)
        #expect((a && b).description == "age == 1 AND age == 2")
        #expect((a || b).description == "age == 1 OR age == 2")
        #expect((!a).description == "NOT age == 1")
        #expect((a && b || c).description == "(age == 1 AND age == 2) OR age == 3")
        #expect((a && (b || c)).description == "age == 1 AND (age == 2 OR age == 3)")
        #expect((a || b && c).description == "age == 1 OR (age == 2 AND age == 3)")
        #expect((!(a && b)).description == "NOT (age == 1 AND age == 2)")
        #expect((!a && b).description == "(NOT age == 1) AND age == 2")
    }

    // Feature MONK-42
    @Test(arguments: StoreKind.allCases) func deMorganHolds(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for number in 0..<12 {
                let person = try update.person("P\(number)", age: number % 4)
                person.height = Double(number % 3)
            }
        }
        func ids(_ query: CoreDataQuery) throws -> Set<NSManagedObjectID> {
            Set(try people.world.fetchAllIDs(Person.self, query))
        }
        let (a, b) = (%"age" > 1, %"height" == 1.0)
        #expect(try ids(!(a && b)) == ids(!a || !b))
        #expect(try ids(!(a || b)) == ids(!a && !b))
        #expect(try ids(!(a && b)).count == 10)
        #expect(try ids(!(a || b)).count == 4)
    }
}
