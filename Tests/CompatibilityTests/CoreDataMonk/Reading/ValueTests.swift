import CoreDataMonk
import TestSupport
import Testing

/// Rows of values, single values and groups.
@MainActor struct ValueTests {
    /// Six people of three places, one of them unknown; one without an age.
    private func people(_ kind: StoreKind) async throws -> PeopleStack {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for (name, age, location, height) in [
                ("Ann", 10, "Bern", 1.5), ("Bob", 20, "Bern", 1.7), ("Cid", 40, "Bern", nil),
                ("Dan", 30, "Taipei", 1.8), ("Eve", nil, "Taipei", 1.6), ("Fay", 50, nil, 1.9),
            ] as [(String, Int?, String?, Double?)] {
                let person = try update.person(name, age: age, location: location)
                person.height = height
                person.born = age.map { Date(timeIntervalSinceReferenceDate: Double($0) * 1000) }
                person.title = name == "Ann" || name == "Dan" ? "Dr" : nil
            }
            try people.first(update, "Bob").friend = try people.first(update, "Ann")
        }
        return people
    }

    private func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

    // Feature MONK-28
    @Test(arguments: StoreKind.allCases) func aRowForEachGroup(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let rows = try people.world.query(
            Person.self, .Select("location") | .Average("age"), %"name" != "Cid", orderBy: .Descending("age"),
            groupBy: %"location")
        #expect(rows.count == 3)
        #expect(rows.map { $0["location"] as? String } == [nil, "Taipei", "Bern"])
        #expect(rows.map { number($0["age"]) } == [50, 30, 15])
        #expect((rows[1]["age"] as! NSNumber).doubleValue == 30)
        #expect(rows[1]["location"] as! String == "Taipei")
    }

    // Feature MONK-28
    @Test(arguments: StoreKind.allCases) func aMissingValueHasNoKey(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let rows = try people.world.query(
            Person.self, .select("name", "age", "location"), orderBy: .ascending("name"))
        #expect(rows.map { $0["name"] as? String } == ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"])
        #expect(rows[4].keys.sorted() == ["location", "name"])
        #expect(rows[5].keys.sorted() == ["age", "name"])
        #expect((rows[0]["age"] as? NSNumber)?.intValue == 10)
    }

    // Feature MONK-28
    @Test(arguments: StoreKind.allCases) func unsavedChangesAreNotRead(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        people.world.beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 99
            try update.person("New", age: 98)
            let rows = try update.query(Person.self, .select("age"), %"age" > 60)
            #expect(rows.isEmpty)
            #expect(number(try update.queryValue(Person.self, .max("age"))) == 50)
        }
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-28
    @Test(arguments: StoreKind.allCases) func mistakesInASelectionAreErrors(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let world = people.world
        func reason(_ body: () throws -> Any) -> String {
            do {
                _ = try body()
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        let unknown = reason { try world.query(Person.self, .select("shoeSize")) }
        #expect(unknown.contains("shoeSize") && unknown.contains("Person"))
        let ungrouped = reason { try world.query(Person.self, .select("name") | .sum("age"), groupBy: %"location") }
        #expect(ungrouped.contains("name"))
        let twice = reason { try world.query(Person.self, .average("age") | .min("age")) }
        #expect(twice.contains("age"))
        #expect(throws: DatabaseError.self) { try world.query(Person.self, .sum("age"), groupBy: %"shoeSize") }
    }

    // Feature MONK-29
    @Test(arguments: StoreKind.allCases) func oneValue(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let age = try people.world.queryValue(Person.self, .Average("age")) as! NSNumber
        #expect(age.doubleValue == 30)
        #expect(try people.world.queryValue(Person.self, .max("name")) as? String == "Fay")
        #expect(
            number(try people.world.queryValue(Person.self, .sum("age"), %"location" == "Bern")) == 70)
        #expect(throws: DatabaseError.self) { try people.world.queryValue(Person.self, .sum("age") | .max("name")) }
    }

    // Feature MONK-29
    @Test(arguments: StoreKind.allCases) func ofNothingThereAreCountsAndSumsOnly(_ kind: StoreKind) async throws {
        let people = try PeopleStack(kind)
        let world = people.world
        #expect(number(try world.queryValue(Person.self, .count("age"))) == 0)
        #expect(number(try world.queryValue(Person.self, .sum("age"))) == 0)
        for select in [
            CoreDataSelect.average("age"), .min("age"), .max("age"), .median("age"), .stdDev("age"), .select("age"),
        ] {
            do {
                let value = try world.queryValue(Person.self, select)
                Issue.record("\(select) of nothing gave \(value)")
            } catch DatabaseError.notFound(let entity, _) {
                #expect(entity == "Person")
            }
        }
    }

    // Feature MONK-54
    @Test(arguments: StoreKind.allCases) func propertiesAndPaths(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let rows = try people.world.query(Person.self, .select("name", "friend.name"), %"friend" != nil)
        #expect(rows.count == 1)
        #expect(rows[0]["name"] as? String == "Bob")
        #expect(rows[0]["friend.name"] as? String == "Ann")
        #expect(throws: DatabaseError.self) { try people.world.query(Person.self, .select("friends.name")) }
    }

    private func expression(_ name: String, _ expression: NSExpression, _ type: NSAttributeType? = nil)
        -> NSExpressionDescription
    {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        if let type { description.expressionResultType = type }
        return description
    }

    // Feature MONK-55
    @Test(arguments: StoreKind.allCases) func anExpressionIsUsedAsItIs(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
        let rows = try people.world.query(
            Person.self,
            .expression(expression("byHand", sum, .integer64AttributeType)) | .Expression(expression("derived", sum))
                | .sum("age"))
        #expect(rows.count == 1)
        #expect(number(rows[0]["byHand"]) == 150)
        #expect(number(rows[0]["derived"]) == 150)
        #expect(number(rows[0]["age"]) == 150)
        let path = try people.world.query(
            Person.self, .expression(expression("who", NSExpression(forKeyPath: "name"))), %"age" == 10)
        #expect(path.first?["who"] as? String == "Ann")
    }

    // Feature MONK-55
    @Test func aTypeThatDoesNotFollowIsAnError() async throws {
        let people = try await people(.database)
        let odd = expression("odd", NSExpression(format: "age + height"))
        let error = #expect(throws: DatabaseError.self) { try people.world.query(Person.self, .expression(odd)) }
        #expect(error.map { "\($0)" }?.contains("odd") == true)
    }

    // Feature MONK-56
    @Test(arguments: StoreKind.allCases) func functionsAgreeWithAHandMadeTable(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        func values(_ query: CoreDataQuery?) throws -> [String: Double] {
            let rows = try people.world.query(
                Person.self,
                .average("age", alias: "average") | .sum("age", alias: "sum") | .stdDev("age", alias: "stdDev")
                    | .min("age", alias: "min") | .max("age", alias: "max") | .median("age", alias: "median")
                    | .count("age", alias: "count"), query)
            #expect(rows.count == 1)
            return rows[0].compactMapValues { number($0) }.mapValues { ($0 * 1000).rounded() / 1000 }
        }
        // Odd: 10, 20, 30, 40, 50, and one without an age.
        #expect(
            try values(nil) == [
                "average": 30, "sum": 150, "stdDev": 14.142, "min": 10, "max": 50, "median": 30, "count": 5,
            ])
        // Even: 10, 20, 30, 40.
        #expect(
            try values(%"age" < 50) == [
                "average": 25, "sum": 100, "stdDev": 11.18, "min": 10, "max": 40, "median": 25, "count": 4,
            ])
        // One object without a value, and none at all.
        #expect(try values(%"name" == "Eve") == ["sum": 0, "count": 0])
        #expect(try values(%"name" == "Nobody") == ["sum": 0, "count": 0])
    }

    // Feature MONK-56
    @Test(arguments: StoreKind.allCases) func resultsHaveTheirTypes(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let world = people.world
        #expect(number(try world.queryValue(Person.self, .Sum("height"))).map { ($0 * 10).rounded() } == 85)
        #expect(try world.queryValue(Person.self, .Min("name")) as? String == "Ann")
        #expect(
            try world.queryValue(Person.self, .Max("born")) as? Date == Date(timeIntervalSinceReferenceDate: 50_000))
        #expect(
            try world.queryValue(Person.self, .Median("born")) as? Date == Date(timeIntervalSinceReferenceDate: 30_000))
        // An even number of dates: the lower of the two in the middle.
        #expect(
            try world.queryValue(Person.self, .median("born"), %"age" < 50) as? Date
                == Date(timeIntervalSinceReferenceDate: 20_000))
        #expect((try world.queryValue(Person.self, .Count("location")) as? NSNumber)?.intValue == 5)
        #expect(number(try world.queryValue(Person.self, .StdDev("age"), %"age" == 10)) == 0)
    }

    // Feature MONK-56
    @Test(arguments: StoreKind.allCases) func aTextIsNoNumber(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        for select in [CoreDataSelect.sum("name"), .average("name"), .stdDev("name")] {
            let error = #expect(throws: DatabaseError.self) { try people.world.queryValue(Person.self, select) }
            #expect(error.map { "\($0)" }?.contains("name") == true)
        }
        let unknown = #expect(throws: DatabaseError.self) { try people.world.queryValue(Person.self, .sum("size")) }
        #expect(unknown.map { "\($0)" }.map { $0.contains("size") && $0.contains("Person") } == true)
    }

    // Feature MONK-57
    @Test(arguments: StoreKind.allCases) func targetsAreJoined(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let rows = try people.world.query(Person.self, .Average("age") | .Min("age", alias: "min_age"))
        #expect(rows.count == 1)
        #expect(number(rows[0]["age"]) == 30)
        #expect(number(rows[0]["min_age"]) == 10)
        let error = #expect(throws: DatabaseError.self) {
            try people.world.query(Person.self, .average("age") | .min("age"))
        }
        #expect(error.map { "\($0)" }?.contains("'age'") == true)
    }

    // Feature MONK-58
    @Test(arguments: StoreKind.allCases) func groupsByTwoKeys(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let rows = try people.world.query(
            Person.self, .select("location", "title") | .count("name", alias: "heads"),
            groupBy: %"location" | %"title")
        let table = Set(
            rows.map { row in
                "\(row["location"] ?? "-") \(row["title"] ?? "-") \(number(row["heads"]) ?? -1)"
            })
        #expect(table == ["Bern Dr 1.0", "Bern - 2.0", "Taipei Dr 1.0", "Taipei - 1.0", "- - 1.0"])
        #expect(rows.count == 5)
    }

    // Feature MONK-59
    @Test(arguments: StoreKind.allCases) func groupsAreFiltered(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        func places(_ having: CoreDataQuery) throws -> Set<String> {
            let rows = try people.world.query(
                Person.self, .select("location") | .count("name", alias: "heads"), groupBy: %"location", having: having)
            return Set(rows.map { $0["location"] as? String ?? "-" })
        }
        #expect(try places(%"heads" > 1) == ["Bern", "Taipei"])
        #expect(try places(%"heads" > 2) == ["Bern"])
        #expect(try places(%"location" == "Taipei") == ["Taipei"])
        let counted = NSComparisonPredicate(
            leftExpression: NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "name")]),
            rightExpression: NSExpression(forConstantValue: 1), type: .equalTo)
        #expect(try places(.predicate(counted)) == ["-"])
    }

    // Feature MONK-59
    @Test(arguments: StoreKind.allCases) func aConditionOnGroupsMayComputeWhatAColumnOfThatNameDoes(
        _ kind: StoreKind
    ) async throws {
        let people = try await people(kind)
        func places(_ having: CoreDataQuery) throws -> Set<String> {
            let rows = try people.world.query(
                Person.self, .Select("location") | .Average("age"), groupBy: %"location", having: having)
            return Set(rows.map { $0["location"] as? String ?? "-" })
        }
        let plain = try places(%"age" > 0)
        #expect(!plain.isEmpty)
        #expect(try places(.Where("average:(age) > 0")) == plain)
    }

    // Feature MONK-28
    @Test(arguments: [CoreDataContext.UpdateTarget.mainContext, .rootContext(autoMerge: true), .persistentStore])
    func whatAnAwaitedUpdateCommittedIsThereAtOnce(_ target: CoreDataContext.UpdateTarget) throws {
        let people = try PeopleStack(.database, target: target)
        people.world.beginUpdateAndWait { update in
            try update.person("Ann", age: 5)
            try update.commit()
        }
        #expect(try people.world.query(Person.self, .Select("name")).compactMap { $0["name"] as? String } == ["Ann"])
        #expect(number(try people.world.queryValue(Person.self, .Sum("age"))) == 5)
        people.world.reset()
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 5)
        let context = people.world.beginUpdateContext()
        context.performAndWait { update in
            try update.person("Bob", age: 6)
            try update.commit()
        }
        people.world.reset()
        #expect(number(try people.world.queryValue(Person.self, .Sum("age"))) == 11)
        let outsider = try people.outsider()
        #expect(
            try outsider.performAndWait { try outsider.count(for: NSFetchRequest<Person>(entityName: "Person")) } == 2)
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-59
    @Test func aConditionOnGroupsNeedsGroups() async throws {
        let people = try await people(.database)
        #expect(throws: DatabaseError.self) {
            try people.world.query(Person.self, .count("name", alias: "heads"), having: %"heads" > 1)
        }
    }
}
