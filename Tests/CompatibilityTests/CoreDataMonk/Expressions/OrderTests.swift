import CoreDataMonk
import Testing

/// The order of results.
@MainActor struct OrderTests {
    private func people(_ kind: StoreKind) async throws -> PeopleStack {
        let people = try PeopleStack(kind)
        try await people.update { update in
            for (name, age, location) in [
                ("b", 2, "Bern"), ("a", 2, nil), ("C", 1, "Ägypten"), ("d", nil, "Zug"), ("item 10", 3, nil),
                ("item 9", 3, nil),
            ] as [(String, Int?, String?)] {
                try update.person(name, age: age, location: location)
            }
        }
        return people
    }

    private func names(_ people: PeopleStack, _ order: CoreDataOrderBy) throws -> [String?] {
        try people.world.fetchAll(Person.self, orderBy: order).map(\.name)
    }

    // Feature MONK-43
    @Test(arguments: StoreKind.allCases) func theFirstKeyDecidesAndTheNextBreaksTies(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        #expect(
            try names(people, .ascending("age") | .ascending("name")) == ["d", "C", "a", "b", "item 10", "item 9"])
        #expect(
            try names(people, .descending("age") | .descending("name")) == ["item 9", "item 10", "b", "a", "C", "d"])
        #expect(
            try names(people, .Ascending("age") | .Descending("name")) == ["d", "C", "b", "a", "item 9", "item 10"])
    }

    // Feature MONK-43
    @Test(arguments: StoreKind.allCases) func noValueComesFirstAndTextsAreBinary(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        let order: CoreDataOrderBy = .ascending("location") | .ascending("name")
        #expect(try names(people, order) == ["a", "item 10", "item 9", "b", "d", "C"])
        #expect(try names(people, .ascending("name")) == ["C", "a", "b", "d", "item 10", "item 9"])
        #expect(try names(people, .Descending("location") | .ascending("name")).prefix(3) == ["C", "d", "b"])
    }

    // Feature MONK-43
    @Test(arguments: StoreKind.allCases) func aComparisonChangesHowTextsAreOrdered(_ kind: StoreKind) async throws {
        let people = try await people(kind)
        #expect(
            try names(people, .ascending("name", comparison: .caseInsensitive))
                == ["a", "b", "C", "d", "item 10", "item 9"])
        #expect(
            try names(people, .ascending("name", comparison: .localizedStandard)).suffix(2) == ["item 9", "item 10"])
        #expect(
            try names(people, .descending("name", comparison: .localizedCaseInsensitive)).suffix(4)
                == ["d", "C", "b", "a"])
    }

    // Feature MONK-43
    @Test func ordersAreSortDescriptors() {
        let order: CoreDataOrderBy = .ascending("name") | .Sort(NSSortDescriptor(key: "age", ascending: false))
        #expect(
            order.descriptors == [
                NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "age", ascending: false),
            ])
        let descriptor = NSSortDescriptor(key: "age", ascending: true)
        #expect(CoreDataOrderBy.sort(descriptor).descriptors.first === descriptor)
    }
}
