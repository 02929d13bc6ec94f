#if Inspector
import Foundation
import Hummingbird
import Logging
import NIOCore
import OpenCoreData
import OpenCoreDataInspector
import Testing

/// The other process of the check in a browser (`Scripts/check-inspector`): makes a store, and obeys lines of its
/// standard input while the page is looked at.
struct BrowserFixture {
    private static let folder = ProcessInfo.processInfo.environment["INSPECTOR_FIXTURE"]

    @Test(.enabled(if: folder != nil, "The check in a browser sets INSPECTOR_FIXTURE"))
    func `a program makes a store and changes it when asked`() async throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder), isDirectory: true)
        let coordinator = try InspectedLibrary.open(folder.appendingPathComponent("Library.sqlite"))
        let context = InspectedLibrary.context(coordinator, author: "other program")
        try await context.perform {
            if try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == 0 {
                try InspectedLibrary.fill(context, books: 500)
            }
        }
        Self.say("ready")
        var commands = 0
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard let command = words.first, command != "end" else { break }
            commands += 1
            try await Self.obey(command, words.dropFirst().map(\.self), context, coordinator)
        }
        #expect(commands > 0)
    }

    private static let served = ProcessInfo.processInfo.environment["INSPECTOR_SERVES"]

    /// For builds that have the tests alone: what `opencoredata serve` does.
    @Test(.enabled(if: served != nil, "The check in a browser sets INSPECTOR_SERVES"))
    func `a store is served as the command does`() async throws {
        let server = try InspectorServer(
            storePath: try #require(Self.served), modelPath: nil, port: 0,
            isWritable: ProcessInfo.processInfo.environment["INSPECTOR_WRITES"] != nil)
        try await server.run { Self.say("Open \($0)") }
    }

    private static func obey(
        _ command: String, _ words: [String], _ context: NSManagedObjectContext,
        _ coordinator: NSPersistentStoreCoordinator
    ) async throws {
        switch command {
        case "rename":
            try await edit(words[0], context) { $0.setValue(words[1], forKey: "title") }
        case "delete":
            try await edit(words[0], context) { context.delete($0) }
        case "insert":
            try await context.perform {
                InspectedLibrary.insert("Book", ["title": words.joined(separator: " ")], context)
                try context.save()
            }
        case "serve":
            try serve(coordinator)
            return
        default: say("unknown")
        }
        say("done")
    }

    private static func edit(
        _ number: String, _ context: NSManagedObjectContext, _ change: @escaping (NSManagedObject) -> Void
    ) async throws {
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(
                format: "isbn == %@",
                argumentArray: [
                    UUID(uuidString: String(format: "5EED0000-0000-4000-8000-%012d", Int(number) ?? 0))!
                ])
            context.refreshAllObjects()
            for object in try context.fetch(request) { change(object) }
            try context.save()
        }
    }

    /// Mounts the inspector in a server of this program's own.
    private static func serve(_ coordinator: NSPersistentStoreCoordinator) throws {
        let inspector = InspectorRoutes(coordinator: coordinator)
        let token = inspector.access.token?.string ?? ""
        let router = Router()
        inspector.addRoutes(to: router, atPath: "tools/inspector")
        var logger = Logger(label: "fixture")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                say("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/tools/inspector/?token=\(token)")
            }, logger: logger)
        Task { try await application.run() }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("fixture: \(line)\n".utf8))
    }
}
#endif
