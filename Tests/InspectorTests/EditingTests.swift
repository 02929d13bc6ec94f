#if Inspector
import Foundation
import Hummingbird
import OpenCoreData
import StoreTools
import TestSupport
import Testing

@testable import OpenCoreDataInspector

/// Edits of objects that other programs change too, and of each kind of value.
struct EditingTests {
    private let folder = try! TemporaryFolder()

    private struct Library {
        let client: InspectorClient
        /// Of another program.
        let other: NSManagedObjectContext
    }

    private func library(readOnly: Bool = false) async throws -> Library {
        let url = folder.file("Library.sqlite")
        let coordinator = try InspectedLibrary.open(url)
        let context = InspectedLibrary.context(coordinator, author: "test")
        try await context.perform { try InspectedLibrary.fill(context, books: 40) }
        guard readOnly else {
            return Library(
                client: InspectorClient(InspectorRoutes(coordinator: coordinator, isWritable: true)), other: context)
        }
        let reading = NSPersistentStoreCoordinator(managedObjectModel: InspectedLibrary.model())
        _ = try reading.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        return Library(client: InspectorClient(InspectorRoutes(coordinator: reading, isWritable: true)), other: context)
    }

    private func preview(_ library: Library, _ operations: String) async throws -> InspectorClient.Answer {
        try await library.client.ask("/api/preview", method: .post, body: "{\"operations\":\(operations)}")
    }

    private func edit(_ library: Library, _ operations: String) async throws -> InspectorClient.Answer {
        let preview = try await preview(library, operations)
        guard case .string(let digest)? = try preview.json["digest"] else { return preview }
        return try await library.client.ask(
            "/api/save", method: .post, body: "{\"operations\":\(operations),\"digest\":\"\(digest)\"}")
    }

    private func step(_ library: Library, _ path: String) async throws -> InspectorClient.Answer {
        try await library.client.ask("/api/\(path)", method: .post, body: "{}")
    }

    /// What another program does.
    private func elsewhere(_ library: Library, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void)
        async throws
    {
        try await library.other.perform { [other = library.other] in
            other.refreshAllObjects()
            try body(other)
            try other.save()
        }
    }

    private static func object(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let (entity, number) = (name.prefix { $0 != "/" }, name.drop { $0 != "/" }.dropFirst())
        let request = NSFetchRequest<NSManagedObject>(entityName: String(entity))
        return try #require(
            try context.fetch(request).first { $0.objectID.uriRepresentation().lastPathComponent == number })
    }

    private func value(_ library: Library, _ object: String, _ name: String) async throws -> JSONValue? {
        guard case .array(let attributes)? = try await library.client.ask("/api/object?id=\(object)").json["attributes"]
        else { return nil }
        return attributes.first { $0["name"] == .string(name) }?["value"]
    }

    private func related(_ library: Library, _ object: String, _ name: String) async throws -> [String] {
        let rows = try await library.client.ask("/api/rows?of=\(object)&via=\(name)&limit=500").json["rows"]
        guard case .array(let list)? = rows else { return [] }
        return list.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
    }

    // MARK: Undo

    @Test func `each changed property counts, when it is saved, undone and redone`() async throws {
        let library = try await library()
        #expect(try await library.client.ask("/api/edits").json["canUndo"] == false)
        let saved = try await edit(
            library, #"[{"op":"set","object":"Book/p2","values":{"title":"Twice","pages":"5"}}]"#)
        #expect(try saved.json["changes"] == 2)
        #expect(try await library.client.ask("/api/edits").json["canUndo"] == true)
        #expect(try await step(library, "undo").json["changes"] == 2)
        #expect(try await library.client.ask("/api/edits").json["canRedo"] == true)
        #expect(try await step(library, "redo").json["changes"] == 2)
        #expect(try await value(library, "Book/p2", "title") == "Twice")
    }

    @Test func `undo and redo don't overwrite what another program saved`() async throws {
        let library = try await library()
        let before = try await value(library, "Book/p2", "title")
        #expect(
            try await edit(library, #"[{"op":"set","object":"Book/p2","values":{"title":"Mine"}}]"#).status == 200)
        try await elsewhere(library) { try Self.object("Book/p2", $0).setValue("Theirs", forKey: "title") }
        let refused = try await step(library, "undo")
        #expect(refused.status == 409 && refused.text.contains("title of Book/p2"), "\(refused.text)")
        #expect(try await value(library, "Book/p2", "title") == "Theirs")
        try await elsewhere(library) { try Self.object("Book/p2", $0).setValue("Mine", forKey: "title") }
        #expect(try await step(library, "undo").status == 200)
        #expect(try await value(library, "Book/p2", "title") == before)
        try await elsewhere(library) { try Self.object("Book/p2", $0).setValue("Theirs", forKey: "title") }
        #expect(try await step(library, "redo").status == 409)
        #expect(try await value(library, "Book/p2", "title") == "Theirs")
    }

    @Test func `undo compares whole values and related objects`() async throws {
        let long = String(repeating: "x", count: 3_000)
        let edits: [(key: String, mine: String, theirs: @Sendable (NSManagedObjectContext) throws -> Any?)] = [
            ("cover", #""AAAA""#, { _ in Data([4, 16, 65]) }), ("summary", "\"\(long)y\"", { _ in long + "z" }),
            ("author", #""Author/p1""#, { try Self.object("Author/p2", $0) }),
        ]
        for (key, mine, theirs) in edits {
            let library = try await library()
            let emptied = try await edit(library, #"[{"op":"set","object":"Book/p2","values":{"\#(key)":null}}]"#)
            #expect(emptied.status == 200 || emptied.text.contains("changes nothing"), "\(emptied.text)")
            let edited = try await edit(library, #"[{"op":"set","object":"Book/p2","values":{"\#(key)":\#(mine)}}]"#)
            #expect(edited.status == 200, "\(edited.text)")
            try await elsewhere(library) { try Self.object("Book/p2", $0).setValue(try theirs($0), forKey: key) }
            let undone = try await step(library, "undo")
            #expect(undone.status == 409 && undone.text.contains("\(key) of Book/p2"), "\(undone.text)")
        }
    }

    @Test func `what a store rounds can be undone`() async throws {
        let library = try await library()
        let before = try await value(library, "Book/p2", "price")
        let digits = #"[{"op":"set","object":"Book/p2","values":{"price":"3.14159265358979323846"}}]"#
        #expect(try await edit(library, digits).status == 200)
        for name in ["undo", "redo", "undo"] {
            let answer = try await step(library, name)
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(try await value(library, "Book/p2", "price") == before)
    }

    @Test(arguments: ["title", "author"])
    func `undo of an object that another program deleted does not keep others from being saved`(
        key: String
    ) async throws {
        let library = try await library()
        let value = key == "title" ? #""Mine""# : "null"
        #expect(
            try await edit(library, #"[{"op":"set","object":"Book/p2","values":{"\#(key)":\#(value)}}]"#).status == 200)
        try await elsewhere(library) { $0.delete(try Self.object("Book/p2", $0)) }
        let undone = try await step(library, "undo")
        #expect(undone.status < 500, "\(undone.text)")
        #expect(try await library.client.ask("/api/object?id=Book/p2").status == 404)
        let next = try await edit(library, #"[{"op":"set","object":"Book/p3","values":{"title":"Next"}}]"#)
        #expect(next.status == 200, "\(undone.text) \(next.text)")
        #expect(try await self.value(library, "Book/p3", "title") == "Next")
        #expect(try await step(library, "undo").status == 200)
        #expect(try await self.value(library, "Book/p3", "title") != "Next")
    }

    @Test func `undo keeps what another program added to the same relationship`() async throws {
        let library = try await library()
        let before = Set(try await related(library, "Tag/p1", "books"))
        let (mine, theirs) = ("Book/p2", "Book/p3")
        let added = [mine, theirs].filter { !before.contains($0) }
        let edited = try await edit(
            library, #"[{"op":"set","object":"Tag/p1","values":{"books":{"add":["\#(mine)"]}}}]"#)
        #expect(edited.status == 200 || before.contains(mine))
        try await elsewhere(library) { context in
            let tag = try Self.object("Tag/p1", context)
            let other = try Self.object(theirs, context)
            tag.mutableSetValue(forKey: "books").add(other)
        }
        if edited.status == 200 { #expect(try await step(library, "undo").status == 200) }
        #expect(Set(try await related(library, "Tag/p1", "books")) == before.union(added.filter { $0 == theirs }))
    }

    @Test func `what couldn't be saved isn't there to be redone`() async throws {
        let library = try await library(readOnly: true)
        let refused = try await edit(library, #"[{"op":"set","object":"Book/p2","values":{"title":"Mine"}}]"#)
        #expect(refused.status == 409 || refused.status == 403 || refused.status == 422, "\(refused.text)")
        #expect(refused.text.contains("read-only") || refused.text.contains("read only"), "\(refused.text)")
        #expect(try await library.client.ask("/api/edits").json == ["canUndo": false, "canRedo": false])
        #expect(try await step(library, "redo").status == 409)
    }

    // MARK: Whole values

    @Test func `the whole value of a key path is read as that of an attribute`() async throws {
        let library = try await library()
        let name = String(repeating: "long ", count: 200)
        try await elsewhere(library) {
            try #require(try Self.object("Book/p2", $0).value(forKey: "author") as? NSManagedObject).setValue(
                name, forKey: "name")
        }
        #expect(try await library.client.ask("/api/value?id=Book/p2&key=author.name").text == name)
        #expect(try await library.client.ask("/api/value?id=Book/p2&key=author.nothing").status == 404)
    }

    // MARK: Relationships

    @Test func `objects are added to a relationship and removed without a list of all`() async throws {
        let library = try await library()
        let before = try await related(library, "Author/p1", "books")
        let removed = try #require(before.first)
        let all = ["Book/p2", "Book/p3", "Book/p4"].filter { !before.contains($0) }
        let added = try #require(all.first)
        let operations =
            #"[{"op":"set","object":"Author/p1","values":{"books":{"add":["\#(added)"],"remove":["\#(removed)"]}}}]"#
        let seen = try await preview(library, operations)
        #expect(seen.status == 200)
        // Another program adds one between the difference and the save.
        let theirs = try #require(all.dropFirst().first)
        try await elsewhere(library) { context in
            try Self.object(theirs, context).setValue(try Self.object("Author/p1", context), forKey: "author")
        }
        #expect(try await edit(library, operations).status == 200)
        let expected = Set(before).subtracting([removed]).union([added, theirs])
        #expect(Set(try await related(library, "Author/p1", "books")) == expected)
    }

    @Test func `an ordered relationship keeps its order when objects are added and removed`() async throws {
        let library = try await library()
        let before = try await related(library, "Shelf/p1", "books")
        let added = try #require(["Book/p2", "Book/p3"].first { !before.contains($0) })
        let change = #"{"add":["\#(added)","\#(before[1])"],"remove":["\#(before[0])"]}"#
        #expect(
            try await edit(library, #"[{"op":"set","object":"Shelf/p1","values":{"books":\#(change)}}]"#).status == 200)
        #expect(try await related(library, "Shelf/p1", "books") == Array(before.dropFirst()) + [added])
        let reversed = Array((Array(before.dropFirst()) + [added]).reversed())
        let list = "[" + reversed.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        #expect(
            try await edit(library, #"[{"op":"set","object":"Shelf/p1","values":{"books":\#(list)}}]"#).status == 200)
        #expect(try await related(library, "Shelf/p1", "books") == reversed)
    }

    // MARK: Objects that are gone

    @Test func `rows that another program deleted don't keep others from being deleted`() async throws {
        let library = try await library()
        try await elsewhere(library) { $0.delete(try Self.object("Book/p2", $0)) }
        let operations = #"[{"op":"delete","object":"Book/p2"},{"op":"delete","object":"Book/p3"}]"#
        let seen = try await preview(library, operations)
        #expect(seen.status == 200)
        #expect(try seen.json["gone"] == ["Book/p2"])
        #expect(try await edit(library, operations).status == 200)
        #expect(try await library.client.ask("/api/object?id=Book/p3").status == 404)
        let unknown = try await preview(library, #"[{"op":"delete","object":"Nothing/p2"}]"#)
        #expect(unknown.status == 404)
    }

    @Test func `a change of an object that is gone names the object`() async throws {
        let library = try await library()
        try await elsewhere(library) { $0.delete(try Self.object("Book/p2", $0)) }
        let seen = try await preview(library, #"[{"op":"set","object":"Book/p2","values":{"title":"Late"}}]"#)
        #expect(seen.status == 404)
        #expect(try seen.json["error"]?["details"]?["deleted"] == "Book/p2")
        #expect(seen.text.contains("has been deleted"))
    }

    @Test func `hundreds of objects are deleted with a few statements`() async throws {
        let log = StatementLog()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: InspectedLibrary.model())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Counted.sqlite"), options: log.options)
        let context = InspectedLibrary.context(coordinator, author: "test")
        try await context.perform {
            for number in 0..<600 { InspectedLibrary.insert("Tag", ["word": "\(number)"], context) }
            try context.save()
        }
        let library = Library(
            client: InspectorClient(InspectorRoutes(coordinator: coordinator, isWritable: true)), other: context)
        let operations = (1...600).map { #"{"op":"delete","object":"Tag/p\#($0)"}"# }.joined(separator: ",")
        log.clear()
        let seen = try await preview(library, "[\(operations)]")
        #expect(try seen.json["count"] == 600)
        #expect(log.selects.count < 20, "\(log.selects.count)")
    }

    // MARK: Locked stores

    @Test func `a save to a store that another program has locked fails in a sentence, and can be repeated`()
        async throws
    {
        let url = folder.file("Locked.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: InspectedLibrary.model())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentStoreTimeoutOption: 0.2])
        let context = InspectedLibrary.context(coordinator, author: "test")
        try await context.perform { try InspectedLibrary.fill(context, books: 4) }
        let library = Library(
            client: InspectorClient(InspectorRoutes(coordinator: coordinator, isWritable: true)), other: context)
        let operations = #"[{"op":"set","object":"Author/p2","values":{"name":"Mine"}}]"#
        let lock = Process()
        lock.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        lock.arguments = ["sqlite3", url.path]
        let (input, output) = (Pipe(), Pipe())
        (lock.standardInput, lock.standardOutput) = (input, output)
        try lock.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'locked';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("locked"))
        let refused = try await edit(library, operations)
        #expect(refused.status == 409 && refused.text.contains("locked"), "\(refused.text)")
        try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n.quit\n".utf8))
        lock.waitUntilExit()
        #expect(try await library.client.ask("/api/edits").json == ["canUndo": false, "canRedo": false])
        #expect(try await edit(library, operations).status == 200)
        #expect(try await value(library, "Author/p2", "name") == "Mine")
    }
}
#endif
