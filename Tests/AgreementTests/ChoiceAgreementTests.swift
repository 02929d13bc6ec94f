import Foundation
import OpenCoreData
import Testing

/// Values that a condition chooses, with numbers beyond those of 64 bits, searched in lists of attributes and constants.
///
/// `OPENCOREDATA_CHOICE_CASES` sets the number of cases, `OPENCOREDATA_CHOICE_SEED` the seed.
@Suite struct ChoiceAgreementTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let cases = environment["OPENCOREDATA_CHOICE_CASES"].flatMap { Int($0) } ?? 4_000
    private static let seed = environment["OPENCOREDATA_CHOICE_SEED"].flatMap { UInt64($0) } ?? 20_260_102
    private static let casesPerWorld = 400
    private static let constants = [
        "9223372036854775808", "18446744073709551615", "9223372036854775807", "-9223372036854775808", "1e19", "1", "0",
        "nil", "1.5", "\"1\"", "\"18446744073709551615\"", "\"a\"", "99999999999999999999999", "YES",
    ]

    @Test func chosenNumbersAreFoundInListsAsInMemory() throws {
        var random = RandomSource(seed: Self.seed)
        var failures: [String] = []
        for _ in 0..<(Self.cases / Self.casesPerWorld) where failures.count < 5 {
            var agreement = Agreement(try World(seed: random.next() >> 20))
            for _ in 0..<Self.casesPerWorld where failures.count < 5 {
                let entity = random.pick(agreement.world.layout.entities)
                let format = Self.format(entity, &random)
                guard let predicate = try? NSPredicate(validatingFormat: format) else { continue }
                var query = StoreQuery(entity: entity)
                query.predicate = predicate
                query.includesValues = false
                if let difference = agreement.compare(query, query) { failures.append("\(format): \(difference)") }
            }
        }
        for failure in failures { Issue.record("\(failure)") }
    }

    private static func format(_ entity: EntityLayout, _ random: inout RandomSource) -> String {
        func path() -> String {
            if random.chance(15), !entity.relationships.isEmpty {
                let relationship = random.pick(entity.relationships)
                let names = relationship.destination.slots.compactMap { $0?.name }
                if !relationship.isToMany, !names.isEmpty { return "\(relationship.name).\(random.pick(names))" }
            }
            return random.pick(entity.slots.compactMap { $0?.name } + ["1"])
        }
        func value(_ percent: Int) -> String { random.chance(percent) ? random.pick(constants) : path() }
        func condition() -> String { "\(path()) \(random.pick(["==", "!=", "<", ">="])) \(value(50))" }
        func choice(_ depth: Int) -> String {
            let inner = depth > 0 && random.chance(15) ? choice(depth - 1) : value(50)
            return "TERNARY(\(condition()), \(inner), \(value(50)))"
        }
        let list = (0..<(1 + random.below(4))).map { _ in random.chance(8) ? choice(0) : value(40) }
        let negation = random.chance(20) ? "NOT " : ""
        let end = random.chance(20) ? " \(random.pick(["AND", "OR"])) \(condition())" : ""
        return "\(negation)(\(choice(1)) IN {\(list.joined(separator: ", "))})\(end)"
    }
}
