#if Macros
import Testing

/// What `@Relationship` says must go together with the type.
@Suite struct RelationshipMistakeTests {
    static let mistakes: [Mistake] = [
        .property(
            "@Relationship var pages: Set<Page>?", "A relationship to many objects is empty, never nil.",
            fixed: "@Relationship var pages: Set<Page>"),
        .property(
            "@Relationship var pages: [Page]?", "A relationship to many objects is empty, never nil.",
            fixed: "@Relationship var pages: [Page]"),
        .property(
            "@Relationship var author: Author",
            "A relationship to one object is optional in Swift; say 'optional: false' to require the object when it is "
                + "saved.", fixed: "@Relationship var author: Author?"),
        .property(
            "@Relationship var author: Author? = Author()",
            "A relationship has no default; new objects begin without any.",
            fixed: "@Relationship var author: Author?"),
        .property(
            "@Relationship var pages: Set<Page> = [first]",
            "A relationship has no default; new objects begin without any.",
            fixed: "@Relationship var pages: Set<Page>"),
        .property(
            "@Relationship var author: String?",
            "A relationship can't be of the type 'String?': it is an optional managed object, or a Set or array of them."
        ),
        .property(
            "@Relationship(ordered: true) var pages: Set<Page>",
            "A Set has no order; an ordered relationship is an array.",
            fixed: "@Relationship(ordered: true) var pages: [Page]"),
        .property(
            "@Relationship(ordered: false) var pages: [Page]",
            "An array has an order; a relationship without one is a Set.",
            fixed: "@Relationship(ordered: false) var pages: Set<Page>"),
        .property(
            "@Relationship(ordered: true) var author: Author?", "A relationship to one object has no order."),
        .property(
            "@Attribute(.unique) @Relationship var author: Author?",
            "A relationship can't be unique; only attributes can.", fixed: "@Relationship var author: Author?"),
        .property(
            "@Attribute(.transient) @Relationship var author: Author?",
            "'author' is an attribute or a relationship, not both.", fixed: "@Relationship var author: Author?"),
        .property(
            "@Relationship(inverse: \\Author.address.books) var author: Author?",
            "An inverse is one relationship, such as \\Author.books or \"books\"."),
        .property(
            "@Relationship(inverse: \"\") var author: Author?",
            "An inverse is one relationship, such as \\Author.books or \"books\"."),
        .property(
            "@Relationship(minCount: 3, maxCount: 2) var pages: Set<Page>",
            "At least 3 and at most 2 objects are wanted."),
        .property(
            "@Relationship(maxCount: 1) var pages: Set<Page>",
            "A relationship to at most one object is an optional, not a collection."),
        .property(
            "@Relationship(maxCount: 2) var author: Author?",
            "A relationship to one object can't have more than one."),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamed(_ mistake: Mistake) { mistake.check() }
}
#endif
