import OpenCoreDataKit
import TestSupport
import Testing

/// Sums and the like against tables computed by hand, on disk and in memory.
@Suite struct SummaryTests {
    /// Ages by street: A 10 20 40, B 5 7 and one without age, C one without age, none 30.
    private func filled(_ type: String, _ body: (Context) throws -> Void) throws {
        let stack = try TownStack(type)
        try stack.inContext { context throws in
            let rows: [(String?, Int32?)] = [
                ("A", 10), ("A", 20), ("A", 40), ("B", 5), ("B", 7), ("B", nil), ("C", nil), (nil, 30),
            ]
            for (index, row) in rows.enumerated() {
                let resident = try context.create(Resident.self)
                resident.code = Int64(index)
                resident.street = row.0
                resident.name = row.1.map { "n\($0)" }
                resident.setValue(row.1, forKey: "age")
                resident.height = row.1.map { Double($0) / 4 }
                resident.rent = row.1.flatMap { Decimal(string: "0.\($0)") }
                resident.born = row.1.map { Date(timeIntervalSinceReferenceDate: Double($0)) }
            }
            try context.save()
        }
        try stack.inContext(body)
    }

    private let all = Query(Resident.self)
    private func street(_ name: String) -> Query<Resident> {
        all.filter(NSPredicate(format: "street = %@", argumentArray: [name]))
    }

    // Feature MONK-29, MONK-56
    @Test(arguments: TownStack.storeTypes) func valuesOverAllObjects(type: String) throws {
        try filled(type) { context throws in
            #expect(try context.value(street("A").average(\.age)) == 70.0 / 3)
            #expect(try context.value(street("A").sum(\.age)) == 70)
            #expect(try context.value(street("A").min(\.age)) == Int32(10))
            #expect(try context.value(street("A").max(\.age)) == Int16(40))
            #expect(try context.value(street("A").median(\.age)) == 20.0)
            #expect(try context.value(street("B").median(\.age)) == 6.0)
            #expect(try context.value(street("B").standardDeviation(\.age)) == 1.0)
            #expect(try context.value(street("B").count(\.age)) == 2)
            #expect(try context.value(street("B").summarized(.count())) == 3)
            #expect(try context.value(all.max(\.name)) == "n7")
            #expect(try context.value(all.median(\.name)) == "n30")
            #expect(try context.value(all.median(\.born)) == Date(timeIntervalSinceReferenceDate: 10))
            #expect(try context.value(all.min(\.born)) == Date(timeIntervalSinceReferenceDate: 5))
            #expect(try context.value(street("A").sum(\.height)) == 17.5)
        }
    }

    // Feature MONK-56
    @Test(arguments: TownStack.storeTypes) func decimalsStayExact(type: String) throws {
        try filled(type) { context throws in
            #expect(try context.value(street("A").sum(\.rent)) == Decimal(string: "0.7"))
            #expect(try context.value(street("B").average(\.rent)) == Decimal(string: "0.6"))
            #expect(try context.value(street("B").median(\.rent)) == Decimal(string: "0.6"))
            #expect(try context.value(street("B").max(\.rent)) == Decimal(string: "0.7"))
        }
    }

    // Feature MONK-29
    @Test(arguments: TownStack.storeTypes) func nothingHasNoValueButCountsAndSumsAreZero(type: String) throws {
        try filled(type) { context throws in
            for query in [street("C"), street("nowhere")] {
                #expect(try context.value(query.average(\.age)) == nil as Double?)
                #expect(try context.value(query.median(\.age)) == nil as Double?)
                #expect(try context.value(query.standardDeviation(\.age)) == nil as Double?)
                #expect(try context.value(query.min(\.age)) == nil as Int?)
                #expect(try context.value(query.sum(\.age)) == 0)
                #expect(try context.value(query.sum(\.rent)) == Decimal(0))
                #expect(try context.value(query.count(\.age)) == 0)
            }
        }
    }

    // Feature MONK-28, MONK-57, MONK-58
    @Test(arguments: TownStack.storeTypes) func groupsAreRows(type: String) throws {
        try filled(type) { context throws in
            let summary = all.summarized(
                .average(\.age), .median(\.age, as: "middle"), .standardDeviation(\.age, as: "spread"),
                .count(\.age, as: "ages"), .count(), by: \.street
            ).sorted(by: "street")
            let rows = try context.rows(summary)
            #expect(rows.map { $0["street"] as? String } == [nil, "A", "B", "C"])
            #expect(try rows.map { try $0.value("age", as: Double.self) } == [30, 70.0 / 3, 6, nil])
            #expect(try rows.map { try $0.value("middle", as: Double.self) } == [30, 20, 6, nil])
            let spreads = try rows.map { try $0.value("spread", as: Double.self) }
            #expect(spreads[0] == 0 && (spreads[1] ?? 0) > 1 && spreads[2] == 1 && spreads[3] == nil)
            #expect(try rows.map { try $0.value("ages", as: Int.self) } == [1, 3, 2, 0])
            #expect(try rows.map { try $0.value("count", as: Int.self) } == [1, 3, 3, 1])
            #expect(rows[0].dictionary["street"] == nil && rows[0].names.first == "street")
            #expect(try context.rows(all.summarized(.count(), by: \.street, \.name)).count == 8)
            let byCount = try context.rows(summary.sorted(by: "count", ascending: false))
            #expect(byCount.count == 4)
        }
    }

    // Feature MONK-59
    @Test(arguments: TownStack.storeTypes) func groupsCanBeFiltered(type: String) throws {
        try filled(type) { context throws in
            let many = all.summarized(.count(), by: \.street, having: NSPredicate(format: "count > 1")).sorted(
                by: "street")
            #expect(try context.rows(many).map { $0["street"] as? String } == ["A", "B"])
            let named = all.summarized(.count(), by: \.street, having: NSPredicate(format: "street = 'B'"))
            #expect(try context.rows(named).map { $0["street"] as? String } == ["B"])
            expectError({ $0.queryReason?.contains("condition on groups") == true }) {
                _ = try context.rows(all.summarized(.count(), having: NSPredicate(format: "count > 1")))
            }
        }
    }

    // Feature MONK-52, MONK-54
    @Test(arguments: TownStack.storeTypes) func plainColumnsAndDistinctRows(type: String) throws {
        try filled(type) { context throws in
            #expect(try context.rows(all.values(of: \.street)).count == 8)
            let streets = try context.rows(all.distinct().values(of: \.street).sorted(by: "street"))
            #expect(streets.map { $0["street"] as? String } == [nil, "A", "B", "C"])
            let resident = try #require(try context.first(all.filter(#Predicate { $0.age == 30 })))
            resident.town = try context.create(Town.self)
            resident.town?.name = "Bree"
            try context.save()
            let rows = try context.rows(
                all.filter(#Predicate { $0.age == 30 }).values(of: \.name, \.town?.name, \.town))
            #expect(rows.first?["town.name"] as? String == "Bree")
            #expect(rows.first?["town"] as? NSManagedObjectID == resident.town?.objectID)
        }
    }

    // Feature MONK-55
    @Test(arguments: TownStack.storeTypes) func expressionsAreColumns(type: String) throws {
        try filled(type) { context throws in
            let sum = NSExpressionDescription()
            sum.name = "total"
            sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
            let byHand = try context.rows(all.summarized(.expression(sum), by: \.street).sorted(by: "street"))
            let named = try context.rows(all.summarized(.sum(\.age, as: "total"), by: \.street).sorted(by: "street"))
            #expect(byHand.map(\.description) == named.map(\.description))
            let odd = NSExpressionDescription()
            odd.name = "odd"
            odd.expression = NSExpression(format: "age * 2")
            expectError({ $0.queryReason?.contains("'odd'") == true }) {
                _ = try context.rows(all.summarized(.expression(odd)))
            }
        }
    }

    // Feature MONK-28, MONK-56, MONK-57
    @Test(arguments: TownStack.storeTypes) func mistakesAreErrorsThatNameThem(type: String) throws {
        try filled(type) { context throws in
            func refuses(_ summary: Summary<Resident>, _ words: String...) {
                expectError({ error in words.allSatisfy { error.queryReason?.contains($0) == true } }) {
                    _ = try context.rows(summary)
                }
            }
            refuses(all.sum(\.name), "'name'", "sum")
            refuses(all.average(\.born), "'born'")
            refuses(all.summarized(.average(\.age), .min(\.age)), "'age'", "another name")
            refuses(all.summarized(.count(), .field(\.name), by: \.street), "'name'", "grouped")
            refuses(all.summarized(.count(), .field(\.name)), "'name'", "grouped")
            refuses(all.summarized([Aggregate(.sum, of: "friends.age")], by: []), "to-many")
            refuses(all.summarized([Aggregate(.sum, of: "agge")], by: []), "Resident", "'agge'")
            refuses(all.values(of: \.mood), "transient")
            refuses(all.values(of: \.initials), "no property")
            refuses(all.values(of: \.name).sorted(by: "age"), "'age'")
            expectError({ $0.queryReason?.contains("2 columns") == true }) {
                let _: Int? = try context.value(all.summarized(.min(\.age), .max(\.age, as: "most")))
            }
            expectError({ if case .undecodable("Resident", "age", _, "String") = $0 { true } else { false } }) {
                let _: String? = try context.value(all.max(\.age))
            }
            let row = try #require(try context.rows(all.max(\.age)).first)
            expectError({ $0.queryReason?.contains("'ages'") == true }) { _ = try row.value("ages", as: Int.self) }
        }
    }

    @Test func summariesReadTheStoreAlone() throws {
        try filled(NSSQLiteStoreType) { context throws in
            try context.create(Resident.self).age = 1000
            #expect(try context.value(all.max(\.age)) == 40)
        }
    }
}
