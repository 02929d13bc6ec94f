import OpenCoreDataKit
import TestSupport
import Testing

/// The page of troubles has the sentences that are said, each produced here.
@Suite struct TroubleshootingTests {
    private static let page = Result {
        try String(
            contentsOf: Documents.root.appendingPathComponent("Documentation/Guides/Troubleshooting.md"),
            encoding: .utf8)
    }

    /// Checks that the page has a sentence, with the names of the page's example in it.
    private func expect(_ sentence: String, location: SourceLocation = #_sourceLocation) throws {
        let page = try Self.page.get()
        #expect(page.contains(sentence), "the page lacks: \(sentence)", sourceLocation: location)
    }

    private func said(in folder: TemporaryFolder? = nil, _ body: () throws -> Void) -> String {
        do {
            try body()
        } catch {
            let sentence = error.localizedDescription
            return folder.map { sentence.replacingOccurrences(of: $0.url.path, with: "/data") } ?? sentence
        }
        return "nothing was thrown"
    }

    private func open(_ url: URL, _ model: NSManagedObjectModel, migrates: Bool = true) throws -> NSPersistentContainer
    {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = migrates
        description.timeout = 0.1
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    @Test func storesThatDoNotOpen() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Library.sqlite")
        _ = try open(file, makeModel())
        let other = makeModel()
        other.entitiesByName["Book"]?.attributesByName["pages"]?.isOptional = false
        let picture = folder.file("Picture.png")
        try Data("\u{89}PNG\r\n\u{1A}\n and what follows it in such a file, which is long enough".utf8).write(
            to: picture)
        try expect(said(in: folder) { _ = try open(file, other, migrates: false) })
        try expect(said(in: folder) { _ = try open(picture, makeModel()) })
        let stores = folder.file("Stores")
        try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
        try expect(said(in: folder) { _ = try open(stores, makeModel()) })
        try expect(said(in: folder) { _ = try open(file.appendingPathComponent("Library.sqlite"), makeModel()) })
    }

    @Test func aLockedFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Library.sqlite")
        let container = try open(file, makeModel())
        let context = container.newBackgroundContext()
        let lock = try SQLiteConnection(path: file.path, configuration: .init(access: .readWrite))
        defer { lock.close() }
        try lock.execute(script: "BEGIN IMMEDIATE")
        try expect(
            said(in: folder) {
                try context.performAndWait {
                    Book(context: context).title = "Momo"
                    try context.save()
                }
            })
        try lock.execute(script: "ROLLBACK")
        try context.performAndWait { try context.save() }
    }

    @Test func requestsAndSavesThatFail() throws {
        let folder = try TemporaryFolder()
        let context = try open(folder.file("Library.sqlite"), makeModel()).newBackgroundContext()
        func fetch(_ entity: String, _ format: String) -> String {
            said {
                let request = NSFetchRequest<Book>(entityName: entity)
                request.predicate = NSPredicate(format: format)
                _ = try context.performAndWait { try context.fetch(request) }
            }
        }
        try expect(fetch("Book", "titel == 'Momo'"))
        try expect(fetch("Bok", "title == 'Momo'"))
        try expect(fetch("Book", "title = 'Momo"))
        try expect(
            said {
                try context.performAndWait {
                    _ = Book(context: context)
                    defer { context.rollback() }
                    try context.save()
                }
            })
        try expect(
            said {
                try context.performAndWait {
                    let book = Book(context: context)
                    defer { context.rollback() }
                    book.setValue("Momo", forKey: "titel")
                    try context.save()
                }
            })
    }

    @Test func aModelThatIsNotFound() async throws {
        let folder = try TemporaryFolder()
        var sentence = "nothing was thrown"
        do {
            _ = try await Database.open(.init(name: "Library", stores: [.sqlite(in: .at(folder.url))]))
        } catch {
            sentence = error.localizedDescription
        }
        // The folders that were looked through follow.
        #expect(sentence.hasPrefix("There is no model 'Library' in: "), "\(sentence)")
        try expect("There is no model 'Library' in: ")
    }

    @Test func aWrongQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
            let folder = try TemporaryFolder()
            let container = NSPersistentContainer(name: "Library", managedObjectModel: makeModel())
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("L.sqlite"))]
            container.loadPersistentStores { _, _ in }
            _ = try container.newBackgroundContext().fetch(NSFetchRequest<Book>(entityName: "Book"))
        }
        let string = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in [
            "Core Data concurrency violation", "the context of the managed object context was used on",
            "expected the context's private queue (perform). Wrap this in context.perform or context.performAndWait.",
        ] {
            #expect(string.contains(part), "\(string)")
            try expect(part)
        }
    }

    /// What a build without the trait of the command prints.
    @Test func theCommandWithoutItsTrait() throws {
        let sentence = "This build leaves the command out; build it with: swift build --traits CommandLineTool"
        #expect(try Documents.swiftFiles(under: "Sources/CommandLineTool").contains { $0.contains(sentence) })
        try expect(sentence)
    }

    // MARK: The compiler

    private static let compiler = ["/opt/swift/usr/bin/swiftc", "/usr/bin/swiftc", "/usr/local/bin/swiftc"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private func compile(_ code: String) throws -> String {
        let folder = try TemporaryFolder()
        try Data(code.utf8).write(to: folder.file("main.swift"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.compiler))
        process.arguments = ["-module-name", "App", folder.file("main.swift").path, "-o", folder.file("App").path]
        process.currentDirectoryURL = folder.url
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    @Test(.enabled(if: compiler != nil, "there is no compiler")) func accessorsThatNobodySupplies() throws {
        let string = try compile(
            """
            class NSManagedObject {}
            class Book: NSManagedObject { @NSManaged var title: String? }
            print(Book().title ?? "")
            """)
        for name in ["$s3App4BookC5titleSSSgvg", "$s3App4BookC5titleSSSgvs"] {
            #expect(string.contains("undefined reference to '\(name)'"), "\(string)")
            try expect("undefined reference to '\(name)'")
        }
    }

    @Test(.enabled(if: compiler != nil, "there is no compiler")) func namesThatComeWithATrait() throws {
        let string = try compile("@ManagedObject final class Song {}\nlet routes = InspectorRoutes(1)\n")
        for sentence in ["unknown attribute 'ManagedObject'", "cannot find 'InspectorRoutes' in scope"] {
            #expect(string.contains(sentence), "\(string)")
            try expect(sentence)
        }
    }
}
