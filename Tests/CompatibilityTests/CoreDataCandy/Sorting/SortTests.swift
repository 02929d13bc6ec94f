import CoreDataCandy
import TestSupport
import Testing

@Suite struct SortTests {
    private func titles(_ games: [Game]) -> String { games.mapCurrent(\.title).joined(separator: " ") }

    // Feature CANDY-19
    @Test func valuesComeBeforeNilInBothDirections() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let day = Date(timeIntervalSinceReferenceDate: 0)
            let games = [
                Game("none", in: context), Game("late", date: day + 100, in: context),
                Game("early", date: day, in: context),
            ]
            #expect(titles(games.sorted(by: .ascending(\.date))) == "early late none")
            #expect(titles(games.sorted(by: .descending(\.date))) == "late early none")
        }
    }

    // Feature CANDY-19
    @Test func severalSortsDecideInTurn() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let games = [
                Game("c", score: 1, in: context), Game("a", score: 2, in: context), Game("b", score: 1, in: context),
            ]
            #expect(titles(games.sorted(by: .ascending(\.score), .descending(\.title))) == "c b a")
            #expect(titles(games.sorted(by: .descending(\.score), .ascending(\.title))) == "a b c")
            // Ties stay in their order.
            #expect(titles(games.sorted(by: .ascending(\.score))) == "c b a")
            #expect(titles(games.sorted(by: [])) == "c a b")
        }
    }

    // Feature CANDY-19
    @Test func customOrders() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let games = ["ccc", "a", "bb"].map { Game($0, in: context) }
            #expect(titles(games.sorted(by: .custom(on: \.title, using: { $0.count < $1.count }))) == "a bb ccc")
            let names = ["b", "A", "a", "B"].map { Game($0, in: context) }
            let folded = names.sorted(by: .ascending(\.title, comparison: .caseInsensitive), .ascending(\.title))
            #expect(titles(folded) == "A a B b")
            #expect(titles(names.sorted(by: .descending(\.title, comparison: .caseInsensitive))) == "b B A a")
        }
    }

    // Feature CANDY-19
    @Test func unsavedValuesCount() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let one = Game("one", score: 1, in: context)
            let two = Game("two", score: 2, in: context)
            try context.save()
            one.assign(3, to: \.score)
            #expect(titles([one, two].sorted(by: .ascending(\.score))) == "two one")
        }
    }
}
