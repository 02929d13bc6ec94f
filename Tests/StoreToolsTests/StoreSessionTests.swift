import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import StoreTools

/// A store opened by the model that it keeps itself.
@Suite struct StoreSessionTests {
    @Test func aStoreOpensByItsOwnModelAndStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        let before = try Data(contentsOf: url)
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        #expect(session.model.entitiesByName.keys.sorted() == LibraryModel.make().entitiesByName.keys.sorted())
        let titles = try session.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return try context.fetch(request).map { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["The \"Dispossessed\"", "Watchmen"])
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func objectsAreFoundByShortNames() throws {
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        try session.perform { context in
            let author = try session.object(named: "Author/p1", in: context)
            #expect(author.value(forKey: "name") as? String == "Ursula")
            #expect(throws: ToolFailure.self) { try session.object(named: "Author/p99", in: context) }
            #expect(throws: ToolFailure.self) { try session.object(named: "Author", in: context) }
        }
    }

    @Test func aModelIsWorkedOutFromTables() throws {
        try #require(SQLiteShell.isAvailable)
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        _ = try SQLiteShell.run("DELETE FROM Z_MODELCACHE", on: url)
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        guard case .tables(let store) = session.source.origin else {
            Issue.record("\(session.source.origin)")
            return
        }
        #expect(store == url)
        let book = try session.entity(named: "Book")
        #expect(book.attributesByName["title"]?.attributeType == .stringAttributeType)
        #expect(book.relationshipsByName["author"]?.destinationEntity?.name == "Author")
        #expect(try session.entity(named: "GraphicNovel").superentity?.name == "Book")
        #expect(throws: ToolFailure.self) {
            try StoreSession(path: url.path, modelPath: nil, access: .writing)
        }
    }

    @Test func aCheckReportNamesTheRow() throws {
        try #require(SQLiteShell.isAvailable)
        let folder = try TemporaryFolder()
        let url = try LibraryStore.make(in: folder)
        _ = try SQLiteShell.run("UPDATE ZBOOK SET ZAUTHOR = 77 WHERE Z_PK = 1", on: url)
        let source = try ModelSource(storeURL: url, modelPath: nil)
        let report = CheckReport(try StoreChecker.findings(inStoreAt: url, model: source.model))
        #expect(!report.isEmpty)
        #expect(report.table.lines.contains { $0.contains("ZBOOK") && $0.contains("77") })
        guard case .array(let findings) = report.json else {
            Issue.record("no array")
            return
        }
        #expect(findings.contains { $0["table"] == "ZBOOK" && $0["row"] == 1 })
    }
}
