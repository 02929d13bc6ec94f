import ModelCodeGeneration
import Testing

/// The type that each kind of attribute gets.
@Suite struct AttributeTypeTests {
    private func declaration(_ attributes: String, _ optionality: GenerationSettings.Optionality = .honest) -> String? {
        var settings = GenerationSettings()
        settings.mode = .class
        settings.optionality = optionality
        let code = Samples.code(
            "<entity name=\"A\" representedClassName=\"A\"><attribute name=\"b\" \(attributes)/></entity>", settings)
        return code.split(separator: "\n").first { $0.contains("var b: ") }
            .map { $0.drop { $0 != ":" }.dropFirst(2).dropLast(2) }.map(String.init)
    }

    @Test(arguments: [
        ("Integer 16", "Int16"), ("Integer 32", "Int32"), ("Integer 64", "Int64"), ("Double", "Double"),
        ("Float", "Float"), ("Boolean", "Bool"), ("Date", "TimeInterval"),
    ])
    func aScalarIsNeverOptional(_ type: String, _ expected: String) {
        #expect(declaration("attributeType=\"\(type)\" usesScalarValueType=\"YES\" optional=\"YES\"") == expected)
        #expect(declaration("attributeType=\"\(type)\" usesScalarValueType=\"YES\"") == expected)
    }

    @Test(arguments: [
        ("Integer 16", "NSNumber"), ("Integer 32", "NSNumber"), ("Integer 64", "NSNumber"), ("Double", "NSNumber"),
        ("Float", "NSNumber"), ("Boolean", "NSNumber"), ("Decimal", "NSDecimalNumber"), ("String", "String"),
        ("Binary", "Data"), ("UUID", "UUID"), ("URI", "URL"),
    ])
    func anObjectIsOptionalUnlessItHasADefault(_ type: String, _ expected: String) {
        let value = "attributeType=\"\(type)\" usesScalarValueType=\"NO\""
        #expect(declaration("\(value) optional=\"YES\" defaultValueString=\"1\"") == "\(expected)?")
        #expect(declaration(value) == "\(expected)?")
        #expect(declaration("\(value) defaultValueString=\"1\"") == expected)
        #expect(declaration("\(value) defaultValueString=\"1\"", .xcode) == "\(expected)?")
    }

    @Test func aDateHasItsOwnDefault() {
        #expect(declaration("attributeType=\"Date\"") == "Date?")
        #expect(declaration("attributeType=\"Date\" defaultDateTimeInterval=\"5\"") == "Date")
    }

    @Test func anEmptyTextIsADefault() {
        #expect(declaration("attributeType=\"String\" defaultValueString=\"\"") == "String")
        #expect(declaration("attributeType=\"UUID\" defaultValueString=\"\"") == "UUID?")
    }

    @Test(arguments: [
        ("attributeType=\"Transformable\"", "NSObject?"),
        ("attributeType=\"Transformable\" customClassName=\"[String]\"", "[String]?"),
        ("attributeType=\"Transformable\" customClassName=\".Money\" defaultValueString=\"x\"", "Money?"),
        ("attributeType=\"Transformable\" customClassName=\"NSArray\"", "NSArray?"),
        ("attributeType=\"Transformable\" customClassName=\"Dictionary&lt;String, Any&gt;\"", "[String: Any]?"),
        ("attributeType=\"Composite\" composite=\"C\"", "[String: Any]?"),
        ("attributeType=\"ObjectID\"", "NSManagedObjectID?"), ("transient=\"YES\"", "NSObject?"),
    ])
    func otherValuesAreOptional(_ attributes: String, _ expected: String) {
        #expect(declaration(attributes) == expected)
    }
}
