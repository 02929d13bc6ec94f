import Foundation
import OpenCoreData
import Testing

/// Makes random predicates out of everything that has a text form.
struct RandomPredicates {
    var generator: SplitMix

    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    init(seed: UInt64) { generator = SplitMix(state: seed) }

    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func predicate(_ depth: Int) -> NSPredicate {
        if depth > 0, chance(45) { return compound(depth) }
        return chance(4) ? NSPredicate(value: chance(50)) : comparison(depth)
    }

    private mutating func compound(_ depth: Int) -> NSPredicate {
        switch pick([0, 1, 1, 2, 2]) {
        case 0: return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth - 1))
        case 1: return NSCompoundPredicate(andPredicateWithSubpredicates: predicates(depth))
        default: return NSCompoundPredicate(orPredicateWithSubpredicates: predicates(depth))
        }
    }

    private mutating func predicates(_ depth: Int) -> [NSPredicate] {
        (0..<pick([0, 1, 2, 2, 3, 4])).map { _ in predicate(depth - 1) }
    }

    private mutating func comparison(_ depth: Int) -> NSPredicate {
        let types: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in, .contains, .between,
        ]
        return NSComparisonPredicate(
            leftExpression: expression(depth), rightExpression: expression(depth),
            modifier: pick([.direct, .any, .all]),
            type: pick(types), options: NSComparisonPredicate.Options(rawValue: UInt(pick(Array(0..<8)))))
    }

    mutating func expression(_ depth: Int) -> NSExpression {
        guard depth > 0, chance(50) else { return leaf() }
        switch Int.random(in: 0..<11, using: &generator) {
        case 0:
            let names = ["add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "modulus:by:"]
            return NSExpression(forFunction: pick(names), arguments: expressions(depth, 2))
        case 1:
            return NSExpression(forFunction: pick(["sum:", "abs:", "uppercase:"]), arguments: expressions(depth, 1))
        case 2: return NSExpression(forAggregate: expressions(depth, pick([0, 1, 3])))
        case 3:
            return NSExpression(
                forSubquery: expression(depth - 1), usingIteratorVariable: pick(["x", "y"]),
                predicate: predicate(depth - 1))
        case 4:
            return NSExpression(
                forConditional: predicate(depth - 1), trueExpression: expression(depth - 1),
                falseExpression: expression(depth - 1))
        case 5: return NSExpression(forUnionSet: expression(depth - 1), with: expression(depth - 1))
        case 6: return NSExpression(forMinusSet: expression(depth - 1), with: expression(depth - 1))
        case 7:
            return NSExpression(
                forFunction: "objectFrom:withIndex:",
                arguments: [expression(depth - 1), NSExpression(forConstantValue: pick(["FIRST", "LAST"]))])
        case 8:
            return NSExpression(
                forFunction: NSExpression(forVariable: "x"), selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forKeyPath: pick(["name", "books.@count"]))])
        case 9:
            return NSExpression(
                forFunction: expression(depth - 1), selectorName: "stringByAppendingString:",
                arguments: expressions(depth, 1))
        default: return NSExpression(forIntersectSet: expression(depth - 1), with: expression(depth - 1))
        }
    }

    private mutating func expressions(_ depth: Int, _ count: Int) -> [NSExpression] {
        (0..<count).map { _ in expression(depth - 1) }
    }

    private mutating func leaf() -> NSExpression {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return NSExpression.expressionForEvaluatedObject()
        case 1: return NSExpression(forVariable: pick(["x", "value"]))
        case 2, 3: return NSExpression(forKeyPath: pick(["a", "b.c", "tags.@count", "in", "a.size", "größe", "_x1"]))
        default: return NSExpression(forConstantValue: constant(2))
        }
    }

    private mutating func constant(_ depth: Int) -> Any? {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return nil
        case 1: return chance(50)
        case 2: return Int64.random(in: .min ... .max, using: &generator)
        case 3: return Int.random(in: -5...5, using: &generator)
        case 4: return Double.random(in: -1e3...1e3, using: &generator)
        case 5: return pick([0.1, -0.0, 1e300, 5e-300, 1e15, 123_456_789_012_345_678, Double.infinity])
        case 6: return Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &generator))
        case 7: return Data((0..<pick([0, 1, 5])).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 8: return UUID()
        case 9: return Decimal(string: pick(["1.5", "-0.0001", "12345678901234567890.123456789", "100"]))
        case 10: return depth > 0 ? (0..<pick([0, 1, 2])).map { _ in constant(depth - 1) as Any } : "x"
        default: return text()
        }
    }

    mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "B", "\"", "'", "\\", "\n", "\t", "é", "\u{301}", "😀", "%", "*", " ", "日",
        ]
        var result = String.UnicodeScalarView()
        for _ in 0..<pick([0, 1, 3, 8]) { result.append(pick(scalars)) }
        return String(result)
    }
}

@Suite struct PredicateRoundTripTests {
    @Test func printedPredicatesParseBackToEqualOnes() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("PredicateRoundTripTests seed \(seed)")
        var random = RandomPredicates(seed: seed)
        for index in 0..<5000 {
            let predicate = random.predicate(index % 4)
            let text = predicate.predicateFormat
            let parsed = NSPredicate(format: text, argumentArray: [])
            guard parsed == predicate else {
                Issue.record(
                    """
                    seed \(seed), case \(index): \(text) became \(parsed.predicateFormat) \
                    \(parsed.formatError?.localizedDescription ?? "")
                    """)
                return
            }
            #expect(parsed.hash == predicate.hash, "seed \(seed), case \(index): \(text)")
            #expect(parsed.predicateFormat == text, "seed \(seed), case \(index)")
        }
    }
}
