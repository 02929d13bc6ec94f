import Foundation
import OpenCoreData
import Testing

@Suite struct PredicateFormatTests {
    /// Format strings and what they print as; nil where the text stays the same.
    static let prints: [(String, String?)] = [
        ("name == \"x\" AND (age > 3 OR (NOT flag == 1))", nil),
        ("name = 'x' && (age>3 || !flag=YES)", "name == \"x\" AND (age > 3 OR (NOT flag == 1))"),
        ("ANY tags.name CONTAINS[cd] \"a\"", nil),
        ("some tags.name contains[cd] 'a'", "ANY tags.name CONTAINS[cd] \"a\""),
        ("NONE tags.name == \"a\"", "NOT ANY tags.name == \"a\""),
        ("ALL tags.name LIKE \"a*\"", nil),
        ("SUBQUERY(books, $b, $b.pages > 3).@count > 1", nil),
        ("a BETWEEN {1, 10}", nil),
        ("a IN {1, 2, \"x\", nil}", nil),
        ("TRUEPREDICATE", nil),
        ("FALSEPREDICATE OR a == 1", nil),
        ("a => 1 and b =< 2 or c <> 3", "(a >= 1 AND b <= 2) OR c != 3"),
        ("a == 1 AND b == 2 AND c == 3", nil),
        ("(a == 1 AND b == 2) AND c == 3", nil),
        ("NOT (a == 1 AND b == 2)", nil),
        ("a == CAST(12.5, \"NSDate\")", "a == CAST(12.500000, \"NSDate\")"),
        ("a == CAST(12.0000001, \"NSDate\")", nil),
        ("NOT (NOT a == 1) AND (NOT ANY b.c == 2)", "(NOT (NOT a == 1)) AND (NOT ANY b.c == 2)"),
        ("a == <0a1bff>", nil),
        ("a == 0x1F OR a == 0b101 OR a == 0o17 OR a == 1.5e3", "a == 31 OR a == 5 OR a == 15 OR a == 1500"),
        ("a == -5 AND b == -1.25", nil),
        ("a + b * c - 2 ** 3 / 4 > 0", "(a + (b * c)) - ((2 ** 3) / 4) > 0"),
        ("(a + b) * c == 1", nil),
        ("sum(x) > count(y)", "sum:(x) > count:(y)"),
        ("modulus:by:(a, 2) == 1", nil),
        ("now() > date", nil),
        ("FUNCTION(a, 'caseInsensitiveCompare:', b) == 0", "FUNCTION(a, \"caseInsensitiveCompare:\", b) == 0"),
        ("TERNARY(a > 1, \"x\", b) == \"x\"", nil),
        ("a[FIRST] == 1 AND a[LAST] == 2 AND a[SIZE] == 3 AND a[4].name == 4", nil),
        ("SELF.name == \"x\"", nil),
        ("SELF IN {1, 2}", nil),
        ("$x == $y.name.@count", nil),
        ("#in == 1 AND a.#size == 2", nil),
        ("#1st == 1 AND a.#2nd.name == #name", "#1st == 1 AND a.#2nd.name == name"),
        ("a ==[c] \"x\" AND b MATCHES[cd] \"y\" AND c BEGINSWITH[n] \"z\" AND d ENDSWITH[l] \"w\"", nil),
        ("a == nil OR a != NULL OR b == NIL", "a == nil OR a != nil OR b == nil"),
        ("a == TRUE OR a == no", "a == 1 OR a == 0"),
        ("a == 'it\\'s' OR a == \"q\\\"\\n\\t\\x41\\u00e9\"", "a == \"it's\" OR a == \"q\\\"\\n\\tAé\""),
        ("books.@sum.price > 10 AND books.@count == 2 AND @avg.x < 3", nil),
        ("a UNION b == c INTERSECT (d MINUS e)", nil),
        ("objectFrom:withIndex:(a, 1) == 2", "a[1] == 2"),
        ("ANYKEY CONTAINS \"x\"", nil),
        ("a caseInsensitiveCompare: b", nil),
        ("café == 1 AND naïve.größe == 2", nil),
    ]

    @Test(arguments: prints.indices) func printsAsWritten(_ index: Int) throws {
        let (format, expected) = Self.prints[index]
        let predicate = try NSPredicate(validatingFormat: format)
        #expect(predicate.predicateFormat == expected ?? format)
        #expect(try NSPredicate(validatingFormat: predicate.predicateFormat) == predicate)
    }

    @Test func placeholdersTakeArgumentsOfManyTypes() throws {
        let date = Date(timeIntervalSinceReferenceDate: 100)
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let predicate = NSPredicate(
            format: "%K == %@ AND a.%K > %d AND b IN %@ AND c == %@ AND d == %@ AND e < %f AND f == %ld AND g = %lu",
            "name", "x", "age", 5, ["p", "q"], date as NSDate, uuid as any CVarArg, 1.5, 7, UInt(8))
        #expect(
            predicate.predicateFormat
                == "name == \"x\" AND a.age > 5 AND b IN {\"p\", \"q\"} AND c == CAST(100.000000, \"NSDate\") AND "
                + "d == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\") AND e < 1.5 AND f == 7 AND g == 8")
    }

    @Test func argumentArraysGiveNullAndPositionsCount() {
        let predicate = NSPredicate(format: "a == %2$@ AND b == %1$@ AND c == %@", argumentArray: [1, NSNull()])
        #expect(predicate.predicateFormat == "a == <null> AND b == 1 AND c == 1")
    }

    @Test func formattedTextStillTakesObjects() {
        #expect(String(format: "%@ %d %@", "a" as NSString, 3, NSNumber(value: 4)) == "a 3 4")
        #expect(String(format: "%@ %@", [1, 2], NSArray(array: [3])).hasPrefix("[1, 2] "))
        #expect(
            String(format: "%@ %@", Date(timeIntervalSince1970: 0), Data([1])) == "1970-01-01 00:00:00 +0000 1 bytes")
        #expect(String(format: "%@|%@", ["a": 1], Decimal(3)) == "[\"a\": 1]|3")
    }

    @Test func formatInitializerGivesTheFittingClass() throws {
        let comparison = try #require(NSPredicate(format: "a.b CONTAINS[c] %@", "x") as? NSComparisonPredicate)
        #expect(comparison.predicateOperatorType == .contains)
        #expect(comparison.options == .caseInsensitive)
        #expect(comparison.leftExpression.keyPath == "a.b")
        #expect(comparison.rightExpression.constantValue as? String == "x")
        let compound = try #require(NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.count == 2)
        #expect(NSComparisonPredicate(format: "a == 1 OR b == 2").formatError != nil)
    }

    @Test func keyPathsOnOtherExpressionsAreFunctions() throws {
        let predicate = try #require(
            NSPredicate(format: "SUBQUERY(books, $b, $b.pages > 3).@count > 1") as? NSComparisonPredicate)
        let left = predicate.leftExpression
        #expect(left.expressionType == .function)
        #expect(left.function == "valueForKeyPath:")
        #expect(left.operand.expressionType == .subquery)
        #expect(left.operand.variable == "b")
        #expect((left.operand.collection as? NSExpression)?.keyPath == "books")
        #expect(left.arguments?.first?.keyPath == "@count")
    }

    static let broken = [
        "", "a", "a ==", "== 1", "a == 1 AND", "a == 'x", "(a == 1", "a == 1)", "a == 1 b", "a === 1", "a == %",
        "a == %w",
        "a == %@", "a IN {1, 2", "a ==[z] 1", "foo(a) == 1", "SUBQUERY(a, b, c == 1).@count > 0", "ANY a", "NOT a",
        "a AND b == 1", "a == 12x", "CAST(1) ==", "TERNARY(a, 1, 2) == 1", "a BETWEEN", "a == #", "$ == 1",
        "FETCH(a, b)",
        "a == <0g>", "a == \"\\u00\"", "a == 99999999999999999999e999", "1 + 2", "a ? b : c", "a NOT IN b",
        "a == (b == 1)",
    ]

    @Test(arguments: broken) func aBrokenFormatIsAnErrorThatSaysWhere(_ format: String) throws {
        let error = #expect(throws: CocoaError.self) { try NSPredicate(validatingFormat: format) }
        #expect(error?.code == .formatting)
        let sentence = try #require(error?.userInfo[NSLocalizedDescriptionKey] as? String)
        #expect(sentence.hasSuffix("."))
        let predicate = NSPredicate(format: "%K == 1 OR " + format, argumentArray: ["x"])
        #expect(predicate.formatError != nil)
        #expect(!predicate.evaluate(with: ["x": 1]))
        #expect(throws: CocoaError.self) { try predicate.matches(["x": 1]) }
    }

    @Test func theErrorNamesPositionAndExpectation() {
        let predicate = NSPredicate(format: "name == AND b == 2")
        #expect(
            predicate.formatError?.localizedDescription
                == "The format string \"name == AND b == 2\" is not valid at character 9: expected a value, "
                + "found \"AND\".")
    }

    /// The same text again and again; printed short.
    struct Nesting: Sendable, CustomTestStringConvertible {
        var prefix = ""
        let repeated: String
        var suffix = ""

        var format: String { prefix + String(repeating: repeated, count: 100_000) + suffix }
        var testDescription: String { "\(prefix)\(repeated)…\(suffix)" }
    }

    @Test(arguments: [
        Nesting(repeated: "("), Nesting(repeated: "NOT ", suffix: "a == 1"), Nesting(repeated: "{"),
        Nesting(prefix: "a == ", repeated: "-", suffix: "b"), Nesting(prefix: "a", repeated: " + 1", suffix: " == 1"),
        Nesting(prefix: "a", repeated: "[0]"), Nesting(repeated: "abs("),
    ]) func deepNestingIsAnError(_ nesting: Nesting) {
        #expect(throws: CocoaError.self) { try NSPredicate(validatingFormat: nesting.format) }
    }

    @Test func longFlatPredicatesAreFine() throws {
        let format = (0..<5000).map { "a == \($0)" }.joined(separator: " OR ")
        let predicate = try NSPredicate(validatingFormat: format)
        #expect(predicate.evaluate(with: ["a": 4999]))
        let deep = String(repeating: "(", count: 60) + "a == 1" + String(repeating: ")", count: 60)
        #expect(try NSPredicate(validatingFormat: deep).predicateFormat == "a == 1")
    }

    @Test func equalityAndHashAreStructural() {
        let a = NSPredicate(format: "a IN %@", [1, 2])
        let b = NSPredicate(format: "a IN {1, 2}")
        #expect(a == b)
        #expect(a.hash == b.hash)
        #expect(Set([a, b, a.copy() as? NSPredicate ?? a]).count == 1)
        #expect(NSPredicate(format: "a == 5") != NSPredicate(format: "a == '5'"))
        #expect(NSPredicate(format: "a == 5") != NSPredicate(format: "b == 5"))
        #expect(NSPredicate(value: true) == NSCompoundPredicate(andPredicateWithSubpredicates: []))
    }

    @Test(arguments: ["a == 1", "a == 1 AND b IN {1, nil}", "NOT a == 1", "TRUEPREDICATE", "a == <0102>"])
    func predicatesSurviveAnArchive(_ format: String) throws {
        let predicate = NSPredicate(format: format)
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        #expect(decoded == predicate)
    }

    @Test func sortDescriptorsSurviveAnArchive() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: false, selector: "caseInsensitiveCompare:")
        let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: data) == descriptor)
    }

    @Test func rawValuesAreApples() {
        #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
        #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
        #expect(NSComparisonPredicate.Operator.customSelector.rawValue == 11)
        #expect(NSExpression.ExpressionType.subquery.rawValue == 13)
        #expect(NSExpression.ExpressionType.conditional.rawValue == 20)
        #expect(NSExpression.ExpressionType(rawValue: 50) == .fetchRequest)
    }

    @Test func expressionsParseAndEvaluate() {
        #expect(NSExpression(format: "1 + 2 * 3").expressionValue(with: nil, context: nil) as? Int64 == 7)
        #expect(NSExpression(format: "%K * 2", "a").expressionValue(with: ["a": 4], context: nil) as? Int64 == 8)
        #expect(NSExpression(format: "max:({1, 5, 2})").expressionValue(with: nil, context: nil) as? Int64 == 5)
        #expect(NSExpression(format: "1 +").formatError != nil)
        #expect(
            NSExpression(format: "$x + 1").expressionValue(with: nil, context: ["x": 2] as NSMutableDictionary)
                as? Int64 == 3)
    }

    @Test func theArchiveOfAPredicateHoldsItsFormat() throws {
        let predicate = NSPredicate(format: "pages > 500 AND title BEGINSWITH \"Silent\"")
        let archive = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        #expect(archive.range(of: Data(predicate.predicateFormat.utf8)) != nil)
    }

    @Test func aURLIsPrintedSoThatItIsReadAgain() throws {
        let url = try #require(URL(string: "https://example.org/a?b=%22c%22"))
        let predicate = NSPredicate(format: "home == %@", url as any CVarArg)
        #expect(predicate.predicateFormat == "home == CAST(\"https://example.org/a?b=%22c%22\", \"NSURL\")")
        #expect(try NSPredicate(validatingFormat: predicate.predicateFormat) == predicate)
    }
}
