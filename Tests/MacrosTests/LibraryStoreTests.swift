#if Macros
import OpenCoreDataMacros
import TestSupport
import Testing

/// Objects of classes with macros, through a store on disk and back.
@Suite struct LibraryStoreTests {
    /// Fills a store and closes it.
    private static func filledFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let stack = try TestStack(model: try Library.model(), folder: folder)
        try stack.inContext { (context: NSManagedObjectContext) throws in
            let author = Author(context: context)
            author.name = "Umberto Eco"
            author.homepage = URL(string: "https://example.com/eco")
            let novel = Novel(context: context)
            novel.isbn = "88-452"
            novel.title = "The Name of the Rose"
            novel.pages = 512
            novel.copies = 3
            novel.format = .audio
            novel.language = .german
            novel.size = Size(width: 12.5, height: 19)
            novel.keywords = ["abbey", "library"]
            novel.cover = Data(repeating: 7, count: 300_000)
            novel.genre = "crime"
            novel.author = author
            let essays = Book(context: context)
            essays.isbn = "88-453"
            essays.author = author
            let tag = Tag(context: context)
            tag.name = "old"
            tag.books = [novel, essays]
            let shelf = Shelf(context: context)
            shelf.place = "cellar"
            shelf.books = [novel, essays]
            try context.save()
            shelf.books = [essays, novel]
            try context.save()
        }
        return folder
    }

    private static func reading<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let folder = try filledFolder()
        return try TestStack(model: try Library.model(), folder: folder).inContext(body)
    }

    @Test func attributesComeBack() throws {
        try Self.reading { (context: NSManagedObjectContext) throws in
            let novel = try #require(try context.fetch(Novel.fetchRequest()).first)
            #expect(novel.title == "The Name of the Rose")
            #expect(novel.pages == 512)
            #expect(novel.copies == 3)
            #expect(novel.views == 0)
            #expect(novel.rating == 0.5)
            #expect(novel.weight == 0.25)
            #expect(novel.inPrint)
            #expect(novel.price == 9.5)
            #expect(novel.published == Date(timeIntervalSinceReferenceDate: 0))
            #expect(novel.cover?.count == 300_000)
            #expect(novel.format == .audio)
            #expect(novel.language == .german)
            #expect(novel.size == Size(width: 12.5, height: 19))
            #expect(novel.keywords == ["abbey", "library"])
            #expect(novel.note == nil)
            #expect(novel.genre == "crime")
            #expect(novel.author?.homepage == URL(string: "https://example.com/eco"))
        }
    }

    @Test func relationshipsLeadBothWaysAndKeepTheirOrder() throws {
        try Self.reading { (context: NSManagedObjectContext) throws in
            let author = try #require(try context.fetch(Author.fetchRequest()).first)
            #expect(author.books.count == 2)
            #expect(author.books.allSatisfy { $0.author === author })
            let shelf = try #require(try context.fetch(Shelf.fetchRequest()).first)
            #expect(shelf.books.map(\.isbn) == ["88-453", "88-452"])
            let tag = try #require(try context.fetch(Tag.fetchRequest()).first)
            #expect(tag.books == author.books)
            #expect(author.books.allSatisfy { $0.labels == [tag] && $0.shelf === shelf })
        }
    }

    @Test func derivedAttributesAreComputed() throws {
        try Self.reading { (context: NSManagedObjectContext) throws in
            #expect(try context.fetch(Author.fetchRequest()).map(\.bookCount) == [2])
        }
    }

    @Test func swiftPredicatesFindObjects() throws {
        try Self.reading { (context: NSManagedObjectContext) throws in
            func titles(_ predicate: Predicate<Book>) throws -> [String] {
                let request = Book.fetchRequest()
                request.predicate = try NSPredicate(translating: predicate)
                request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Book.isbn))]
                return try context.fetch(request).map(\.isbn)
            }
            let (audio, german) = (Format.audio, Language.german)
            #expect(try titles(#Predicate { $0.pages > 100 && $0.inPrint }) == ["88-452"])
            #expect(try titles(#Predicate { $0.format == audio }) == ["88-452"])
            #expect(try titles(#Predicate { $0.language == german }) == ["88-452"])
            #expect(try titles(#Predicate { $0.author?.name == "Umberto Eco" }) == ["88-452", "88-453"])
            #expect(try titles(#Predicate { $0.labels.contains { $0.name == "old" } }) == ["88-452", "88-453"])
        }
    }

    @Test func newObjectsHaveTheirDefaults() throws {
        let stack = try TestStack(model: try Library.model())
        stack.inContext { context in
            let (one, other) = (Author(context: context), Author(context: context))
            #expect(one.id != other.id)
            #expect(one.name.isEmpty)
            let book = Book(context: context)
            #expect(book.title == "untitled")
            #expect(book.format == .hardcover)
            #expect(book.isOpen == false)
        }
    }

    @Test func uniqueValuesAreUnique() throws {
        let folder = try Self.filledFolder()
        let stack = try TestStack(model: try Library.model(), folder: folder)
        try stack.inContext { (context: NSManagedObjectContext) throws in
            let copy = Book(context: context)
            copy.isbn = "88-452"
            copy.author = try context.fetch(Author.fetchRequest()).first
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
        }
    }

    @Test func rulesAreCheckedWithTheirCodes() throws {
        let stack = try TestStack(model: try Library.model())
        stack.inContext { context in
            let author = Author(context: context)
            author.name = "A"
            let book = Book(context: context)
            book.author = author
            func code(_ change: () -> Void) -> Int? {
                change()
                let error = #expect(throws: CocoaError.self) { try book.validateForInsert() }
                return error?.code.rawValue
            }
            #expect(code { book.pages = -1 } == NSValidationNumberTooSmallError)
            #expect(code { book.pages = 20001 } == NSValidationNumberTooLargeError)
            book.pages = 20
            #expect(code { book.isbn = "abc" } == NSValidationStringPatternMatchingError)
            book.isbn = "12"
            #expect(code { book.price = -1 } == NSValidationNumberTooSmallError)
            book.price = 1
            #expect(code { book.author = nil } == NSValidationMissingMandatoryPropertyError)
            book.author = author
            #expect(code { book.size = Size(width: .infinity, height: 1) } == NSManagedObjectValidationError)
            book.size = Size(width: 1, height: 1)
            #expect(throws: Never.self) { try book.validateForInsert() }
            author.name = ""
            let short = #expect(throws: CocoaError.self) { try author.validateForInsert() }
            #expect(short?.code.rawValue == NSValidationStringTooShortError)
        }
    }

    @Test func rawValuesThatTheTypeLacksReadAsTheDefault() throws {
        let stack = try TestStack(model: try Library.model())
        stack.inContext { context in
            let book = Book(context: context)
            book.setValue(99, forKey: "format")
            book.setValue("xx", forKey: "language")
            book.setValue(Data("no size".utf8), forKey: "size")
            #expect(book.format == .hardcover)
            #expect(book.language == nil)
            #expect(book.size == nil)
        }
    }
}
#endif
