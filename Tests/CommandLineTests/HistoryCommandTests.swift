import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `history` and `watch`.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct HistoryCommandTests {
    /// A store that keeps its history, and what changes it.
    private func makeStore(
        in folder: TemporaryFolder, history: Bool = true
    ) throws -> (url: URL, context: NSManagedObjectContext) {
        let url = folder.file("History.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: history ? [NSPersistentHistoryTrackingKey: true] : nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            context.transactionAuthor = "tests"
            _ = team("Red", context)
            try context.save()
        }
        return (url, context)
    }

    private func team(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
        team.setValue(name, forKey: "name")
        return team
    }

    @Test func historyTellsWhoChangedWhat() throws {
        let folder = try TemporaryFolder()
        let (url, context) = try makeStore(in: folder)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            try context.fetch(request).first?.setValue("Blue", forKey: "name")
            context.transactionAuthor = "other"
            try context.save()
        }
        let result = try CommandRunner.run("history", url.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("by tests") && result.output.contains("  insert Team/p1\n"))
        #expect(result.output.contains("  update Team/p1  name\n"))
        let last = try CommandRunner.run("history", url.path, "--last", "1", "--format", "json")
        let entries = try #require(try last.json() as? [[String: Any]])
        #expect(entries.count == 1 && entries[0]["author"] as? String == "other")
        let changes = try #require(entries[0]["changes"] as? [[String: Any]])
        #expect(changes.first?["properties"] as? [String] == ["name"])
        #expect(try CommandRunner.run("history", url.path, "--author", "nobody").output == "No transactions.\n")
        let after = try CommandRunner.run("history", url.path, "--after", "1", "--format", "ndjson")
        #expect(after.output.split(separator: "\n").count == 1)
    }

    @Test func aStoreWithoutHistorySaysSo() throws {
        let folder = try TemporaryFolder()
        let store = try SampleStore.make(in: folder)
        let result = try CommandRunner.run("history", store.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("has no history"))
    }

    @Test(arguments: [true, false])
    func watchFollowsWhatAnotherProcessSaves(_ history: Bool) async throws {
        let folder = try TemporaryFolder()
        let (url, context) = try makeStore(in: folder, history: history)
        let watch = try CommandRunner.start(
            ["watch", url.path, "--interval", "0.05", "--count", "1", "--format", "ndjson"])
        // Saves until the command has begun to look.
        for number in 0..<600 where watch.process.isRunning {
            try context.performAndWait {
                _ = team("Team \(number)", context)
                try context.save()
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let result = try CommandRunner.finish(watch, within: 10)
        #expect(result.status == 0 && !result.wasKilled, "\(result.errors)")
        let line = try #require(result.output.split(separator: "\n").first)
        let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        if history {
            #expect(document["author"] as? String == "tests")
            #expect((document["changes"] as? [[String: Any]])?.first?["change"] as? String == "insert")
        } else {
            let counts = try #require(document["counts"] as? [[String: Any]])
            #expect(counts.first?["entity"] as? String == "Team")
        }
    }
}
