import ModelCodeGeneration
import Testing

@Suite struct ModelPlannerTests {
    private static let all: GenerationSettings = {
        var settings = GenerationSettings()
        settings.mode = .class
        return settings
    }()

    @Test(arguments: [
        (
            "<entity name=\"A\" representedClassName=\"A\"/>\n<entity name=\"A\" representedClassName=\"A\"/>",
            "M.xml:4: error: the entity 'A' appears twice"
        ),
        (
            "<entity name=\"A\" representedClassName=\"C\"/>\n<entity name=\"B\" representedClassName=\".C\"/>",
            "M.xml:4: error: the entities 'A' and 'B' have the same class, 'C'; set one of them to Manual/None"
        ),
        (
            "<entity name=\"A\" representedClassName=\"My Class\"/>",
            "M.xml:3: error: the class 'My Class' of the entity 'A' has a name that isn't valid in Swift"
        ),
        (
            "<entity name=\"A\" representedClassName=\"9A\"/>",
            "M.xml:3: error: the class '9A' of the entity 'A' has a name that isn't valid in Swift"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A{}; import B\"/>",
            "M.xml:3: error: the class 'A{}; import B' of the entity 'A' has a name that isn't valid in Swift"
        ),
        (
            "<entity name=\"A\"/>",
            "M.xml:3: warning: the entity 'A' has no class of its own, so nothing is generated for it"
        ),
        (
            "<entity name=\"A\" representedClassName=\"NSManagedObject\"/>",
            "M.xml:3: warning: the entity 'A' has no class of its own, so nothing is generated for it"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"Z\"/>",
            "M.xml:3: error: the parent of the entity 'A', 'Z', is not in the model"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"A\"/>",
            "M.xml:3: error: the entity 'A' is among its own ancestors"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\"><attribute name=\"b c\" attributeType=\"String\"/></entity>",
            "M.xml:3: error: the property 'b c' of the entity 'A' has a name that isn't valid in Swift"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\"><attribute name=\"hash\" attributeType=\"String\"/></entity>",
            "M.xml:3: error: the property 'hash' of the entity 'A' has the name of a member of NSManagedObject; "
                + "rename it, with the old name as the renaming identifier"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\"><attribute name=\"b\" attributeType=\"String\"/>\n"
                + "<relationship name=\"b\" destinationEntity=\"A\"/></entity>",
            "M.xml:4: error: the entity 'A' has two properties called 'b'"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\"><relationship name=\"b\" destinationEntity=\"Z\"/></entity>",
            "M.xml:3: error: the relationship 'A.b' leads to the entity 'Z', which is not in the model"
        ),
        (
            "<entity name=\"A\" representedClassName=\"A\"><attribute name=\"b\" attributeType=\"Transformable\" "
                + "customClassName=\"(Int) -> Int\"/></entity>",
            "M.xml:3: error: the class '(Int) -> Int' of the attribute 'A.b' isn't a Swift type"
        ),
    ])
    func whatIsWrongIsSaid(_ content: String, _ message: String) {
        #expect(Samples.diagnostics(content, Self.all).contains(message))
    }

    @Test func aCircleOfParentsEnds() {
        let content = """
            <entity name="A" representedClassName="A" parentEntity="B"/>
            <entity name="B" representedClassName="B" parentEntity="A"/>
            """
        #expect(Samples.diagnostics(content, Self.all).count == 2)
    }

    @Test func aClassOfAnotherModuleIsOnlyUsed() {
        var settings = Self.all
        settings.moduleName = "Shop"
        let content = """
            <entity name="A" representedClassName="Shop.A"><relationship name="b" destinationEntity="B"/></entity>
            <entity name="B" representedClassName="Parts.B"/>
            """
        #expect(
            Samples.diagnostics(content, settings) == [
                "M.xml:4: warning: the class of the entity 'B' is in the module 'Parts', so nothing is generated for it here"
            ])
        let result = ModelCodeGenerator.renderer(
            contents: Samples.model(content), file: "M.xml", name: "M", settings: settings)
        #expect(result.isUsable)
        let code = result.value.singleFile(named: "M.swift").content
        #expect(code.contains("public class A: NSManagedObject {}"))
        #expect(code.contains("public var b: Parts.B? {"))
        #expect(!code.contains("class B"))
    }

    @Test func namesThatAreWordsOfTheLanguageAreEscaped() {
        let content = """
            <entity name="A" representedClassName="Protocol">
            <attribute name="default" attributeType="String" optional="YES"/>
            <attribute name="Type" attributeType="String" optional="YES"/>
            <relationship name="in" toMany="YES" destinationEntity="A"/></entity>
            """
        let code = Samples.code(content, Self.all)
        #expect(code.contains("public class `Protocol`: NSManagedObject {}"))
        #expect(code.contains("public var `default`: String? {"))
        #expect(code.contains("get { self[_ProtocolProperties.Type_slot] }"))
        #expect(code.contains("static let Type_slot = ManagedProperty<String?>(\"Type\")"))
        #expect(code.contains("public func addToIn(_ value: `Protocol`) {"))
        #expect(code.contains("static let `in` = ManagedProperty<NSSet?>(\"in\")"))
    }

    @Test func textsOfTheModelCannotLeaveTheirLiterals() {
        let content = "<entity name=\"A&quot; \\(x) &#10;\" representedClassName=\"A\"/>"
        #expect(Samples.code(content, Self.all).contains("entityName: \"A\\\" \\\\(x) \\u{a}\")"))
    }
}
