#if Macros
import Testing

/// Classes that can't have an entity are refused where they are declared.
@Suite struct ClassMistakeTests {
    static let mistakes: [Mistake] = [
        .type(
            "@ManagedObject\nstruct Book {\n}\n",
            "@ManagedObject belongs to a class that inherits from NSManagedObject.",
            fixed: "@ManagedObject\nclass Book: NSManagedObject {\n}\n"),
        .type(
            "@ManagedObject\npublic struct Book: Hashable {\n}\n",
            "@ManagedObject belongs to a class that inherits from NSManagedObject.",
            fixed: "@ManagedObject\npublic class Book: NSManagedObject, Hashable {\n}\n"),
        .type(
            "@ManagedObject\nenum Book {\n}\n",
            "@ManagedObject belongs to a class that inherits from NSManagedObject."),
        .type(
            "@ManagedObject\nactor Book {\n}\n",
            "@ManagedObject belongs to a class that inherits from NSManagedObject."
        ),
        .type(
            "@ManagedObject\nfinal class Book {\n}\n",
            "'Book' must inherit from NSManagedObject, or from a class that does.",
            fixed: "@ManagedObject\nfinal class Book: NSManagedObject {\n}\n"),
        .type(
            "@ManagedObject\nclass Box<Element>: NSManagedObject {\n}\n", "A class with an entity can't be generic."
        ),
        .type(
            "@ManagedObject\nprivate final class Book: NSManagedObject {\n}\n",
            "A class with an entity can't be private: stores find it by its name.",
            fixed: "@ManagedObject\nfinal class Book: NSManagedObject {\n}\n"),
        .type(
            "@ManagedObject\nfileprivate class Book: NSManagedObject {\n}\n",
            "A class with an entity can't be fileprivate: stores find it by its name.",
            fixed: "@ManagedObject\nclass Book: NSManagedObject {\n}\n"),
        .type(
            "@ManagedObject(entity: \"My Book\")\nclass Book: NSManagedObject {\n}\n",
            "The name of an entity begins with a letter and has letters, digits and underscores only."),
        .type(
            "class Book: NSManagedObject {\n    @Attribute(.unique) var isbn: String = \"\"\n}\n",
            "@Attribute has no effect here: the class of the property has no @ManagedObject."),
        .type(
            "@ManagedObject\nclass Book: NSManagedObject {\n    @Relationship var first: Page? { nil }\n}\n",
            "@Relationship belongs to a stored property."),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamed(_ mistake: Mistake) { mistake.check() }
}
#endif
