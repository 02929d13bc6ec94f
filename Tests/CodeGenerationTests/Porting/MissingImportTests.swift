import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

/// The page of troubles has what the compiler says about files that use Core Data without importing it.
@Suite(.enabled(if: SwiftCompiler.compiler != nil, "swiftc is missing"))
struct MissingImportTests {
    /// Stands in for the engine.
    private static let engine = """
        import Foundation
        open class NSPredicate: NSObject {}
        open class NSSortDescriptor: NSObject {}
        open class NSExpression: NSObject {}
        open class NSManagedObjectContext: NSObject {}
        open class NSManagedObject: NSObject { open var managedObjectContext: NSManagedObjectContext? { nil } }
        open class NSFetchRequest<Result>: NSObject {
            open var predicate: NSPredicate?
            open var sortDescriptors: [NSSortDescriptor]?
        }
        """

    private static let umbrella = """
        @_exported import CoreDataEngine
        @_exported import Foundation
        @_exported import class CoreDataEngine.NSExpression
        @_exported import class CoreDataEngine.NSPredicate
        @_exported import class CoreDataEngine.NSSortDescriptor
        """

    private static let model = """
        import CoreData
        open class Book: NSManagedObject {
            open var title: String? { nil }
            class func fetchRequest() -> NSFetchRequest<Book> { NSFetchRequest<Book>() }
        }
        """

    private static let use = """
        import Foundation
        func find(_ book: Book, _ context: NSManagedObjectContext) {
            let request = Book.fetchRequest()
            request.predicate = NSPredicate(value: true)
            request.sortDescriptors = [NSSortDescriptor(keyPath: \\Date.timeIntervalSince1970, ascending: true)]
            let format = NSPredicate(format: "title == %@", "a")
            let key = NSSortDescriptor(key: "title", ascending: true)
            let keyPath = NSSortDescriptor(keyPath: \\Book.title, ascending: true)
            let selector = NSSortDescriptor(key: "title", ascending: true, selector: NSSelectorFromString("compare:"))
            let expression = NSExpression(forKeyPath: "title")
            let manager = UndoManager()
            autoreleasepool {}
            let context = book.managedObjectContext
        }
        """

    @Test func thePageHasWhatTheCompilerSays() throws {
        let folder = try TemporaryFolder()
        func write(_ content: String, _ name: String) throws -> URL {
            let url = folder.file(name)
            try Data(content.utf8).write(to: url)
            return url
        }
        for (name, source) in [("CoreDataEngine", Self.engine), ("CoreData", Self.umbrella)] {
            try SwiftCompiler.emitModule(name, source: try write(source, "\(name).swift"), in: folder.url)
        }
        let files = [try write(Self.model, "Book.swift"), try write(Self.use, "Use.swift")]
        let said = [["-swift-version", "5"], ["-enable-upcoming-feature", "MemberImportVisibility"]].map { options in
            #expect(throws: SwiftCompiler.Failure.self) {
                try SwiftCompiler.check(files, options: options, in: folder.url)
            }?.description ?? ""
        }.joined()
        let page = try String(
            contentsOf: Samples.folder.appendingPathComponent("../../Documentation/Guides/Troubleshooting.md")
                .standardizedFileURL, encoding: .utf8)
        let section =
            page.components(separatedBy: "### A file without the import").last?
            .components(separatedBy: "\n### ").first ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == 9)
        for row in rows {
            let cell = row.dropFirst(2).components(separatedBy: " | ")[0]
            for message in cell.components(separatedBy: "`, `") {
                let text = message.trimmingCharacters(in: ["`"])
                #expect(said.contains(text), "the compiler doesn't say: \(text)\n\(said)")
            }
        }
        // The porter adds what is missing.
        #expect(SourcePort.ported(Self.use).hasPrefix("import CoreData\nimport Foundation\n"))
    }
}
