import Foundation
import OpenCoreData
import Testing

/// A format string that was used before gives the same predicate as parsing it again.
@Suite struct PredicateTemplateTests {
    /// Format strings with several lists of arguments, and what each prints as.
    nonisolated(unsafe) static let cases: [(String, [([Any], String)])] = [
        (
            "template1 == %@",
            [(["x"], "template1 == \"x\""), ([5], "template1 == 5"), ([NSNull()], "template1 == <null>")]
        ),
        (
            "template2 == %2$@ AND NOT %1$@ BEGINSWITH[c] other",
            [(["a", "b"], "template2 == \"b\" AND (NOT \"a\" BEGINSWITH[c] other)")]
        ),
        (
            "ANY template3.a > %d OR template3.b IN %@ OR SELF == 'q' OR c == 3",
            [
                ([1, ["y"]], "ANY template3.a > 1 OR template3.b IN {\"y\"} OR SELF == \"q\" OR c == 3"),
                ([2.5, [1, 2]], "ANY template3.a > 2.5 OR template3.b IN {1, 2} OR SELF == \"q\" OR c == 3"),
            ]
        ),
        ("NONE template4 LIKE %@", [(["x*"], "NOT ANY template4 LIKE \"x*\""), ([7], "NOT ANY template4 LIKE 7")]),
        (
            "template5 == %@",
            [
                (["x"], "template5 == \"x\""),
                ([NSExpression(forKeyPath: "other.key")], "template5 == other.key"),
                (["y"], "template5 == \"y\""),
            ]
        ),
        ("%K == %@", [(["template6", "x"], "template6 == \"x\""), (["other", "x"], "other == \"x\"")]),
        (
            "%@ AND template7 == %@",
            [
                ([NSPredicate(format: "a == 1"), 2], "a == 1 AND template7 == 2"),
                ([NSPredicate(format: "b == 2"), 3], "b == 2 AND template7 == 3"),
            ]
        ),
        (
            "template8.name + %@ == %@",
            [(["x", 1], "template8.name + \"x\" == 1"), ([2, 3], "template8.name + 2 == 3")]
        ),
        ("template9 BETWEEN {%@, 10}", [([1], "template9 BETWEEN {1, 10}"), ([2], "template9 BETWEEN {2, 10}")]),
    ]

    @Test(arguments: cases.indices)
    func aFormatStringUsedBeforeTakesOtherArguments(_ index: Int) {
        let (format, uses) = Self.cases[index]
        for _ in 1...3 {
            for (arguments, expected) in uses {
                #expect(NSPredicate(format: format, argumentArray: arguments).predicateFormat == expected)
            }
        }
    }

    @Test func argumentsThatDoNotFitAreAnErrorTheSecondTimeToo() throws {
        let format = "template10 == %@ AND template11 > %d"
        for _ in 1...2 {
            #expect(
                try NSPredicate(validatingFormat: format, argumentArray: ["x", 1]).predicateFormat
                    == "template10 == \"x\" AND template11 > 1")
            #expect(throws: CocoaError.self) { try NSPredicate(validatingFormat: format, argumentArray: ["x"]) }
            #expect(throws: CocoaError.self) { try NSPredicate(validatingFormat: format, argumentArray: ["x", "y"]) }
        }
    }

    @Test func predicatesOfOneFormatStringHaveNothingInCommon() throws {
        let predicates = ["a", "b"].map { NSPredicate(format: "template12 == %@", $0) }
        let comparisons = try predicates.map { try #require($0 as? NSComparisonPredicate) }
        #expect(comparisons.map { $0.rightExpression.constantValue as? String } == ["a", "b"])
        #expect(comparisons[0].leftExpression !== comparisons[1].leftExpression)
        #expect(comparisons[0] != comparisons[1])
        #expect(predicates[1].evaluate(with: ["template12": "b"]))
        #expect(!predicates[1].evaluate(with: ["template12": "a"]))
    }

    @Test func moreFormatStringsThanAreKeptAreParsedAllTheSame() {
        for round in 1...2 {
            for number in 0..<600 {
                let predicate = NSPredicate(format: "key\(number) == %@", "\(round)")
                #expect(predicate.predicateFormat == "key\(number) == \"\(round)\"")
            }
        }
    }
}
