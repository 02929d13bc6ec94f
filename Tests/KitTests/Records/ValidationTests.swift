import Foundation
import OpenCoreDataKit
import Testing

@Suite struct ValidationTests {
    private func accepts<Value>(_ rule: Validation<Value>, _ value: Value?) -> Bool {
        do {
            try rule.check(value)
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [
        (Validation<String>.notEmpty, " a ", " \n"), (.hasPrefix("ab"), "abc", "bab"), (.hasSuffix("ab"), "cab", "abc"),
        (.contains("b"), "abc", "ac"), (.doesNotContain("b"), "ac", "abc"), (.count(2), "a👨‍👩‍👧", "abc"),
        (.isOne(of: "a", "b"), "b", "c"),
    ])
    func textsAreAcceptedOrRefused(_ rule: Validation<String>, _ good: String, _ bad: String) {
        #expect(accepts(rule, good) && !accepts(rule, bad) && accepts(rule, nil))
    }

    @Test(arguments: ["t@email.co", "test+topic@email.com", "0@email.com"])
    func addressesAreAccepted(_ address: String) { #expect(accepts(.isEmail, address)) }

    @Test(arguments: ["@email.com", "t@.co", "test@e.c", "test@example", "é@email.com", "e@ma:l.com", "a@b.co\n"])
    func whatIsNoAddressIsRefused(_ string: String) { #expect(!accepts(.isEmail, string)) }

    @Test func numbersAreComparedWithBounds() {
        #expect(accepts(.isIn(18...24), 24) && !accepts(.isIn(18...24), 25) && accepts(.isIn(18...24), 18))
        #expect(accepts(.isIn(18..<24), 23) && !accepts(.isIn(18..<24), 24))
        #expect(accepts(.greaterThan(1), 2) && !accepts(.greaterThan(1), 1))
        #expect(accepts(.greaterThanOrEqual(to: 1), 1) && !accepts(.greaterThanOrEqual(to: 1), 0))
        #expect(accepts(.lessThan(1.5), 1.4) && !accepts(.lessThan(1.5), 1.5))
        #expect(accepts(.lessThanOrEqual(to: 1.5), 1.5) && !accepts(.lessThanOrEqual(to: 1.5), 1.6))
        let rules: [Validation<Double>] = [
            .isIn(0...1), .isIn(0..<1), .greaterThan(0), .greaterThanOrEqual(to: 0), .lessThan(1),
            .lessThanOrEqual(to: 1),
        ]
        for rule in rules { #expect(!accepts(rule, .nan)) }
    }

    @Test func nilIsRefusedByOneRuleOnly() {
        #expect(!accepts(Validation<Int>.notNil, nil) && accepts(Validation<Int>.notNil, 0))
    }

    @Test func aRuleThrowsWhatItWants() {
        struct Own: Error {}
        let rule = Validation<Int> { if $0 == 3 { throw Own() } }
        #expect(throws: Own.self) { try rule.check(3) }
        let refusal = #expect(throws: Validation<Int>.Refusal.self) { try Validation<Int>.greaterThan(5).check(1) }
        #expect(refusal?.errorDescription == "The value has to be greater than 5.")
    }
}
