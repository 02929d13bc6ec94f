import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Rows that belong to no entity of their table, or have negative primary keys, are in no answer, whichever way it is asked
/// for and whatever was asked before.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command")) struct StrayRowTests {
    /// What makes the books with 0, 4 and 9 pages stray.
    static let damages = [
        "Z_ENT = -1", "Z_ENT = 0", "Z_ENT = 99", "Z_ENT = NULL", "Z_ENT = -9223372036854775808",
        "Z_ENT = 9223372036854775807", "Z_ENT = 2000000000", "Z_ENT = 'x'",
        "Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author')", "Z_PK = -Z_PK",
    ]

    /// A way to ask, and what the answer is about the books with 1, 2, 3, 5, 6, 7 and 8 pages.
    enum Question: String, CaseIterable {
        case objects, sorted, limited, window, faults, identifiers, batches, count, countWithPredicate, countOfWindow,
            dictionaries, sum, relationship, prefetched, subentity, countOfSubentity

        var answer: [Int] {
            switch self {
            case .limited: [1, 2, 3]
            case .window: [3, 5, 6]
            case .count, .identifiers: [7]
            case .countWithPredicate: [4]
            case .countOfWindow: [5]
            case .sum: [32]
            case .subentity: [3, 7]
            case .countOfSubentity: [2]
            default: [1, 2, 3, 5, 6, 7, 8]
            }
        }

        func ask(_ context: NSManagedObjectContext) throws -> [Int] {
            let request = NSFetchRequest<Book>(entityName: "Book")
            let byPages = [NSSortDescriptor(key: "pages", ascending: true)]
            func pages(_ books: some Sequence<Book>) -> [Int] { books.map { Int($0.pages) } }
            switch self {
            case .objects: return pages(try context.fetch(request)).sorted()
            case .sorted: request.sortDescriptors = byPages
            case .limited: (request.sortDescriptors, request.fetchLimit) = (byPages, 3)
            case .window: (request.sortDescriptors, request.fetchOffset, request.fetchLimit) = (byPages, 2, 3)
            case .faults:
                request.includesPropertyValues = false
                return pages(try context.fetch(request)).sorted()
            case .identifiers:
                let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
                identifiers.resultType = .managedObjectIDResultType
                let found = try context.fetch(identifiers)
                return found.allSatisfy({ !$0.isTemporaryID && $0.entity.isKindOf("Book") }) ? [found.count] : []
            case .batches: (request.sortDescriptors, request.fetchBatchSize) = (byPages, 2)
            case .count: return [try context.count(for: request)]
            case .countWithPredicate:
                request.predicate = NSPredicate(format: "pages >= 4")
                return [try context.count(for: request)]
            case .countOfWindow:
                request.fetchOffset = 2
                return [try context.count(for: request)]
            case .dictionaries:
                return try Self.dictionaries(context, ["pages"]).compactMap { $0["pages"] as? Int }.sorted()
            case .sum:
                let sum = NSExpressionDescription()
                sum.name = "sum"
                sum.expression = NSExpression(format: "sum:(pages)")
                sum.expressionResultType = .integer64AttributeType
                return try Self.dictionaries(context, [sum]).compactMap { $0["sum"] as? Int }
            case .relationship, .prefetched:
                let authors = NSFetchRequest<Author>(entityName: "Author")
                if self == .prefetched { authors.relationshipKeyPathsForPrefetching = ["books"] }
                return pages(try context.fetch(authors).flatMap(\.books)).sorted()
            case .subentity:
                return try context.fetch(NSFetchRequest<GraphicNovel>(entityName: "GraphicNovel")).map { Int($0.pages) }
                    .sorted()
            case .countOfSubentity:
                return [try context.count(for: NSFetchRequest<GraphicNovel>(entityName: "GraphicNovel"))]
            }
            return pages(try context.fetch(request))
        }

        private static func dictionaries(
            _ context: NSManagedObjectContext, _ properties: [Any]
        ) throws -> [[String: Any]] {
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = properties
            return try context.fetch(request).compactMap { $0 as? [String: Any] }
        }
    }

    /// The file of ten books of one author, of which three were made stray; every fourth is a graphic novel.
    private func damagedFolder(_ damage: String) throws -> TemporaryFolder {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ada"
            for pages in 0..<10 {
                let book = pages % 4 == 3 ? GraphicNovel(context: context) : Book(context: context)
                book.pages = Int32(pages)
                book.author = author
            }
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        _ = try stack.sqlite("UPDATE ZBOOK SET \(damage) WHERE ZPAGES IN (0, 4, 9)")
        return stack.folder
    }

    @Test(arguments: damages) func theyAreInNoAnswer(_ damage: String) throws {
        let folder = try damagedFolder(damage)
        for question in Question.allCases {
            let answer = try TestStack(folder: folder).inContext { try question.ask($0) }
            #expect(answer == question.answer, "\(question)")
        }
    }

    @Test(arguments: Question.allCases) func theyAreInNoAnswerAfterAnother(_ first: Question) throws {
        let stack = try TestStack(folder: try damagedFolder("Z_ENT = -1"))
        _ = try stack.inContext { try first.ask($0) }
        for question in Question.allCases {
            #expect(try stack.inContext { try question.ask($0) } == question.answer, "\(question)")
        }
    }

    @Test func rowsThatBecomeStrayWhileTheStoreIsOpenAreLeftOutOnceTheyWereSeen() throws {
        let stack = try TestStack(folder: try damagedFolder("Z_ENT = Z_ENT"))
        let request = NSFetchRequest<Book>(entityName: "Book")
        #expect(try stack.inContext { try $0.count(for: request) } == 10)
        _ = try stack.sqlite("UPDATE ZBOOK SET Z_ENT = -1 WHERE ZPAGES IN (0, 4, 9)")
        #expect(try stack.inContext { try $0.fetch(request).count } == 7)
        #expect(try stack.inContext { try $0.count(for: request) } == 7)
    }

    @Test(arguments: damages) func batchesLeaveThemAlone(_ damage: String) throws {
        let stack = try TestStack(folder: try damagedFolder(damage))
        let strays = try stack.sqlite("SELECT * FROM ZBOOK WHERE ZPAGES IN (0, 4, 9) ORDER BY ZPAGES")
        let (updated, deleted) = try stack.inContext { context in
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["price": 5.0]
            update.resultType = .updatedObjectsCountResultType
            let delete = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
            delete.resultType = .resultTypeCount
            return (
                (try context.execute(update) as? NSBatchUpdateResult)?.result as? Int,
                (try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int
            )
        }
        #expect(updated == 7 && deleted == 7)
        #expect(try stack.sqlite("SELECT * FROM ZBOOK ORDER BY ZPAGES") == strays)
    }

    @Test func objectsAreInsertedBesideThem() throws {
        let stack = try TestStack(folder: try damagedFolder("Z_PK = -Z_PK"))
        try stack.inContext { context in
            let book = Book(context: context)
            book.pages = 11
            try context.save()
            #expect(!book.objectID.isTemporaryID)
        }
        #expect(try stack.sqlite("SELECT Z_PK > 0 FROM ZBOOK WHERE ZPAGES = 11") == "1")
    }

    // MARK: References

    /// A model whose notes are about books, among which are graphic novels.
    private func modelOfNotes() -> NSManagedObjectModel {
        let model = LibraryModel.make()
        if let note = model.entitiesByName["Note"], let book = model.entitiesByName["Book"] {
            note.properties.append(LibraryModel.relationship("about", to: book, rule: .nullifyDeleteRule))
        }
        return model
    }

    @Test(arguments: [
        "-1", "0", "99", "9223372036854775807", "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author')",
    ])
    func aDestinationIsNeverOfAnotherTree(_ number: String) throws {
        let stack = try TestStack(model: modelOfNotes())
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "not a book"
            let book = Book(context: context)
            book.title = "Emma"
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(book, forKey: "about")
            try context.save()
        }
        let column = try stack.sqlite("SELECT name FROM pragma_table_info('ZNOTE') WHERE name GLOB 'Z[0-9]*_ABOUT'")
        _ = try stack.sqlite("UPDATE ZNOTE SET \(column) = \(number)")
        let again = try TestStack(model: modelOfNotes(), folder: stack.folder)
        try again.inContext { context in
            let note = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
            let about = try #require(note.value(forKey: "about") as? NSManagedObject)
            #expect(about is Book)
            #expect((about as? Book)?.title == "Emma")
            let rows = NSFetchRequest<NSDictionary>(entityName: "Note")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["about"]
            let id = try context.fetch(rows).first?["about"] as? NSManagedObjectID
            #expect(id?.entity.isKindOf("Book") == true)
        }
    }

    @Test func aNegativeForeignKeyCountsAsEmpty() throws {
        let stack = try TestStack(folder: try damagedFolder("ZAUTHOR = -1"))
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages IN {0, 4, 9}")
            let books = try context.fetch(request)
            #expect(books.count == 3 && books.allSatisfy { $0.author == nil })
            books[0].pages = 20
            try context.save()
        }
    }

    // MARK: The log

    @Test func eachTableIsReportedOnce() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let stack = try TestStack(folder: try StrayRowTests().damagedFolder("Z_ENT = -1"))
            for question in Question.allCases { _ = try stack.inContext { try question.ask($0) } }
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
            .filter { $0.contains("leaves out row") }
        #expect(lines.count == 1, "\(lines)")
        let line = lines.first ?? ""
        #expect(line.contains("Library.sqlite") && line.contains("ZBOOK") && line.contains("(Z_ENT) is -1"), "\(line)")
        #expect(line.contains(/row (1|5|10) of/), "\(line)")
    }
}

extension NSEntityDescription {
    /// Whether the entity, or one that it inherits from, has a name.
    fileprivate func isKindOf(_ name: String) -> Bool {
        sequence(first: self, next: \.superentity).contains { $0.name == name }
    }
}
