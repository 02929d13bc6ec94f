import CoreDataCandy
import TestSupport
import Testing

/// What predicates find: the same in a SQLite file, in memory, and among objects that are not saved yet.
@Suite struct PredicateResultTests {
    enum Place: CaseIterable, Sendable {
        case sqlite
        case memory
        case unsaved

        func withPlayers(_ players: [PlayerRow], _ block: (NSManagedObjectContext) throws -> Void) throws {
            if self != .unsaved {
                let kind = self == .sqlite ? StoreKind.sqlite : .memory
                return try kind.withPlayers(players, block)
            }
            let stack = try StoreKind.sqlite.stack()
            try stack.inContext { context throws in
                for row in players { row.insert(into: context) }
                try block(context)
            }
        }
    }

    private typealias Found = RequestBuilder<PlayerEntity, PredicateStep, [PlayerEntity]>

    /// The names that a request finds, sorted, "-" for none.
    private func names(_ builder: Found, _ context: NSManagedObjectContext) throws -> String {
        try builder.fetch(in: context).map { $0.name ?? "-" }.sorted().joined(separator: " ")
    }

    // Feature CANDY-37
    @Test(arguments: Place.allCases) func comparisonsFind(_ place: Place) throws {
        try place.withPlayers(PlayerRow.streamers) { context throws in
            let all = PlayerEntity.request().all()
            #expect(try names(all.where(\.name == "Zerator"), context) == "Zerator")
            #expect(try names(all.where(\.name != "Zerator"), context) == "- Joueur Maghla Mister MV")
            #expect(try names(all.where(\.name == nil), context) == "-")
            #expect(try names(all.where(\.name != nil), context) == "Joueur Maghla Mister MV Zerator")
            #expect(try names(all.where(\.age < 20), context) == "-")
            #expect(try names(all.where(\.age <= 20), context) == "- Joueur Maghla")
            #expect(try names(all.where(\.age > 30), context) == "Mister MV")
            #expect(try names(all.where(\.age >= 30), context) == "Mister MV Zerator")
            #expect(try names(all.where(\.ratio < 5), context) == "Mister MV Zerator")
            #expect(try names(all.where(\.ratio >= 10.5), context) == "Maghla")
            #expect(try names(all.where(\.isActive), context) == "Maghla Zerator")
            #expect(try names(all.where(\.isActive == false), context) == "- Joueur Mister MV")
        }
    }

    // Feature CANDY-39
    @Test(arguments: Place.allCases) func listsFind(_ place: Place) throws {
        try place.withPlayers(PlayerRow.streamers) { context throws in
            let all = PlayerEntity.request().all()
            #expect(try names(all.where(\.name, .isIn("Zerator", "Maghla", "who")), context) == "Maghla Zerator")
            #expect(try names(all.where(\.name, .isIn(["Zerator", nil])), context) == "Zerator")
            #expect(try names(all.where(\.name, isIn: ["Zerator"]), context) == "Zerator")
            #expect(try names(all.where(\.age, .isIn(18, 30)), context) == "- Zerator")
            #expect(try names(all.where(\.name, .isNotIn("Zerator", "Maghla")), context) == "- Joueur Mister MV")
            #expect(try names(all.where(\.name, .isNot(in: ["Zerator", "Maghla"])), context) == "- Joueur Mister MV")
            #expect(try names(all.where(\.name, isNotIn: ["Joueur"]), context) == "- Maghla Mister MV Zerator")
            #expect(try names(all.where(\.name, .isIn([])), context) == "")
            #expect(try names(all.where(\.name, .isNotIn([])), context) == "- Joueur Maghla Mister MV Zerator")
        }
    }

    // Feature CANDY-40
    @Test(arguments: Place.allCases) func rangesFind(_ place: Place) throws {
        try place.withPlayers(PlayerRow.streamers) { context throws in
            let all = PlayerEntity.request().all()
            #expect(try names(all.where(\.age, .isIn(18...30)), context) == "- Joueur Maghla Zerator")
            #expect(try names(all.where(\.age, .isIn(18..<30)), context) == "- Joueur Maghla")
            #expect(try names(all.where(\.age, .isNotIn(18...20)), context) == "Mister MV Zerator")
            #expect(try names(all.where(\.age, .isNotIn(18..<20)), context) == "Joueur Maghla Mister MV Zerator")
            #expect(try names(all.where(\.ratio, .isIn(0.5...10)), context) == "Joueur Mister MV Zerator")
            #expect(try names(all.where(\.ratio, .isIn(0.5..<10)), context) == "Mister MV Zerator")
            // What has no value lies in no range.
            #expect(try names(all.where(\.ratio, .isNotIn(0.5...10)), context) == "- Maghla")
            #expect(try names(all.where(\.ratio, .isNotIn(0.5..<10)), context) == "- Joueur Maghla")
        }
    }

    private static let odd =
        [
            "100%", "a_b", "axb", "été", "ete", "E\u{301}TE\u{301}", "*?[x]", "👩‍👩‍👧 family", "",
        ]
        .map { PlayerRow(name: $0) } + [PlayerRow(name: nil)]

    /// Whether a text operator finds what Swift says of each name.
    private func check(
        _ context: NSManagedObjectContext, _ operation: PredicateRightValue<PlayerEntity, String?, String>,
        _ isFound: (String?) -> Bool, _ comment: Comment
    ) throws {
        let found = try PlayerEntity.request().all().where(\.name, operation).fetch(in: context).map(\.name)
        #expect(Set(found) == Set(Self.odd.map(\.name).filter(isFound)), comment)
    }

    // Feature CANDY-41
    @Test(arguments: Place.allCases) func textsAreFoundLiterally(_ place: Place) throws {
        try place.withPlayers(Self.odd) { context throws in
            for part in ["100%", "a_b", "%", "_", "é", "e", "*", "?", "[x]", "👩‍👩‍👧"] {
                try check(context, .hasPrefix(part), { $0?.hasPrefix(part) == true }, "hasPrefix \(part)")
                try check(context, .hasNoPrefix(part), { $0?.hasPrefix(part) != true }, "hasNoPrefix \(part)")
                try check(context, .hasSuffix(part), { $0?.hasSuffix(part) == true }, "hasSuffix \(part)")
                try check(context, .hasNoSuffix(part), { $0?.hasSuffix(part) != true }, "hasNoSuffix \(part)")
                try check(context, .contains(part), { $0?.contains(part) == true }, "contains \(part)")
                try check(context, .doesNotContain(part), { $0?.contains(part) != true }, "doesNotContain \(part)")
            }
        }
    }

    // Feature CANDY-41
    @Test(arguments: Place.allCases) func theOperatorsServeTextsThatAreNotOptional(_ place: Place) throws {
        try place.withPlayers([]) { context throws in
            GameEntity(context: context).title = "Chess"
            GameEntity(context: context).title = "Go"
            let all = GameEntity.request().all()
            #expect(try all.where(\.title, .hasPrefix("Ch")).fetch(in: context).map(\.title) == ["Chess"])
            #expect(try all.where(\.title, .doesNotContain("e")).fetch(in: context).map(\.title) == ["Go"])
            #expect(try all.where(\.title, .isIn("Go", "Whist")).fetch(in: context).map(\.title) == ["Go"])
            #expect(try all.where(\.title, .matches("G.")).fetch(in: context).map(\.title) == ["Go"])
        }
    }

    // Feature CANDY-42
    @Test(arguments: Place.allCases) func regularExpressionsMatchTheWholeText(_ place: Place) throws {
        try place.withPlayers(PlayerRow.streamers) { context throws in
            let all = PlayerEntity.request().all()
            #expect(try names(all.where(\.name, .matches("^Z.*")), context) == "Zerator")
            #expect(try names(all.where(\.name, .matches("Z")), context) == "")
            #expect(try names(all.where(\.name, .matches("M.*(MV|la)")), context) == "Maghla Mister MV")
            #expect(try names(all.where(\.name, .doesNotMatch("M.*")), context) == "- Joueur Zerator")
            #expect(throws: (any Error).self) { try names(all.where(\.name, .matches("(")), context) }
        }
    }

    // Feature CANDY-43
    @Test(arguments: Place.allCases) func compoundsCombineFromLeftToRight(_ place: Place) throws {
        let rows = (0..<8).map { (bits: Int) in
            PlayerRow(name: "\(bits)", score: Int32(bits & 1), age: Int16(bits & 2) / 2, isActive: bits & 4 != 0)
        }
        try place.withPlayers(rows) { context throws in
            let all = PlayerEntity.request().all()
            func expected(_ isTrue: (Bool, Bool, Bool) -> Bool) -> String {
                rows.filter { isTrue($0.score == 1, $0.age == 1, $0.isActive) }.compactMap(\.name)
                    .joined(separator: " ")
            }
            #expect(
                try names(all.where(\.score == 1).or(\.age == 1).and(\.isActive), context)
                    == expected { ($0 || $1) && $2 })
            #expect(
                try names(all.where(\.score == 1).and(\.age == 1).or(\.isActive), context)
                    == expected { ($0 && $1) || $2 })
            #expect(
                try names(all.where(\.score, .isIn(1...2)).or(\.age, .isIn(1, 2)), context)
                    == expected { a, b, _ in a || b })
            #expect(
                try names(all.where(\.score, .isIn(1...2)).and(\.age, .isIn(1, 2)), context)
                    == expected { a, b, _ in a && b })
        }
    }

    // Feature CANDY-37
    @Test func valuesAreBoundAndNotSpliced() throws {
        try StoreKind.sqlite.withPlayers([PlayerRow(name: #"O'Hara"; DROP TABLE"#)]) { context throws in
            let found = try PlayerEntity.request().first().where(\.name == #"O'Hara"; DROP TABLE"#).fetch(in: context)
            #expect(found != nil)
        }
    }
}
