import Foundation
import OpenCoreData
import Testing

@Suite struct PredicateEvaluationTests {
    static var tag1: [String: Any] { ["name": "red", "weight": 1] }
    static var tag2: [String: Any] { ["name": "Blue", "weight": 2.5] }
    static let date = Date(timeIntervalSinceReferenceDate: 1000)
    static func object() -> [String: Any] {
        [
            "name": "Ärger", "age": 5, "price": Decimal(string: "0.1") ?? 0, "ratio": 2.0, "flag": true, "date": date,
            "big": Int64.max, "id": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any,
            "url": URL(string: "https://example.org/a") as Any, "data": Data([1, 2]), "tags": [tag1, tag2],
            "empty": [Any](), "missing": NSNull(), "numbers": Set([1, 2, 3]), "plate": "42", "nested": ["a": ["b": 7]],
        ]
    }

    static let matching = [
        "age == 5", "age == 5.0", "age < 5.5", "age >= 5", "age BETWEEN {5, 6}", "flag == YES", "flag == 1",
        "price == 0.1",
        "ratio == 2", "big == 9223372036854775807", "big > 9223372036854775806", "big < 9223372036854775808.0",
        "date == CAST(1000, \"NSDate\")", "date < now()", "date == 1000",
        "id == \"e621e1f8-c36c-495a-93fc-0c247a3e6e5f\"", "url == \"https://example.org/a\"", "data == <0102>",
        "data < <0103>", "missing == nil", "unknown == nil", "missing != 5", "NOT missing == 5", "NOT missing > 5",
        "NOT missing < 5", "NOT (missing <= nil)", "name != nil", "missing IN {1, nil}", "NOT missing IN {1}",
        "NOT age IN missing", "NOT missing CONTAINS \"a\"", "NOT name CONTAINS missing",
        "name CONTAINS[cd] \"ARG\"", "name BEGINSWITH[d] \"Ar\"", "name ENDSWITH \"ger\"", "name LIKE[c] \"ä*r\"",
        "name MATCHES \".+rg.*\"", "name ==[cd] \"arger\"", "\"rge\" IN name", "name IN[cd] {\"x\", \"ARGER\"}",
        "plate == 42", "plate IN {41, 42}", "age == \"5\"", "age CONTAINS \"5\"", "ANY tags.name == \"red\"",
        "ANY tags.name ==[c] \"blue\"", "ALL tags.weight > 0", "NONE tags.weight > 3", "NOT ANY empty == 1",
        "ALL empty == 1",
        "NONE empty.name == \"x\"", "tags.@count == 2", "empty.@count == 0", "missing.@count == 0",
        "tags.@sum.weight == 3.5", "tags.weight.@sum == 3.5", "tags.@max.weight == 2.5", "tags.@min.name == \"Blue\"",
        "tags.@avg.weight == 1.75", "empty.@sum.weight == 0", "empty.@max.weight == nil", "empty.@avg.weight == nil",
        "numbers CONTAINS 2", "NOT numbers CONTAINS 4", "2 IN numbers", "numbers == {3, 2, 1}", "numbers != {1, 2}",
        "SUBQUERY(tags, $t, $t.weight > 1).@count == 1", "SUBQUERY(tags, $t, $t.weight > 1)[0].name == \"Blue\"",
        "SUBQUERY(missing, $t, TRUEPREDICATE).@count == 0", "nested.a.b == 7", "nested.x.b == nil",
        "tags[0].name == \"red\"", "tags[FIRST].weight == 1", "tags[LAST].weight == 2.5", "tags[SIZE] == 2",
        "tags[7] == nil", "TERNARY(age > 3, \"old\", \"young\") == \"old\"",
        "age + 1 == 6", "age - 7 == -2", "age * 2 == 10", "age / 2 == 2", "age / 2.0 == 2.5", "age / 0 == nil",
        "age ** 2 == 25", "modulus:by:(age, 3) == 2", "age %% 3 == 2", "-age == -5", "missing + 1 == nil",
        "big + 1 == 9223372036854775808.0", "abs(-3) == 3", "sqrt(16) == 4", "sqrt(-1) == nil", "ln(0) == nil",
        "log(100) == 2", "floor(2.7) == 2", "ceiling(2.1) == 3", "trunc(-2.7) == -2", "exp(0) == 1",
        "uppercase(name) == \"ÄRGER\"", "lowercase(name) == \"ärger\"", "canonical:(name) == \"arger\"",
        "length(name) == 5", "noindex:(age) == 5", "sum({1, 2, 3}) == 6", "sum(1, 2) == 3", "average({1, 2}) == 1.5",
        "min({3, 1}) == 1", "max({3, 1}) == 3", "count({1, nil}) == 1", "median({1, 2, 10}) == 2",
        "mode({1, 2, 2}) == {2}", "stddev({2, 4}) == 1", "bitwiseAnd:with:(6, 3) == 2", "bitwiseOr:with:(6, 3) == 7",
        "bitwiseXor:with:(6, 3) == 5", "leftshift:by:(1, 4) == 16", "rightshift:by:(16, 4) == 1",
        "onesComplement:(0) == -1", "random() < 1", "CAST(age, \"NSString\") == \"5\"",
        "CAST(plate, \"NSNumber\") == 42",
        "CAST(date, \"NSNumber\") == 1000", "FUNCTION(name, \"length\") == 5",
        "FUNCTION(name, \"stringByAppendingString:\", \"!\") == \"Ärger!\"",
        "{1, 2} UNION {3} == {1, 2, 3}", "{1, 2} INTERSECT {2} == {2}", "{1, 2} MINUS {2} == {1}", "SELF != nil",
        "SELF.age == 5", "name.length == 5", "$x == 3", "$t.name == \"red\"", "tags.name CONTAINS \"red\"",
        "name != 5", "NOT name < date", "NOT data == 5", "name hasPrefix: \"Ä\"",
    ]

    @Test(arguments: matching) func matches(_ format: String) throws {
        let predicate = try NSPredicate(validatingFormat: format)
        let variables: [String: Any] = ["x": 3, "t": Self.tag1]
        #expect(try predicate.matches(Self.object(), variables: variables))
        #expect(predicate.evaluate(with: Self.object(), substitutionVariables: variables))
        #expect(predicate.withSubstitutionVariables(variables).evaluate(with: Self.object()))
        let negated = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        #expect(try !negated.matches(Self.object(), variables: variables))
    }

    @Test(arguments: [
        "$unset == 1", "name + 1 == 2", "age BETWEEN 5", "tags == 5", "tags > 5", "name MATCHES \"[\"",
        "name.nothing == 1", "sum(data) == 1", "tags.@nothing == 1", "a nothing: b",
        "FUNCTION(name, \"nothing:\", 1) == 1",
        "CAST(age, \"Nothing\") == 1",
    ]) func failuresAreThrownAndDoNotMatch(_ format: String) throws {
        let predicate = try NSPredicate(validatingFormat: format)
        let error = #expect(throws: CocoaError.self) { try predicate.matches(Self.object()) }
        #expect(error?.localizedDescription.hasSuffix(".") == true)
        #expect(!predicate.evaluate(with: Self.object()))
    }

    @Test func aMethodThatIsNotKnownIsNamed() throws {
        let predicate = try NSPredicate(validatingFormat: "FUNCTION(name, \"nothing:\", 1) == 1")
        let error = #expect(throws: CocoaError.self) { try predicate.matches(Self.object()) }
        #expect(error?.localizedDescription.contains("nothing:") == true)
    }

    struct Person {
        var name: String?
        var age: Int
        var friends: [Person] = []
        var lucky: Set<Int> = []
    }

    @Test func swiftValuesAreReadByReflection() throws {
        let ann = Person(name: "Ann", age: 30, lucky: [7])
        let bob = Person(name: nil, age: 20, friends: [ann])
        #expect(NSPredicate(format: "name == nil AND age == 20").evaluate(with: bob))
        #expect(NSPredicate(format: "ANY friends.name == 'Ann'").evaluate(with: bob))
        #expect(NSPredicate(format: "friends.@sum.age == 30").evaluate(with: bob))
        #expect(NSPredicate(format: "ANY friends.lucky == 7").evaluate(with: bob))
        #expect(throws: CocoaError.self) { try NSPredicate(format: "height == 1").matches(bob) }
    }

    final class Celsius: KeyValueCoding {
        func value(forKey key: String) -> Any? { key == "degrees" ? 21.5 : nil }
    }

    @Test func ownTypesAnswerByKey() {
        #expect(NSPredicate(format: "degrees > %d", 21).evaluate(with: Celsius()))
    }

    @Test func nilOnTheWayContributesNothing() throws {
        let books: [String: Any] = [
            "books": [["author": ["name": "a"]], ["author": NSNull()], ["author": ["name": NSNull()]]]
        ]
        #expect(try NSPredicate(format: "books.author.name.@count == 2").matches(books))
        #expect(try NSPredicate(format: "books.author.@count == 3").matches(books))
        #expect(try NSPredicate(format: "ANY books.author.name == nil").matches(books))
        #expect(try NSPredicate(format: "ANY books.author == nil").matches(books))
        #expect(try !NSPredicate(format: "ANY author.books.name == nil").matches(books))
        #expect(try NSPredicate(format: "ALL author.books.name == 1").matches(books))
    }

    @Test func longListsGiveTheSameAnswerAsShortOnes() throws {
        let lists: [[Any]] = [
            Array(0..<20), (0..<20).map { "t\($0)" }, Array(0..<20) + [NSNull()], [1, "t2", 3.5, 4, 5, 6, 7, 8, 9],
            (0..<20).map { Double($0) },
        ]
        let values: [Any] = [3, 3.0, "3", "t3", "T3", NSNull(), 99, "x", Date(timeIntervalSinceReferenceDate: 3)]
        for list in lists {
            for value in values {
                for options: NSComparisonPredicate.Options in [[], .caseInsensitive] {
                    let predicate = NSComparisonPredicate(
                        leftExpression: .expressionForEvaluatedObject(),
                        rightExpression: NSExpression(forConstantValue: list), modifier: .direct, type: .in,
                        options: options)
                    let expected = list.contains { ValueComparison.equal($0, value, options: options) }
                    #expect(try predicate.matches(value) == expected, "\(value) in \(list)")
                }
            }
        }
    }

    /// Lists of one kind are hashed, others compared element by element.
    @Test func setOperationsOfLongListsAreThoseOfEachElement() throws {
        let makers: [(Int) -> Any?] = [
            { Int64($0) }, { Double($0) / 2 }, { "T\($0)" }, { Date(timeIntervalSinceReferenceDate: Double($0)) },
            { Data([UInt8($0)]) }, { Decimal($0) / 4 }, { $0.isMultiple(of: 2) ? $0 as Any : Double($0) },
            { $0 == 3 ? nil : $0 }, { $0 == 3 ? Double.nan : Double($0) },
            { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) },
        ]
        for maker in makers {
            let list = (0..<40).map(maker)
            for rights in [Array(list[20...]), Array(list[10..<13]), list.shuffled(), [7, 7.0, "7", nil] + list[..<9]] {
                func isIn(_ value: Any?, _ others: [Any?]) -> Bool {
                    others.contains { ValueComparison.equal(value, $0) }
                }
                let left = NSExpression(forConstantValue: list)
                let right = NSExpression(forConstantValue: rights)
                let expected: [(NSExpression, [Any?])] = [
                    (NSExpression(forUnionSet: left, with: right), list + rights.filter { !isIn($0, list) }),
                    (NSExpression(forIntersectSet: left, with: right), list.filter { isIn($0, rights) }),
                    (NSExpression(forMinusSet: left, with: right), list.filter { !isIn($0, rights) }),
                ]
                for (expression, elements) in expected {
                    let found = try #require(expression.expressionValue(with: nil, context: nil) as? [Any?])
                    // What is given out has NSNull where there is nothing.
                    #expect(found.map { "\($0 ?? NSNull())" } == elements.map { "\($0 ?? NSNull())" })
                }
            }
        }
    }

    @Test func setOperationsOfLongListsTakeNoProductOfTheirLengths() {
        let left = NSExpression(forConstantValue: Array(0..<60_000))
        let right = NSExpression(forConstantValue: Array(30_000..<90_000))
        let start = ContinuousClock.now
        let found = NSExpression(forIntersectSet: left, with: right).expressionValue(with: nil, context: nil)
        #expect((found as? [Any?])?.count == 30_000)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func blocksAndSubclassesTakePart() {
        final class Even: NSPredicate {
            override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
                (object as? Int).map { $0 % 2 == 0 } ?? false
            }
        }
        let large = NSPredicate { object, variables in (object as? Int ?? 0) > (variables?["limit"] as? Int ?? 0) }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [Even(), large])
        #expect(both.evaluate(with: 12, substitutionVariables: ["limit": 10]))
        #expect(!both.evaluate(with: 11, substitutionVariables: ["limit": 10]))
        #expect(!both.withSubstitutionVariables(["limit": 20]).evaluate(with: 12))
    }

    @Test func collectionsFilter() {
        let array: NSArray = [1, 2, 3, 4]
        let predicate = NSPredicate(format: "SELF > 2")
        #expect(array.filtered(using: predicate) as? [Int] == [3, 4])
        let mutable = NSMutableArray(array: array)
        mutable.filter(using: predicate)
        #expect(mutable as? [Int] == [3, 4])
        #expect(NSSet(array: [1, 2, 3]).filtered(using: predicate).compactMap { $0.base as? Int } == [3])
        #expect(NSOrderedSet(array: [3, 1, 4]).filtered(using: predicate).array as? [Int] == [3, 4])
    }

    @Test func collectionsReadKeysAndOperators() {
        let array: NSArray = [["n": 1], ["n": 2], ["m": 3]]
        #expect((array.value(forKey: "n") as? [Any])?.count == 3)
        #expect((array.value(forKey: "n") as? [Any])?.last is NSNull)
        #expect(array.value(forKeyPath: "@sum.n") as? Int64 == 3)
        #expect(array.value(forKeyPath: "@count") as? Int == 3)
        #expect(array.value(forKeyPath: "@max.n") as? Int == 2)
        #expect((array.value(forKeyPath: "@distinctUnionOfObjects.n") as? [Int]) == [1, 2])
        let set = NSSet(array: [["n": 1] as NSDictionary, ["n": 2] as NSDictionary])
        #expect(set.value(forKeyPath: "@avg.n") as? Double == 1.5)
        #expect((set.value(forKey: "n") as? NSSet)?.count == 2)
    }
}
