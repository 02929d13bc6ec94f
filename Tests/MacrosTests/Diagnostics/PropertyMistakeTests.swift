#if Macros
import Testing

/// Properties that can't be managed are refused where they are declared.
@Suite struct PropertyMistakeTests {
    static let mistakes: [Mistake] = [
        .property(
            "let title: String = \"\"",
            "A managed property must be a variable; mark 'title' @Transient if the model doesn't have it.",
            fixed: "var title: String = \"\""),
        .property(
            "var title = \"\"", "The managed property 'title' needs its type written out.",
            fixed: "var title: String = \"\""),
        .property(
            "var pages = 10", "The managed property 'pages' needs its type written out.",
            fixed: "var pages: Int = 10"),
        .property(
            "var id = UUID()", "The managed property 'id' needs its type written out.",
            fixed: "var id: UUID = UUID()"),
        .property("var pages = count()", "The managed property 'pages' needs its type written out."),
        .property(
            "var pages: UInt64 = 0", "An attribute can't be of the type 'UInt64'; use 'Int64'.",
            fixed: "var pages: Int64 = 0"),
        .property(
            "var title: NSString?", "An attribute can't be of the type 'NSString'; use 'String'.",
            fixed: "var title: String?"),
        .property("var pages: NSSet?", "An attribute can't be of the type 'NSSet'; use Set<…> of the class."),
        .property(
            "var size: (Int, Int) = (0, 0)",
            "An attribute can't be of the type '(Int, Int)'; mark 'size' @Transient if the model doesn't have it."),
        .property(
            "var change: () -> Void = {}",
            "An attribute can't be of the type '() -> Void'; mark 'change' @Transient if the model doesn't have it."
        ),
        .property(
            "var thing: any Hashable = 1",
            "An attribute can't be of the type 'any Hashable'; mark 'thing' @Transient if the model doesn't have it."
        ),
        .property(
            "var anything: Any?",
            "An attribute can't be of the type 'Any'; mark 'anything' @Transient if the model doesn't have it."),
        .property(
            "var title: String!", "A managed property is optional or not; '!' is neither.",
            fixed: "var title: String?"
        ),
        .property(
            "var author: Author",
            "'author' needs an initial value, or a type that is optional, as relationships to one object have.",
            fixed: "var author: Author?"),
        .property(
            "var words: [String]", "'words' needs an initial value, such as [], or a type that is optional.",
            fixed: "var words: [String]?"),
        .property("var a: Int = 0, b: Int = 0", "Each managed property needs a declaration of its own."),
        .property("var (a, b): (Int, Int) = (0, 0)", "A managed property can't be a tuple."),
        .property(
            "@NSManaged var title: String",
            "@ManagedObject gives 'title' its accessors; @NSManaged can't stand beside it.",
            fixed: "var title: String"),
        .property(
            "weak var author: Author?", "A managed property can't be weak; the context holds the objects.",
            fixed: "var author: Author?"),
        .property(
            "var title: String = \"\" { didSet { print(title) } }",
            "A managed property can't have observers; mark 'title' @Transient if the model doesn't have it."),
        .property("var description: String = \"\"", "'description' is a name that NSManagedObject uses itself."),
        .property("var objectID: UUID?", "'objectID' is a name that NSManagedObject uses itself."),
    ]

    @Test(arguments: mistakes) func aMistakeIsNamed(_ mistake: Mistake) { mistake.check() }
}
#endif
