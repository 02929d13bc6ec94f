import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What each release wrote opens here, with its history, and migrates.
@Suite struct ReleaseStoreTests {
    /// A release, and which of its stores.
    struct Kept: CustomTestStringConvertible, Sendable {
        let release: String
        let name: String
        let type: String
        var testDescription: String { "\(release) \(name)" }
        var url: URL { ReleaseLibrary.folder.appendingPathComponent(release).appendingPathComponent(name) }
        var expected: [String] {
            get throws {
                try String(
                    contentsOf: url.deletingLastPathComponent().appendingPathComponent("contents.txt"), encoding: .utf8
                ).split(separator: "\n").map(String.init)
            }
        }
    }

    static let releases: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: ReleaseLibrary.folder.path)) ?? [])
        .filter { $0.first?.isNumber == true }.sorted()
    static let kept: [Kept] = releases.flatMap { release in
        ReleaseLibrary.stores.map { Kept(release: release, name: $0.name, type: $0.type) }
    }

    /// A copy of a store with the files of its large values.
    private func copy(_ kept: Kept, into folder: TemporaryFolder) throws -> URL {
        for name in try FileManager.default.contentsOfDirectory(atPath: kept.url.deletingLastPathComponent().path) {
            try FileManager.default.copyItem(
                at: kept.url.deletingLastPathComponent().appendingPathComponent(name), to: folder.file(name))
        }
        return folder.file(kept.name)
    }

    @Test func thereAreStoresOfTheFirstRelease() {
        #expect(Self.releases.contains("1.0.0"))
    }

    @Test(arguments: kept) func everythingIsThere(_ kept: Kept) throws {
        let folder = try TemporaryFolder()
        let context = try ReleaseLibrary.open(try copy(kept, into: folder), type: kept.type)
        try context.performAndWait {
            #expect(try ReleaseLibrary.contents(context) == kept.expected)
            // It can be written to as well.
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("new", forKey: "key")
            try context.save()
        }
        try ReleaseLibrary.close(context)
        let again = try ReleaseLibrary.open(folder.file(kept.name), type: kept.type)
        let tags = try again.performAndWait {
            try again.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        }
        #expect(tags == 3)
    }

    @Test(arguments: kept.filter { $0.type == NSSQLiteStoreType }) func theHistoryIsThere(_ kept: Kept) throws {
        let folder = try TemporaryFolder()
        let context = try ReleaseLibrary.open(try copy(kept, into: folder), type: kept.type)
        let history = try context.performAndWait { try ReleaseLibrary.history(context) }
        let expected = try String(
            contentsOf: kept.url.deletingLastPathComponent().appendingPathComponent("history.txt"), encoding: .utf8)
        #expect(history == expected.split(separator: "\n").map(String.init))
        #expect(history.contains { $0.hasPrefix("clerk update Book title") })
        #expect(history.contains { $0.hasPrefix("clerk delete Book") && $0.contains("title=") })
        try ReleaseLibrary.close(context)
        let report = try SQLiteShell.run("PRAGMA integrity_check", on: folder.file(kept.name))
        #expect(report.trimmingCharacters(in: .whitespacesAndNewlines) == "ok")
    }

    @Test(arguments: kept) func itMigrates(_ kept: Kept) throws {
        let folder = try TemporaryFolder()
        let url = try copy(kept, into: folder)
        #expect(throws: CocoaError.self) {
            _ = try ReleaseLibrary.open(url, type: kept.type, ReleaseLibrary.laterModel())
        }
        if kept.type != NSSQLiteStoreType {
            // Stores of one piece keep no model, so that who migrates them has to have it.
            let (old, new) = (ReleaseLibrary.firstModel(), ReleaseLibrary.laterModel())
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            let before = folder.file("before")
            try FileManager.default.moveItem(at: url, to: before)
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: before, sourceType: kept.type, with: mapping, toDestinationURL: url, destinationType: kept.type)
        }
        let context = try ReleaseLibrary.open(url, type: kept.type, ReleaseLibrary.laterModel(), migrates: true)
        try context.performAndWait {
            let contents = try ReleaseLibrary.contents(context)
            let expected = try kept.expected.map { line in
                line.hasPrefix("Tag ")
                    ? "Label " + line.dropFirst(4) : line.replacingOccurrences(of: " pages: ", with: " length: ")
            }
            #expect(Set(contents.filter { !$0.contains(" rating: ") }) == Set(expected))
            #expect(contents.filter { $0.hasSuffix(" rating: 1.5") }.count == 4)
        }
    }

    private static let written = ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_RELEASE"]

    /// Not a test: what `Scripts/release-stores` runs.
    @Test(.enabled(if: written != nil, "Scripts/release-stores sets OPENCOREDATA_WRITE_RELEASE"))
    func writeTheStoresOfARelease() throws {
        let folder = ReleaseLibrary.folder.appendingPathComponent(try #require(Self.written))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var all: [[String]] = []
        for (name, type) in ReleaseLibrary.stores {
            let context = try ReleaseLibrary.open(folder.appendingPathComponent(name), type: type)
            try context.performAndWait {
                try ReleaseLibrary.fill(context)
                context.reset()
                all.append(try ReleaseLibrary.contents(context))
                guard type == NSSQLiteStoreType else { return }
                let history = try ReleaseLibrary.history(context).joined(separator: "\n") + "\n"
                try Data(history.utf8).write(to: folder.appendingPathComponent("history.txt"))
            }
            try ReleaseLibrary.close(context)
        }
        #expect(all.count == 3 && all.allSatisfy { $0 == all[0] })
        try Data((all[0].joined(separator: "\n") + "\n").utf8).write(to: folder.appendingPathComponent("contents.txt"))
        _ = try SQLiteShell.run("PRAGMA wal_checkpoint(TRUNCATE)", on: folder.appendingPathComponent("Library.sqlite"))
    }
}
