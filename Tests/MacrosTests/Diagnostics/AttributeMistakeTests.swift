#if Macros
import Testing

/// What `@Attribute` says must go together with the type.
@Suite struct AttributeMistakeTests {
    static let mistakes: [Mistake] = [
        .property(
            "@Attribute(.unique) var pages: Set<Page>", "'pages' can't be unique: it holds many values.",
            fixed: "var pages: Set<Page>"),
        .property(
            "@Attribute(.transformable) var words: [String] = []",
            "A transformable attribute must be optional: the model can't have a default for it.",
            fixed: "@Attribute(.transformable) var words: [String]?"),
        .property(
            "@Attribute(.transformable) var words: Words",
            "A transformable attribute must be optional: the model can't have a default for it.",
            fixed: "@Attribute(.transformable) var words: Words?"),
        .property(
            "@Attribute(.transformable) var words: [String]? = [\"a\"]",
            "A transformable attribute can't have an initial value: the model can't have a default for it.",
            fixed: "@Attribute(.transformable) var words: [String]?"),
        .property(
            "@Attribute(.derived(\"pages.@count\")) var count: Int = 0",
            "The store computes 'count'; it can't have an initial value.",
            fixed: "@Attribute(.derived(\"pages.@count\")) var count: Int"),
        .property(
            "@Attribute(.derived(\"title\"), .unique) var copy: String", "A derived attribute can't be unique."),
        .property(
            "@Attribute(.derived(\"title\")) var copy: Words?",
            "The store computes numbers, strings and dates, not values of the type 'Words?'."),
        .property(
            "@Attribute(.externalStorage) var title: String = \"\"",
            "Only data is kept in files of its own, not values of the type 'String'."),
        .property(
            "@Attribute(.transient, .unique) var title: String = \"\"",
            "A transient attribute is not in the store and can't be unique."),
        .property(
            "@Attribute(pattern: \"[0-9]+\") var pages: Int = 0",
            "Only a string can have a pattern, not a value of the type 'Int'."),
        .property(
            "@Attribute(min: 1) var inPrint: Bool = true",
            "A value of the type 'Bool' has no least and no greatest."),
        .property(
            "@Attribute(min: 3, max: 2) var pages: Int = 2", "The least value is greater than the greatest."),
        .property(
            "@Attribute(originalName: \"old\") var words: Words",
            "'words' needs an initial value, or a type that is optional, as relationships to one object have.",
            fixed: "@Attribute(originalName: \"old\") var words: Words?"),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamed(_ mistake: Mistake) { mistake.check() }
}
#endif
