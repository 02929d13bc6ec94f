#if Macros
import Testing

/// What is said of mistakes in models of SwiftData.
@Suite struct PersistentModelMistakeTests {
    /// A property of a class.
    private static func property(_ source: String, _ message: String, fixed: String? = nil) -> Mistake {
        func whole(_ property: String) -> String { "@Model\nfinal class Book {\n    \(property)\n}\n" }
        return Mistake(source: whole(source), message: message, fixed: fixed.map(whole))
    }

    @Test(arguments: [
        property(
            "var a, b: Int", "Each persisted property needs a declaration of its own.",
            fixed: "var a: Int\n    var b: Int"),
        property(
            "private var a: Int = 1, b: String?", "Each persisted property needs a declaration of its own.",
            fixed: "private var a: Int = 1\n    private var b: String?"),
        property("var a = 1, b = 2", "Each persisted property needs a declaration of its own."),
        property("var (a, b) = (1, 2)", "A persisted property can't be a tuple."),
        property(
            "weak var a: Book?", "A persisted property can't be weak; the context holds the models.",
            fixed: "var a: Book?"),
    ])
    func aPropertyThatCannotBeKeptIsRefused(_ mistake: Mistake) { mistake.check() }

    @Test(arguments: [
        Mistake.type(
            "@Model\nstruct Book {\n}\n", "@Model belongs to a class.", fixed: "@Model\nclass Book {\n}\n"),
        Mistake.type("@Model\nenum Book {\n}\n", "@Model belongs to a class."),
        Mistake.type("@Model\nfinal class Book<T> {\n}\n", "A class with @Model can't be generic."),
    ])
    func aTypeThatCannotBeAModelIsRefused(_ mistake: Mistake) { mistake.check() }

    @Test func observersAreWarnedOfAndThePropertyIsKept() {
        let expansion = Expansion("@Model\nfinal class Book {\n    var a: Int = 1 { didSet { print(a) } }\n}\n")
        #expect(
            expansion.messages == [
                "The observers of a persisted property are never called: its accessors are those of @Model."
            ])
        #expect(expansion.expanded.contains("name: \"a\""))
    }

    @Test func anOwnEqualityIsTheOneOfTheConformance() {
        let own = Expansion(
            "@Model\nfinal class Book {\n    static func == (a: Book, b: Book) -> Bool { true }\n}\n")
        #expect(own.expanded.contains("lhs == rhs"))
        #expect(!Expansion("@Model\nfinal class Book {\n}\n").expanded.contains("lhs == rhs"))
    }
}
#endif
