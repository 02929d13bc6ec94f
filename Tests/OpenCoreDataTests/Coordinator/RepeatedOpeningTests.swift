#if canImport(Glibc)
import CoreDataEngine
import Foundation
import Glibc
import OpenCoreData
import TestSupport
import Testing

/// Programs that open and close many stores, each with a model of its own, keep nothing of them.
@Suite struct RepeatedOpeningTests {
    /// What must be gone after a round.
    private struct Remains {
        weak var model: NSManagedObjectModel?
        weak var layout: ModelLayout?
        weak var entity: EntityLayout?
        weak var superentity: EntityLayout?
        weak var description: NSEntityDescription?
        weak var property: NSPropertyDescription?
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var store: NSPersistentStore?
        weak var context: NSManagedObjectContext?
        weak var object: NSManagedObject?

        var names: [String] {
            let all: [(String, AnyObject?)] = [
                ("model", model), ("layout", layout), ("entity's layout", entity),
                ("superentity's layout", superentity), ("entity", description), ("property", property),
                ("coordinator", coordinator), ("store", store), ("context", context), ("object", object),
            ]
            return all.filter { $0.1 != nil }.map(\.0)
        }
    }

    private static func round(_ type: String) throws -> Remains {
        var remains = Remains()
        let model = LibraryModel.make()
        let stack = try TestStack(model: model, type: type)
        let context = stack.context()
        try context.performAndWait {
            let author = Author(context: context)
            author.name = "Ada"
            for number in 0..<10 {
                let book = GraphicNovel(context: context)
                (book.title, book.author) = ("\(number)", author)
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "title > '3' AND author.name == 'Ada'")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.title, ascending: true)]
            let books = try context.fetch(request)
            books[0].pages = 3
            #expect(books[0].author?.books.count == 10)
            try context.save()
            remains.object = books[0]
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try child.performAndWait {
            let book = try child.fetch(NSFetchRequest<Book>(entityName: "Book"))[0]
            book.price = 2
            try child.save()
        }
        try context.performAndWait { try context.save() }
        let layout = ModelLayout.layout(of: model)
        remains.model = model
        remains.layout = layout
        remains.entity = layout["GraphicNovel"]
        remains.superentity = layout["Book"]
        remains.description = model.entitiesByName["GraphicNovel"]
        remains.property = model.entitiesByName["GraphicNovel"]?.propertiesByName["title"]
        remains.coordinator = stack.coordinator
        remains.store = stack.coordinator.persistentStores.first
        remains.context = context
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        return remains
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType])
    func nothingIsKeptOfAModelAndItsStore(type: String) async throws {
        let remains = try Self.round(type)
        #expect(try await eventually { remains.names.isEmpty }, "\(remains.names)")
    }

    /// The bytes that the process has allocated and not freed.
    private static func allocated() throws -> Int {
        var (buffer, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        let stream = try #require(open_memstream(&buffer, &size))
        typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
        let symbol = try #require(dlsym(nil, "malloc_info"))
        _ = unsafeBitCast(symbol, to: Report.self)(0, stream)
        fclose(stream)
        defer { free(buffer) }
        let report = String(cString: try #require(buffer))
        // The sums stand at the end, after those of each arena.
        func last(_ start: String) -> Int {
            guard let range = report.range(of: start, options: .backwards),
                let number = report[range.upperBound...].range(of: "size=\"")
            else { return 0 }
            return Int(report[number.upperBound...].prefix { $0.isNumber }) ?? 0
        }
        return last("<system type=\"current\"") + last("<total type=\"mmap\"") - last("<total type=\"fast\"")
            - last("<total type=\"rest\"")
    }

    /// How many bytes a round leaves behind.
    private static func growth(rounds: Int, limit: Int) throws -> Int {
        for _ in 0..<20 { _ = try round(NSSQLiteStoreType) }
        let before = try allocated()
        for _ in 0..<rounds { _ = try round(NSSQLiteStoreType) }
        var growth = Int.max
        // What queues let go of a little later.
        for _ in 0..<50 where growth >= limit {
            Thread.sleep(forTimeInterval: 0.2)
            growth = (try allocated() - before) / rounds
        }
        return growth
    }

    @Test func aHundredRoundsLeaveNoMemoryBehind() async {
        await #expect(processExitsWith: .success) {
            let growth = try RepeatedOpeningTests.growth(rounds: 100, limit: 2_048)
            print("Each round leaves \(growth) bytes.")
            #expect(growth < 2_048, "\(growth)")
        }
    }
}
#endif
