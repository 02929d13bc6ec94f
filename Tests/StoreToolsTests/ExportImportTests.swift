import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import StoreTools

/// Exports and imports without the command.
@Suite struct ExportImportTests {
    private func export(_ url: URL) throws -> String {
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        let output = TextCollector()
        let entities = session.model.sortedEntities.filter { !$0.isAbstract }
        try StoreExporter(session: session, entities: entities, output: output).writeJSON()
        return output.text
    }

    @Test func anExportComesBackFromAnImport() throws {
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        let string = try export(url)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(string.utf8)) as? [String: Any])
        let entities = try #require(document["entities"] as? [String: [[String: Any]]])
        #expect(entities["Book"]?.first?["title"] as? String == "The \"Dispossessed\"")
        #expect(entities["Book"]?.first?["identifier"] as? String == "6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77")

        let file = folder.file("export.json")
        try Data(string.utf8).write(to: file)
        let copy = folder.file("Copy.sqlite")
        let target = try ImportTarget(path: copy.path, modelPath: url.path)
        var steps: [Int] = []
        let count = try target.fill { session in
            try StoreImporter(session: session, input: ImportInput(path: file.path)) { done, total in
                #expect(done <= total)
                steps.append(done)
            }.run()
        }
        #expect(count == 5)
        #expect(steps == steps.sorted() && !steps.isEmpty)

        let session = try StoreSession(path: copy.path, modelPath: nil, access: .reading)
        try session.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
            let shelf = try #require(try context.fetch(request).first)
            let books = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
            #expect(books?.map { $0.value(forKey: "title") as? String } == ["Watchmen", "The \"Dispossessed\""])
            #expect(books?.last?.value(forKey: "cost") as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
            #expect(books?.last?.value(forKey: "extra") as? NSDictionary == ["a": [1, 2]])
            #expect((books?.last?.value(forKeyPath: "author.name") as? String) == "Ursula")
        }
    }

    @Test func aProgressThatThrowsLeavesNoStore() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        let file = folder.file("export.json")
        try Data(try export(url).utf8).write(to: file)
        let copy = folder.file("Copy.sqlite")
        let target = try ImportTarget(path: copy.path, modelPath: url.path)
        #expect(throws: Stop.self) {
            try target.fill { session in
                try StoreImporter(session: session, input: ImportInput(path: file.path)) { done, total in
                    if done > total / 2 { throw Stop() }
                }.run()
            }
        }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
}
