import Foundation
import OpenCoreData
import Testing

/// Predicates and expressions inside one another, as deep as the limit and far deeper.
@Suite struct PredicateNestingTests {
    private static let limit = PredicateDepth.limit
    private static let farTooDeep = 111_000

    private static func nots(_ count: Int) -> NSPredicate {
        var predicate: NSPredicate = NSPredicate(format: "a == 1")
        for _ in 0..<count { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        return predicate
    }

    /// The kinds of expressions that can hold others, each made of one expression.
    private static let wrappers: [(String, @Sendable (NSExpression) -> NSExpression)] = [
        ("function", { NSExpression(forFunction: "abs:", arguments: [$0]) }),
        ("method", { NSExpression(forFunction: $0, selectorName: "length", arguments: nil) }),
        ("key path", { NSExpression(forFunction: $0, selectorName: "valueForKeyPath:", arguments: ["self"]) }),
        ("aggregate", { NSExpression(forAggregate: [$0]) }),
        ("union", { NSExpression(forUnionSet: $0, with: NSExpression(forConstantValue: [1])) }),
        ("intersection", { NSExpression(forIntersectSet: NSExpression(forConstantValue: [1]), with: $0) }),
        ("difference", { NSExpression(forMinusSet: $0, with: NSExpression(forConstantValue: [1])) }),
        ("block", { NSExpression(block: { _, values, _ in values[0] }, arguments: [$0]) }),
        ("constant", { NSExpression(forConstantValue: $0) }),
        (
            "subquery",
            { NSExpression(forSubquery: $0, usingIteratorVariable: "x", predicate: NSPredicate(value: true)) }
        ),
        (
            "ternary",
            {
                NSExpression(
                    forConditional: NSPredicate(value: true), trueExpression: $0,
                    falseExpression: NSExpression(forConstantValue: 1))
            }
        ),
    ]

    private func expectTooDeep(_ depth: Int, _ body: () throws -> Void) {
        let error = #expect(throws: CocoaError.self) { try body() }
        #expect(error?.code == .coreData)
        let string = error?.localizedDescription ?? ""
        #expect(string.contains("\(depth) levels") && string.contains("\(Self.limit) levels"), "\(string)")
    }

    @Test func aPredicateMayBeAsDeepAsTheLimit() throws {
        // The comparison and its two sides are two levels.
        let even = Self.nots(Self.limit - 2)
        #expect(try even.matches(["a": 1]) && !even.matches(["a": 2]))
        #expect(even.formatError == nil && even.archivingError == nil)
        let parsed = try NSPredicate(validatingFormat: even.predicateFormat)
        #expect(parsed == even && parsed.hash == even.hash)
        let data = try NSKeyedArchiver.archivedData(withRootObject: even, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) == even)
        #expect(even.withSubstitutionVariables(["x": 1]) == even)
        expectTooDeep(Self.limit + 1) { _ = try Self.nots(Self.limit - 1).matches(["a": 1]) }
    }

    @Test func aPredicateThatIsFarTooDeepIsAnErrorWhateverIsDoneWithIt() throws {
        let deep = Self.nots(Self.farTooDeep)
        expectTooDeep(Self.farTooDeep + 2) { _ = try deep.matches(["a": 1]) }
        #expect(!deep.evaluate(with: ["a": 1]))
        #expect(deep.predicateFormat.contains("levels deep"))
        #expect(deep.description == deep.predicateFormat && deep.debugDescription.isEmpty == false)
        #expect(deep == deep && deep != Self.nots(Self.farTooDeep + 1))
        _ = deep.hash
        expectTooDeep(Self.farTooDeep + 2) { if let error = deep.formatError { throw error } }
        expectTooDeep(Self.farTooDeep + 2) { if let error = deep.archivingError { throw error } }
        expectTooDeep(Self.farTooDeep + 2) { _ = try deep.withSubstitutionVariables(["x": 1]).matches(["a": 1]) }
        #expect((deep as? NSCompoundPredicate)?.subpredicates.count == 1)
        let data = try NSKeyedArchiver.archivedData(withRootObject: deep, requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
    }

    @Test(arguments: wrappers.indices) func anExpressionThatIsFarTooDeepIsAnError(_ index: Int) {
        let (name, wrap) = Self.wrappers[index]
        var expression = NSExpression(forConstantValue: 1)
        for _ in 0..<Self.farTooDeep { expression = wrap(expression) }
        let error = #expect(throws: CocoaError.self) { try expression.value(with: ["a": 1]) }
        #expect(error?.localizedDescription.contains("\(Self.limit) levels") == true, "\(name)")
        #expect(expression.expressionValue(with: nil, context: nil) == nil)
        #expect(!expression.description.isEmpty)
        #expect(expression == expression)
        _ = expression.hash
        let comparison = NSComparisonPredicate(
            leftExpression: expression, rightExpression: expression, type: .equalTo)
        #expect(throws: CocoaError.self) { try comparison.matches(nil) }
    }

    @Test(arguments: wrappers.indices) func anExpressionMayBeAlmostAsDeepAsTheLimit(_ index: Int) throws {
        let (name, wrap) = Self.wrappers[index]
        guard name != "key path", name != "method" else { return }
        var expression = NSExpression(forConstantValue: 1)
        for _ in 0..<Self.limit - 1 { expression = wrap(expression) }
        _ = try expression.value(with: nil)
        #expect(expression.formatError == nil, "\(name)")
        #expect(expression.depth == Self.limit && !expression.description.isEmpty)
    }

    @Test func constantsInsideOneAnotherAreCounted() {
        var list: Any = [1] as [Any]
        for _ in 0..<2_000 { list = [list] as [Any] }
        let expression = NSExpression(forConstantValue: list)
        // They are not counted to the end.
        expectTooDeep(Self.limit + 2) { _ = try expression.value(with: nil) }
        #expect(expression.description.contains("levels deep"))
        let flat = NSExpression(forConstantValue: (0..<5_000).map { $0 as Any })
        #expect(flat.depth == 2)
    }

    @Test func aVariableThatStandsForItselfIsAnError() {
        let predicate = NSPredicate(format: "$x == 1")
        let sum = NSExpression(format: "$x + $x")
        let error = #expect(throws: CocoaError.self) { try predicate.matches(nil, variables: ["x": sum]) }
        #expect(error?.localizedDescription.contains("\(Self.limit) levels") == true)
        #expect(throws: CocoaError.self) {
            try predicate.matches(nil, variables: ["x": NSExpression(forVariable: "x")])
        }
    }

    @Test func parenthesesMayBeAsDeepAsTheLimit() throws {
        for (open, close) in [("(", ")"), ("NOT (", ")")] {
            let string =
                String(repeating: open, count: 500) + "a == 1" + String(repeating: close, count: 500)
            #expect(try NSPredicate(validatingFormat: string).matches(["a": 1]))
            let deep = String(repeating: open, count: 111_000) + "a == 1" + String(repeating: close, count: 111_000)
            let error = #expect(throws: CocoaError.self) { try NSPredicate(validatingFormat: deep) }
            #expect(error?.code == .formatting)
            #expect(error?.localizedDescription.contains("more than \(Self.limit) levels") == true)
            #expect(!NSPredicate(format: deep).evaluate(with: ["a": 1]))
        }
        #expect(throws: CocoaError.self) {
            try NSExpression(validatingFormat: String(repeating: "-", count: 111_000) + "a")
        }
        #expect(throws: CocoaError.self) {
            try NSExpression(validatingFormat: String(repeating: "{", count: 111_000))
        }
        let summands = (0..<900).map { "a + \($0)" }.joined(separator: " + ").replacingOccurrences(of: "a + ", with: "")
        #expect(try NSExpression(validatingFormat: summands).value(with: nil) as? Int64 == 404_550)
    }

    @Test func arguments111000LevelsDeepAreAnErrorOfTheFormat() {
        let predicate = NSPredicate(format: "%@ AND b == 1", Self.nots(Self.farTooDeep))
        expectTooDeep(Self.farTooDeep + 3) { _ = try predicate.matches(["a": 1, "b": 1]) }
    }
}
