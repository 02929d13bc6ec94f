import Sticky
import TestSupport
import Testing

/// Containers in memory.
@Suite struct MemoryTests {
    /// The contents of a container's files, by name.
    private func bytes(of stack: BookStack) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try stack.files { contents[name] = try Data(contentsOf: stack.folder.file(name)) }
        return contents
    }

    // Feature STICKY-3
    @Test func filesAreNeitherReadNorTouched() throws {
        let folder = try TemporaryFolder()
        let first = try BookStack(in: folder)
        try first.start().add("Momo", "Emil")
        let before = try bytes(of: first)

        let scratch = try BookStack(.memory, in: folder)
        let provider = try scratch.start()
        #expect(scratch.spy.persistentStoreDescriptions.map(\.type) == [NSInMemoryStoreType])
        #expect(try provider.titles.isEmpty)
        try provider.add("Ronja")
        #expect(try provider.titles == ["Ronja"])
        try scratch.container.deleteSQLiteStores()
        #expect(try provider.titles == ["Ronja"])
        #expect(try bytes(of: scratch) == before)

        #expect(try BookStack(in: folder).start().titles == ["Emil", "Momo"])
    }

    // Feature STICKY-3
    @Test func severalStoresBecomeOneInMemory() async throws {
        let stack = try BookStack(.memory, files: ["One.sqlite", "Two.sqlite"])
        let provider = try await stack.container.start()
        #expect(provider.viewContext.persistentStoreCoordinator?.persistentStores.map(\.type) == [NSInMemoryStoreType])
        #expect(try stack.files.isEmpty)
    }

    // Feature STICKY-27
    @Test func containersInMemoryShareNothing() async throws {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 1...20 {
                group.addTask {
                    let container = PersistentContainer(
                        name: "Books", managedObjectModel: BookModel.make(), inMemory: true)
                    let provider = try await container.start()
                    try await provider.newBackgroundContext().perform { context in
                        try context.create(Book.self).title = "Book \(number)"
                        try context.save()
                    }
                    let titles = try await provider.newBackgroundContext().perform { context in
                        try context.fetch(Book.self).map(\.title)
                    }
                    #expect(titles == ["Book \(number)"])
                    return titles
                }
            }
            var all: Set<String> = []
            for try await titles in group { all.formUnion(titles) }
            #expect(all.count == 20)
        }
    }
}
