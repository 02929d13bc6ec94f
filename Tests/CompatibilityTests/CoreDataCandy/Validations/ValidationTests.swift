import CoreDataCandy
import TestSupport
import Testing

@Suite struct ValidationTests {
    /// What a rule says about a value; nil if it accepts it.
    private func refusal<Value>(_ value: Value?, _ rule: Validation<Value>) -> String? {
        do {
            try rule.check(value)
            return nil
        } catch {
            return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        }
    }

    // Feature CANDY-49
    @Test func severalRulesAreCheckedInOrder() throws {
        struct Ruled: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let name = Field(\.name, validations: .hasPrefix("Do"), .contains("remi"), .count(6))
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.memory.stack().inContext { context throws in
            let player = Ruled(entity: PlayerRow().insert(into: context))
            func refusal(_ name: String) -> String? {
                guard case .failure(let error) = player.assign(name, to: \.name) else { return nil }
                return error.errorDescription
            }
            #expect(refusal("La")?.hasSuffix("The text has to begin with 'Do'.") == true)
            #expect(refusal("Do")?.hasSuffix("The text has to contain 'remi'.") == true)
            #expect(refusal("Doremifa")?.hasSuffix("The text has to have 6 characters.") == true)
            #expect(refusal("Doremi") == nil)
            #expect(player.current(\.name) == "Doremi")
        }
    }

    // Feature CANDY-50
    @Test func textRules() {
        #expect(refusal("a", .notEmpty) == nil)
        #expect(refusal("", .notEmpty) == "The text must not be empty.")
        #expect(refusal(" \n\t", .notEmpty) == "The text must not be empty.")
        #expect(refusal("Doremi", .hasPrefix("Do")) == nil)
        #expect(refusal("doremi", .hasPrefix("Do")) == "The text has to begin with 'Do'.")
        #expect(refusal("Doremi", .hasSuffix("mi")) == nil)
        #expect(refusal("Dore", .hasSuffix("mi")) == "The text has to end with 'mi'.")
        #expect(refusal("Doremi", .contains("rem")) == nil)
        #expect(refusal("Do", .contains("rem")) == "The text has to contain 'rem'.")
        #expect(refusal("Do", .doesNotContain("rem")) == nil)
        #expect(refusal("Doremi", .doesNotContain("rem")) == "The text must not contain 'rem'.")
        #expect(refusal("abc", .count(3)) == nil)
        #expect(refusal("ab", .count(3)) == "The text has to have 3 characters.")
        #expect(refusal("👩‍👩‍👧é", .count(2)) == nil)
    }

    // Feature CANDY-51
    @Test func electronicMail() {
        for address in ["t@email.co", "test+topic@email.com", "0@email.com", "a.b_c%d-e@sub.email.info"] {
            #expect(refusal(address, .isEmail) == nil, "\(address)")
        }
        let refused = [
            "@email.com", "t@.co", "test@e.c", "test@example", "é@email.com", "e@ma:l.com", "", "a@b.co extra",
            "a@b.co\n", "two@at@email.com",
        ]
        for address in refused {
            #expect(refusal(address, .isEmail) != nil, "\(address)")
        }
    }

    // Feature CANDY-52
    @Test func numberRules() {
        #expect([17, 18, 24, 25].map { refusal($0, .isIn(18...24)) == nil } == [false, true, true, false])
        #expect([17, 18, 23, 24].map { refusal($0, .isIn(18..<24)) == nil } == [false, true, true, false])
        #expect([0.9, 1, 2, 2.1].map { refusal($0, .range(1...2)) == nil } == [false, true, true, false])
        #expect([0.9, 1, 1.9, 2].map { refusal($0, .range(1..<2)) == nil } == [false, true, true, false])
        #expect([2, 3, 4].map { refusal($0, .greaterThan(3)) == nil } == [false, false, true])
        #expect([2, 3, 4].map { refusal($0, .greaterThanOrEqualTo(3)) == nil } == [false, true, true])
        #expect([2, 3, 4].map { refusal($0, .lesserThan(3)) == nil } == [true, false, false])
        #expect([2, 3, 4].map { refusal($0, .lesserThanOrEqualTo(3)) == nil } == [true, true, false])
        #expect([2.9, 3, 3.1].map { refusal($0, .greaterThanOrEqualTo(3)) == nil } == [false, true, true])
    }

    // Feature CANDY-52
    @Test func notANumberFailsAll() {
        let rules: [Validation<Double>] = [
            .isIn(0...1), .isIn(0..<1), .range(0...1), .greaterThan(0), .greaterThanOrEqualTo(0), .lesserThan(0),
            .lesserThanOrEqualTo(0),
        ]
        for rule in rules { #expect(refusal(.nan, rule) != nil) }
    }

    // Feature CANDY-53
    @Test func notNil() {
        let call: Validation<String> = .notNil()
        let property: Validation<String> = .notNil
        #expect(refusal(nil, call) == "There has to be a value.")
        #expect(refusal(nil, property) == "There has to be a value.")
        #expect(refusal("", call) == nil)
        #expect(refusal(nil, Validation<String>.notEmpty) == nil)
    }
}
