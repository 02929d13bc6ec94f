import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Columns whose values are of another type, or size, than any that a store writes: objects that can be read, changed and
/// saved, or an error, and never the end of the program.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command")) struct DamagedColumnTests {
    private static let values = [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808.0", "-9223372036854775808.0",
        "-9223372036854775809.0", "1e308", "-1e308", "9e999", "-9e999", "5e-324", "0.1", "''", "'x'", "'1e400'",
        "'1e-9223372036854775808'", "'1e9223372036854775807'", "'-1e-200'", "'nan'", "'-'", "'.'", "'e'", "'+e+'",
        "CAST(X'00' AS TEXT)", "CAST(X'FF00FE' AS TEXT)", "CAST(X'C3' AS TEXT)", "X''", "X'00'", "X'FFFFFFFF'",
        "zeroblob(300000)", "printf('%.*c', 300000, '9')", "printf('%.*c', 200000, 'x')",
        "'1' || printf('%.*c', 400, '0')", "'0.' || printf('%.*c', 400, '1')",
    ]
    private static let columns = [
        "ZTITLE", "ZISBN", "ZPAGES", "ZPRICE", "ZCOST", "ZPUBLISHED", "ZINPRINT", "ZCOVER", "ZIDENTIFIER", "ZHOME",
        "ZEXTRA", "ZAUTHOR", "ZSHELF", "Z_FOK_SHELF", "Z_OPT",
    ]

    private func closedStore(externally: Bool = false) throws -> TemporaryFolder {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.attributesByName["cover"]?.allowsExternalBinaryDataStorage = externally
        let stack = try TestStack(model: model)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let author = Author(context: context)
            author.name = "Ada"
            for number in 1...3 {
                let book = number == 2 ? GraphicNovel(context: context) : Book(context: context)
                (book.title, book.author, book.pages) = ("Book \(number)", author, Int32(number))
                book.setValue(Decimal(number), forKey: "cost")
                book.setValue(shelf, forKey: "shelf")
            }
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        return stack.folder
    }

    /// Reads everything of all books, asks SQL about each column, changes what is not damaged, and saves.
    ///
    /// - Returns: The number of books.
    private func exercise(_ stack: TestStack) throws -> Int {
        try stack.inContext { context in
            do { _ = try context.fetch(NSFetchRequest<Book>(entityName: "Book")) } catch let error as CocoaError {
                #expect(error.code == .fileReadCorruptFile, "\(error)")
            }
            let faults = NSFetchRequest<Book>(entityName: "Book")
            faults.includesPropertyValues = false
            let books = try context.fetch(faults)
            for book in books {
                for key in book.entity.propertiesByName.keys { _ = book.value(forKey: key) }
                _ = (book.title, book.pages, book.price, book.author, book.tags)
                #expect(!"\(book)".isEmpty)
            }
            for (name, attribute) in books.first?.entity.attributesByName ?? [:] {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
                _ = try? context.fetch(request)
                let rows = NSFetchRequest<NSDictionary>(entityName: "Book")
                rows.resultType = .dictionaryResultType
                rows.propertiesToFetch = [name]
                _ = try? context.fetch(rows)
                guard
                    [.decimalAttributeType, .doubleAttributeType, .integer32AttributeType].contains(
                        attribute.attributeType)
                else { continue }
                request.sortDescriptors = nil
                request.predicate = NSPredicate(format: "%K + 1 > 2 OR %K IN {1, 2.5}", name, name)
                _ = try? context.fetch(request)
            }
            _ = try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first?.mutableOrderedSetValue(
                forKey: "books")
            for book in books { book.setValue("\(book.pages)", forKey: "isbn") }
            try? context.save()
            context.rollback()
            return books.count
        }
    }

    @Test(arguments: columns) func noValueOfAColumnStopsTheProgram(_ column: String) throws {
        let folder = try closedStore()
        for value in Self.values {
            _ = try SQLiteShell.run(
                "UPDATE ZBOOK SET \(column) = \(value) WHERE Z_PK = 2", on: folder.file("Library.sqlite"))
            let stack = try TestStack(folder: folder)
            #expect(try exercise(stack) == 3, "\(column) = \(value)")
            for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        }
    }
}
