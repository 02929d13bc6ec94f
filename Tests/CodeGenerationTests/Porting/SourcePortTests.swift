import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

@Suite struct SourcePortTests {
    private static let old = """
        import CoreData

        @objc(Book)
        @objcMembers public class Book: NSManagedObject {
            // @objc in a comment stays
            @NSManaged private var secret: String?
            @NSManaged fileprivate var primitiveTitle: String?
            @NSManaged @objc public private(set) var name: String?
            @objc dynamic func publish() {}
            private var cache = 3
            @objc(addTagsObject:)
            @NSManaged public func addToTags(_ value: Book)
            #if canImport(ObjectiveC)
            @objc func already() {}
            #endif
        }
        """

    private static let new = """
        import CoreData

        #if canImport(ObjectiveC)
        @objc(Book)
        #endif
        #if canImport(ObjectiveC)
        @objcMembers
        #endif
        public class Book: NSManagedObject {
            // @objc in a comment stays
            @NSManaged var secret: String?
            @NSManaged var primitiveTitle: String?
            @NSManaged
        #if canImport(ObjectiveC)
            @objc
        #endif
            public private(set) var name: String?
        #if canImport(ObjectiveC)
            @objc
        #endif
            dynamic func publish() {}
            private var cache = 3
        #if canImport(ObjectiveC)
            @objc(addTagsObject:)
        #endif
            @NSManaged public func addToTags(_ value: Book)
            #if canImport(ObjectiveC)
            @objc func already() {}
            #endif
        }
        """

    @Test func whatIsApplesGoesBetweenConditions() {
        #expect(SourcePort.ported(Self.old) == Self.new)
        #expect(SourcePort.ported(Self.new) == Self.new)
    }

    @Test func keyPathsAndSelectorsOfComparisonsBecomeTexts() {
        let source = """
            import CoreData
            let a = NSSortDescriptor(
                key: #keyPath(Shop.Author.books.title), ascending: true,
                selector: #selector(NSString.localizedStandardCompare(_:)))
            let b = [#keyPath(title), #keyPath(self.title), #keyPath(Author.URL)]
            // #keyPath(Author.name) stays, as does "#keyPath(Author.name)"
            """
        #expect(
            SourcePort.ported(source) == """
                import CoreData
                let a = NSSortDescriptor(
                    key: "books.title", ascending: true,
                    selector: NSSelectorFromString("localizedStandardCompare:"))
                let b = ["title", "title", "URL"]
                // #keyPath(Author.name) stays, as does "#keyPath(Author.name)"
                """)
    }

    @Test func keysInInterpolationsBecomePartsOfTheString() {
        let source = ##"""
            let a = NSPredicate(format: "\(#keyPath(Book.title)) == %@ AND \(#keyPath(Book.author.name)) != nil", b)
            let c = #"\#(#keyPath(Book.title)) \(#keyPath(Book.title))"#
            let d = "\(prefix + #keyPath(Book.title)) \(call("\(#keyPath(Book.pages))"))"
            let e = """
                \(NSStringFromSelector(#selector(getter: Book.title))) and
                \(#selector(Book.update))
                """
            let f = "\(x as! NSFetchRequest<Book>) \(y)"
            let g = "\(#selector(getter: Book.title)) == 1 \( #selector(getter: self.pages) )"
            import CoreData
            """##
        let ported = SourcePort.port(source)
        #expect(
            ported.text == ##"""
                let a = NSPredicate(format: "title == %@ AND author.name != nil", b)
                let c = #"title \(#keyPath(Book.title))"#
                let d = "\(prefix + "title") \(call("pages"))"
                let e = """
                    title and
                    \(#selector(Book.update))
                    """
                let f = "\(NSFetchRequest<Book>.converted(x)!) \(y)"
                let g = "title == 1 pages"
                import CoreData
                """##, "\(ported.text)")
        #expect(ported.leftovers.map(\.line) == [6])
        #expect(SourcePort.ported(ported.text) == ported.text)
    }

    @Test func namesOfGettersBecomeKeys() {
        let source = """
            import CoreData
            let a = NSStringFromSelector(#selector(getter: Shop.Book.title))
            let b = NSStringFromSelector( #selector( setter : self.isRead ) )
            let c = NSStringFromSelector(#selector(Book.update(_:)))
            let d = String(describing: #selector(getter: Book.title)) + String(describing: e)
            """
        let ported = SourcePort.port(source)
        #expect(
            ported.text == """
                import CoreData
                let a = "title"
                let b = "setIsRead:"
                let c = NSStringFromSelector(#selector(Book.update(_:)))
                let d = "title" + String(describing: e)
                """)
        #expect(ported.leftovers.map(\.line) == [4])
    }

    @Test func theInitializerWithAContextIsRequired() {
        let source = """
            import CoreData
            class Book: NSManagedObject {
                convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
                convenience init(context: NSManagedObjectContext, title: String) { self.init(context: context) }
            }
            open class Novel: Book {
                private convenience init(context moc: NSManagedObjectContext) {
                    self.init(entity: Novel.entity(), insertInto: moc)
                }
            }
            public class Shelf: NSManagedObject {}
            extension Shelf {
                /// Makes one.
                convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
            }
            extension Elsewhere {
                convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
            }
            class Model { convenience init(context: NSManagedObjectContext) { self.init() } }
            class Repository<Entity: NSManagedObject> { init(context: NSManagedObjectContext) {} }
            """
        let ported = SourcePort.port(source)
        #expect(
            ported.text == """
                import CoreData
                class Book: NSManagedObject {
                    required convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
                    convenience init(context: NSManagedObjectContext, title: String) { self.init(context: context) }
                }
                open class Novel: Book {
                    public required convenience init(context moc: NSManagedObjectContext) {
                        self.init(entity: Novel.entity(), insertInto: moc)
                    }
                }
                public class Shelf: NSManagedObject {
                    /// Makes one.
                    public required convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
                }
                extension Shelf {
                }
                extension Elsewhere {
                    convenience init(context: NSManagedObjectContext) { self.init(entity: Self.entity(), insertInto: context) }
                }
                class Model { convenience init(context: NSManagedObjectContext) { self.init() } }
                class Repository<Entity: NSManagedObject> { init(context: NSManagedObjectContext) {} }
                """, "\(ported.text)")
        #expect(ported.leftovers.map(\.line) == [18])
        #expect(ported.leftovers.first?.sentence.contains("required convenience init(context:)") == true)
        #expect(SourcePort.ported(ported.text) == ported.text)
    }

    @Test(arguments: [
        (
            "import Foundation\nimport UIKit\nlet a: NSManagedObject",
            "import CoreData\nimport Foundation\nimport UIKit\n"
        ),
        ("// Head\n\nimport AppKit\n\nlet a: NSManagedObject", "// Head\n\nimport AppKit\nimport CoreData\n\n"),
        ("@testable import App\nlet a = NSPredicate(format: b)", "@testable import App\nimport CoreData\n"),
        (
            "// Head\n// and more\n\n/// Of a.\nlet a: UndoManager",
            "// Head\n// and more\n\nimport CoreData\n\n/// Of a."
        ),
        ("#if os(Linux)\nimport Glibc\n#endif\nlet a = NSSQLiteStoreType", "import CoreData\n#if os(Linux)\n"),
        ("extension Book { @NSManaged var a: Int }", "import CoreData\n\nextension Book"),
        ("let a = \"\\(b as? NSManagedObject)\"", "import CoreData\n\nlet a"),
        ("let a = b.c(forName: .NSManagedObjectContextDidSave)", "import CoreData\n\nlet a"),
        ("import Foundation\r\nlet a: NSManagedObject\r\n", "import CoreData\r\nimport Foundation\r\n"),
    ])
    func theImportThatAFileLacksIsAdded(_ source: String, _ beginning: String) {
        let ported = SourcePort.ported(source)
        #expect(ported.hasPrefix(beginning), "\(ported)")
        #expect(SourcePort.ported(ported) == ported)
    }

    @Test(arguments: [
        "import CoreData\nlet a: NSManagedObject", "@preconcurrency import CoreData\nlet a: NSManagedObject",
        "import class CoreData.NSManagedObject\nlet a: NSManagedObject", "import OpenCoreDataKit\nlet a: NSPredicate",
        "import Foundation\nlet a = 1 // NSManagedObject", "import Foundation\nlet a = \"NSManagedObject\"",
        "#if os(iOS)\nimport UIKit\nlet a: NSManagedObject\n#endif", "class UndoManager {}\nlet a = NSObject()",
        "#if canImport(CoreData)\nimport CoreData\n#endif\nlet a: NSManagedObject",
    ])
    func aFileThatNeedsNoImportGetsNone(_ source: String) { #expect(SourcePort.ported(source) == source) }

    @Test func keysThatAreNoPropertiesOfTheModelAreReported() {
        let source = """
            import CoreData
            class Book: NSManagedObject {
                @objc var initial: String { "a" }
                @objc private var year: Int { 1 }
                @objc var unused: Int { 2 }
            }
            """
        let other = SourcePort.port(
            """
            import CoreData
            let a = NSFetchedResultsController(
                fetchRequest: b, managedObjectContext: c, sectionNameKeyPath: #keyPath(Book.initial), cacheName: nil)
            let d = [NSSortDescriptor(key: "author.year", ascending: true)]
            """)
        #expect(other.keys == ["initial", "author", "year"])
        let ported = SourcePort.port(source)
        let lines = ported.text.split(separator: "\n", omittingEmptySubsequences: false)
        let sentences = ported.keyedProperties.map { ($0, $0.sentence(for: other.keys)) }
        #expect(ported.keyedProperties.map(\.name) == ["initial", "year", "unused"])
        #expect(lines[ported.keyedProperties[0].line - 1].contains("var initial"))
        #expect(sentences[0].1?.hasPrefix("Book.initial isn't a property of the model") == true)
        #expect(sentences[1].1?.hasSuffix("remove 'private'") == true)
        #expect(sentences[2].1 == nil)
    }

    @Test func modelsOfBundlesThatAPackageDoesNotHaveAreReported() {
        let source = """
            let a = Bundle.main.url(forResource: "Shop", withExtension: "momd")
            let b = Bundle(for: Self.self).url(forResource: name, withExtension: "momd")
            let c = Bundle.module.url(forResource: "Shop", withExtension: "momd")
            let d = bundle.url(forResource: "Shop", withExtension: "momd"), e = "momd"
            let f = Bundle.main.url(forResource: "Shop", withExtension: "json")
            """
        let leftovers = SourcePort.port(source).leftovers
        #expect(leftovers.map(\.line) == [1, 2])
        #expect(leftovers.first?.sentence.contains("Bundle.module") == true)
    }

    @Test func onlyRequirementsOfProtocolsAreOptional() {
        let source = """
            let a = b.optional
            func c() {}
            enum D { case optional
                var e: Int { 1 } }
            let f = (x: optional)
            """
        #expect(SourcePort.port(source).leftovers.isEmpty)
    }

    @Test func castsOfRequestsBecomeConversions() {
        let source = """
            import CoreData
            let a = NSBatchDeleteRequest(fetchRequest: Book.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>)
            guard let b = request as? NSFetchRequest<Book> else { return }
            let c = try make(x, y: { 3 })[0]?.copy() as! NSFetchRequest<Book>
            let d = (e as? NSFetchRequest<A> ?? f) as! NSFetchRequest<NSFetchRequestResult>
            let g = h as? [Book]
            """
        let ported = SourcePort.port(source)
        #expect(
            ported.text == """
                import CoreData
                let a = NSBatchDeleteRequest(fetchRequest: Book.fetchRequest() as NSFetchRequest<NSFetchRequestResult>)
                guard let b = NSFetchRequest<Book>.converted(request) else { return }
                let c = try NSFetchRequest<Book>.converted(make(x, y: { 3 })[0]?.copy())!
                let d = NSFetchRequest<NSFetchRequestResult>.converted((NSFetchRequest<A>.converted(e) ?? f))!
                let g = h as? [Book]
                """)
        #expect(ported.leftovers.isEmpty)
        #expect(SourcePort.ported(ported.text) == ported.text)
    }

    @Test func overridesMoveIntoTheirClassAndInitializersAreOpened() {
        let source = """
            import CoreData
            final class Manager: NSObject {
                override private init() { super.init() }
                fileprivate override init(x: Int) {}
                private init(y: Int) {}
            }

            class Book: NSManagedObject {
                var a = 1
            }

            extension Book {
                /// Comes first.
                public override func awakeFromInsert() {
                    super.awakeFromInsert()
                    setPrimitiveValue(1, forKey: #keyPath(Book.pages))
                }
                var b: Int { 2 }
                @objc override class func entity() -> NSEntityDescription { super.entity() }
            }
            """
        let ported = SourcePort.port(source)
        #expect(
            ported.text == """
                import CoreData
                final class Manager: NSObject {
                    override init() { super.init() }
                    override init(x: Int) {}
                    private init(y: Int) {}
                }

                class Book: NSManagedObject {
                    var a = 1

                    /// Comes first.
                    public override func awakeFromInsert() {
                        super.awakeFromInsert()
                        setPrimitiveValue(1, forKey: "pages")
                    }

                #if canImport(ObjectiveC)
                    @objc
                #endif
                    override class func entity() -> NSEntityDescription { super.entity() }
                }

                extension Book {
                    var b: Int { 2 }
                }
                """)
        #expect(ported.leftovers.isEmpty && !ported.hasManagedMembers)
    }

    @Test func overridesOfOtherClassesAndUnderConditionsStayWhereTheyAre() {
        let source = """
            import CoreData
            class Shop: NSManagedObject {}
            extension Shop.Book {
                override func willSave() {}
            }
            class Shelf<Item>: NSManagedObject {}
            extension Shelf where Item == Int {
                override func didSave() {}
            }
            extension Shop {
                #if DEBUG
                    override func prepareForDeletion() {}
                #endif
            }
            #if SLOW
                class Slow: NSManagedObject {}
                extension Slow { override func awakeFromFetch() {} }
            #endif
            """
        let ported = SourcePort.port(source)
        #expect(ported.leftovers.map(\.line) == [4, 8, 12])
        #expect(
            ported.leftovers.map { $0.sentence.hasSuffix("in another file") } == [true, false, false],
            "\(ported.leftovers)")
        let moved = source.replacingOccurrences(
            of: """
                class Slow: NSManagedObject {}
                    extension Slow { override func awakeFromFetch() {} }
                """,
            with: """
                class Slow: NSManagedObject {
                override func awakeFromFetch() {}
                }
                    extension Slow {  }
                """)
        #expect(ported.text == moved, "\(ported.text)")
    }

    @Test func classesThatModelsKnowByAnotherNameAreNamed() {
        let source = """
            import CoreData
            @objc(LIBBook) public final class Book: NSManagedObject {}
            @objc(Author) class Author: NSManagedObject {}
            @objc(LIBPolicy)
            @objcMembers class Policy: NSEntityMigrationPolicy {}
            @objc(LIBController) class Controller: NSObject {}
            @objc(LIBNovel) class Novel: Book {}
            """
        for string in [source, SourcePort.ported(source)] {
            let ported = SourcePort.port(string)
            let lines = ported.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(
                ported.leftovers.map { String(lines[$0.line - 1]) } == [
                    "public final class Book: NSManagedObject {}", "class Policy: NSEntityMigrationPolicy {}",
                    "class Novel: Book {}",
                ])
            #expect(ported.leftovers.first?.sentence.hasPrefix("models know the class Book as LIBBook") == true)
        }
    }

    @Test func whatIsLeftIsNamedWithItsLine() {
        let source = """
            import CoreData
            extension Elsewhere {
                override func willSave() {}
            }
            @objc protocol Hearing { @objc optional func hear() }
            let a = #selector(Book.didSave(_:))
            switch b { case let c as NSFetchRequest<Book>: c; default: d }
            let e = NSPredicate(format: f, arguments: getVaList([1]))
            let g = withVaList(h) { NSPredicate(format: f, arguments: $0) }
            let i = #keyPath(a + b)
            func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            override func validateValue(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {}
            """
        let ported = SourcePort.port(source)
        #expect(ported.text.contains("let e = NSPredicate(format: f, argumentArray: [1])"))
        let lines = ported.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            ported.leftovers.map { lines[$0.line - 1].trimmingCharacters(in: .whitespaces) } == [
                "override func willSave() {}", "optional func hear() }", "let a = #selector(Book.didSave(_:))",
                "switch b { case let c as NSFetchRequest<Book>: c; default: d }",
                "let g = withVaList(h) { NSPredicate(format: f, arguments: $0) }", "let i = #keyPath(a + b)",
                "func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}",
            ])
        #expect(ported.leftovers[4].sentence.contains("argumentArray"))
    }

    @Test func unfinishedSourcesAreLeftAlone() {
        for source in [
            "#keyPath(", "a as! NSFetchRequest<", "as! NSFetchRequest<A>", "extension A { override", "{{{", ")",
        ] {
            let imported = "import CoreData;\n\(source)"
            #expect(SourcePort.ported(imported) == imported)
        }
    }

    @Test func afterPortingEverythingCanBeSupplied() {
        func plan(_ string: String) -> Diagnosed<ManagedAccessors> {
            ManagedAccessors.plan([ManagedAccessors.Source(file: "Book.swift", text: string)], moduleName: "M")
        }
        #expect(!plan(Self.old).isUsable)
        let result = plan(Self.new)
        #expect(result.diagnostics.map(\.description) == [])
        #expect(result.value.symbols.count == 7)
    }

    @Test func aPrivateExtensionOrClassIsOpened() {
        let source = """
            import CoreData
            private class A: NSManagedObject { @NSManaged var a: Int16 }
            fileprivate extension A { @NSManaged var b: Int16 }
            private extension A { var c: Int { 1 } }
            """
        #expect(
            SourcePort.ported(source) == """
                import CoreData
                class A: NSManagedObject { @NSManaged var a: Int16 }
                extension A { @NSManaged var b: Int16 }
                private extension A { var c: Int { 1 } }
                """)
    }

    @Test(.enabled(if: SwiftCompiler.compiler != nil, "swiftc is missing"))
    func thePortedSourceCompiles() throws {
        let folder = try TemporaryFolder()
        let core = folder.file("Core.swift")
        try Data("import Foundation\nopen class NSManagedObject: NSObject {}\n".utf8).write(to: core)
        try SwiftCompiler.emitModule("CoreData", source: core, in: folder.url)
        let book = folder.file("Book.swift")
        try Data(Self.new.utf8).write(to: book)
        try SwiftCompiler.check([book], in: folder.url)
    }

    @Test func theDifferenceIsShown() {
        let old = (1...12).map(String.init).joined(separator: "\n") + "\n"
        let new = old.replacingOccurrences(of: "\n6\n", with: "\nsix\n6b\n")
        #expect(
            UnifiedDiff.text(from: old, to: new, file: "a.swift") == """
                --- a.swift
                +++ a.swift
                @@ -3,7 +3,8 @@
                 3
                 4
                 5
                -6
                +six
                +6b
                 7
                 8
                 9

                """)
        #expect(UnifiedDiff.text(from: old, to: old, file: "a.swift").isEmpty)
    }
}
