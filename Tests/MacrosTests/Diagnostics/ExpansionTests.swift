#if Macros
import Foundation
import Testing

/// What the macros write.
@Suite struct ExpansionTests {
    @Test func aClassGetsAccessorsAndItsEntity() {
        let expansion = Expansion(
            """
            @ManagedObject(entity: "Volume")
            public final class Book: NSManagedObject {
                @Attribute(.unique, min: 3) public var isbn: String = ""
                var added: Date = .now
                var format: Format = .hardcover
                @Relationship(deleteRule: .cascade, inverse: \\Author.books) var author: Author?
                var short: String { isbn }
                @Transient var isOpen: Bool = false
            }
            """)
        #expect(expansion.messages.isEmpty)
        #expect(
            expansion.expanded.trimmingPrefix("\n") == """
                public final class Book: NSManagedObject {
                    public var isbn: String {
                        get { self[Book._isbnProperty] }
                        set { self[Book._isbnProperty] = newValue }
                    }
                    var added: Date {
                        get { self[Book._addedProperty] }
                        set { self[Book._addedProperty] = newValue }
                    }
                    var format: Format {
                        get { self[Book._formatProperty] }
                        set { self[Book._formatProperty] = newValue }
                    }
                    var author: Author? {
                        get { self[Book._authorProperty] }
                        set { self[Book._authorProperty] = newValue }
                    }
                    var short: String { isbn }
                    var isOpen: Bool = false

                    private static let _isbnProperty = PropertyAccess.property("isbn", of: String.self)

                    private static let _addedProperty = PropertyAccess.property("added", of: Date.self)

                    private static let _formatProperty = PropertyAccess.property("format", of: Format.self, default: .hardcover)

                    private static let _authorProperty = PropertyAccess.property("author", of: Author?.self)

                    public class var entityName: String { "Volume" }

                    public class var entityBlueprint: EntityBlueprint {
                        EntityBlueprint(
                            of: Book.self,
                            name: "Volume",
                            properties: [
                                .attribute(Book._isbnProperty, default: .constant(""), .unique, min: 3),
                                .property(Book._addedProperty, default: .fresh { .now }),
                                .property(Book._formatProperty, default: .constant(.hardcover)),
                                .relationship(Book._authorProperty, deleteRule: .cascade, inverse: .named("books"))
                            ])
                    }

                    #if canImport(ObjectiveC)
                    public override func awakeFromInsert() {
                        super.awakeFromInsert()
                        setFreshDefaults(of: Book.entityBlueprint)
                    }
                    #endif
                }

                extension Book: ManagedObjectModeling {}
                """)
    }

    @Test func aSubclassOverridesTheEntityOfItsSuperclass() {
        let expansion = Expansion("@ManagedObject\nopen class Novel: Book {\n}\n", conforms: true)
        #expect(expansion.expanded.contains("open override class var entityName: String"))
        #expect(expansion.expanded.contains("inheriting: super.entityBlueprint"))
        #expect(!expansion.expanded.contains("extension"))
    }

    @Test(arguments: [
        ("var id: UUID = UUID()", true), ("var name: String = \"\"", false), ("var born: Date?", false),
    ])
    func onApplesPlatformsAnObjectMakesItsFreshDefaultsItself(member: String, isFresh: Bool) {
        let expansion = Expansion("@ManagedObject\nclass Book: NSManagedObject {\n    \(member)\n}\n")
        #expect(expansion.expanded.contains("#if canImport(ObjectiveC)") == isFresh)
        #expect(expansion.expanded.contains("setFreshDefaults(of: Book.entityBlueprint)") == isFresh)
    }

    @Test func aClassThatAwakesByItselfKeepsItsFunction() {
        let expansion = Expansion(
            """
            @ManagedObject
            class Book: NSManagedObject {
                var id: UUID = UUID()
                override func awakeFromInsert() { super.awakeFromInsert() }
            }
            """)
        #expect(expansion.expanded.components(separatedBy: "awakeFromInsert() {").count == 2)
    }

    @Test func theStoreComputesWhatIsDerived() {
        let expansion = Expansion(
            "@ManagedObject\nclass Book: NSManagedObject {\n    @Attribute(.derived(\"title\")) var copy: String?\n}\n"
        )
        #expect(expansion.expanded.contains("get"))
        #expect(!expansion.expanded.contains("set"))
    }

    @Test(arguments: [
        ("UUID()", false), (".now", false), ("Date()", false), ("makeName()", false), (".random(in: 0...5)", false),
        ("\"a\"", true), ("-1", true), (".hardcover", true), ("Format.audio", true), ("[1, 2]", true),
        ("Size(width: 1, height: 2)", true), ("Date(timeIntervalSince1970: 0)", true), ("\"\\(name)\"", false),
        ("60 * 60", true),
    ]) func anInitialValueIsADefaultOrMadeForEachObject(value: String, isDefault: Bool) {
        let expansion = Expansion(
            "@ManagedObject\nclass Book: NSManagedObject {\n    var thing: Thing = \(value)\n}\n")
        #expect(expansion.expanded.contains("default: .constant(\(value))") == isDefault)
        #expect(expansion.expanded.contains("default: .fresh") == !isDefault)
    }
}
#endif
