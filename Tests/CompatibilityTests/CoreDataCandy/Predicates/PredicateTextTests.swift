import CoreDataCandy
import Testing

/// The exact texts of predicates.
@Suite struct PredicateTextTests {
    private func text<Value, Test>(_ predicate: FetchPredicate<PlayerEntity, Value, Test>) -> String {
        predicate.nsValue.predicateFormat
    }

    private func text<Value, Test>(
        _ keyPath: KeyPath<PlayerEntity, Value>, _ operation: PredicateRightValue<PlayerEntity, Value, Test>
    ) -> String? {
        PlayerEntity.request().all().where(keyPath, operation).request.predicate?.predicateFormat
    }

    // Feature CANDY-37, CANDY-48
    @Test func comparisons() {
        #expect(text(\.name == "Donald") == #"name == "Donald""#)
        #expect(text(\.name != "Donald") == #"name != "Donald""#)
        #expect(text(\.name == nil) == "name == nil")
        #expect(text(\.score > 10) == "score > 10")
        #expect(text(\.score >= 10) == "score >= 10")
        #expect(text(\.score < 10) == "score < 10")
        #expect(text(\.score <= 10) == "score <= 10")
        #expect(text(\.ratio > 10.5) == "ratio > 10.5")
    }

    // Feature CANDY-38, CANDY-48
    @Test func operators() {
        #expect(text(\.name, .hasPrefix("Desp")) == #"name BEGINSWITH "Desp""#)
        #expect(text(\.name, .hasNoPrefix("Desp")) == #"NOT name BEGINSWITH "Desp""#)
        #expect(text(\.name, .hasSuffix("Desp")) == #"name ENDSWITH "Desp""#)
        #expect(text(\.name, .hasNoSuffix("Desp")) == #"NOT name ENDSWITH "Desp""#)
        #expect(text(\.name, .contains("Desp")) == #"name CONTAINS "Desp""#)
        #expect(text(\.name, .doesNotContain("Desp")) == #"NOT name CONTAINS "Desp""#)
        #expect(text(\.name, .matches("^Z.*")) == #"name MATCHES "^Z.*""#)
        #expect(text(\.name, .doesNotMatch(.capital)) == #"NOT name MATCHES "[A-Z].*""#)
    }

    // Feature CANDY-48
    @Test func anOperatorMakesThePredicateOfAnAttribute() {
        let operation: PredicateRightValue<PlayerEntity, String?, String> = .hasPrefix("D")
        #expect(text(operation.predicate(\.name)) == #"name BEGINSWITH "D""#)
    }

    // Feature CANDY-39, CANDY-40, CANDY-48
    @Test func listsAndRanges() {
        #expect(text(\.name, .isIn("Riri", "Fifi")) == #"name IN {"Riri", "Fifi"}"#)
        #expect(text(\.name, .isNotIn(["Riri", "Fifi"])) == #"NOT name IN {"Riri", "Fifi"}"#)
        #expect(text(\.name, .isNot(in: "Riri")) == #"NOT name IN {"Riri"}"#)
        #expect(text(\.score, .isIn(1...10)) == "score BETWEEN {1, 10}")
        #expect(text(\.score, .isNotIn(1...10)) == "NOT score BETWEEN {1, 10}")
        #expect(text(\.level, .isIn(1..<10)) == "1 <= level AND level < 10")
        #expect(text(\.ratio, .isIn(1..<10.5)) == "1 <= ratio AND ratio < 10.5")
        #expect(text(\.level, .isNotIn(1..<10)) == "1 > level OR level >= 10")
        #expect(text(\.ratio, .isNotIn(1..<10.5)) == "1 > ratio OR ratio >= 10.5 OR ratio == nil")
    }

    // Feature CANDY-43, CANDY-48
    @Test func compounds() {
        func text(_ builder: RequestBuilder<PlayerEntity, PredicateStep, [PlayerEntity]>) -> String? {
            builder.request.predicate?.predicateFormat
        }
        let all = PlayerEntity.request().all()
        #expect(
            text(all.where(\.name == "Donald").or(\.name, .hasPrefix("Jo")).and(\.score == 20))
                == #"(name == "Donald" OR name BEGINSWITH "Jo") AND score == 20"#)
        #expect(
            text(all.where(\.name == "Donald").and(\.name, .hasPrefix("Jo")).or(\.score == 20))
                == #"(name == "Donald" AND name BEGINSWITH "Jo") OR score == 20"#)
        #expect(
            text(all.where(\.age >= 20).and(\.score, .isIn(1..<5)))
                == "age >= 20 AND (1 <= score AND score < 5)")
        #expect(
            text(all.where(\.age >= 20).or(\.name, .hasNoPrefix("A")))
                == #"age >= 20 OR (NOT name BEGINSWITH "A")"#)
    }

    // Feature CANDY-48
    @Test func ownOperatorsAreExtensions() {
        #expect(text(\.name, .isLike("Z?r*")) == #"name LIKE "Z?r*""#)
        #expect(text(\.name, .beginsWithAnyCase("ze")) == #"name BEGINSWITH[c] "ze""#)
    }

    // Feature CANDY-37
    @Test func aKeyPathThatIsNoAttributeIsNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PlayerEntity.request().all().where(\.shape == 3)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        // Off Apple's platforms a key path without a name tells its type.
        #expect(said.contains("(Int)") || said.contains("shape"))
        #expect(said.contains("isn't an attribute of PlayerEntity"))
    }
}

extension RegularExpressionPattern {
    fileprivate static let capital: Self = "[A-Z].*"
}

extension PredicateRightValue where Value == String?, TestValue == String {
    fileprivate static func isLike(_ pattern: String) -> Self {
        Self { FetchPredicate(keyPath: $0, operation: .like, value: pattern) }
    }

    fileprivate static func beginsWithAnyCase(_ text: String) -> Self {
        Self { FetchPredicate(keyPath: $0, operatorString: "BEGINSWITH[c]", value: text) }
    }
}
