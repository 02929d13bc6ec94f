import CoreDataEngine
import OpenCoreData
import TestSupport
import Testing

/// The binary and the XML store: one file, replaced whole.
@Suite struct FileStoreTests {
    let folder: TemporaryFolder
    static let types: [NSPersistentStore.StoreType] = [.binary, .xml]

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Library.store") }

    private func open(
        _ type: NSPersistentStore.StoreType, _ model: NSManagedObjectModel = LibraryModel.make(),
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: url, options: options)
        return coordinator
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func addAuthor(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        try inContext(coordinator) { context in
            let author = Author(context: context)
            author.name = name
            let book = Book(context: context)
            book.title = "by \(name)"
            book.author = author
            try context.save()
        }
    }

    private func authors(_ coordinator: NSPersistentStoreCoordinator) throws -> Set<String> {
        try inContext(coordinator) { context in
            Set(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name))
        }
    }

    // Behaviour 9.14
    @Test func theTypesAreRegistered() {
        let types = NSPersistentStoreCoordinator.registeredStoreTypes
        for type in [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType] {
            #expect(types[type] != nil)
        }
    }

    @Test(arguments: types) func theFileIsThereFromTheBeginningAndKeepsItsUUID(_ type: NSPersistentStore.StoreType)
        throws
    {
        let first = try open(type)
        let identifier = first.persistentStores[0].identifier
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
        #expect(metadata[NSStoreTypeKey] as? String == type.rawValue)
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
        #expect(try open(type).persistentStores[0].identifier == identifier)
    }

    // Behaviour 9.2
    @Test(arguments: types) func metadataGoWithTheNextSaveAndOfAFileAtOnce(_ type: NSPersistentStore.StoreType) throws {
        func inFile() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        }
        let coordinator = try open(type)
        try addAuthor("Ada", coordinator)
        let store = coordinator.persistentStores[0]
        var metadata = coordinator.metadata(for: store)
        metadata["mine"] = ["list": [1, 2.5, true, "<&>", Data([1, 2])] as [Any]]
        coordinator.setMetadata(metadata, for: store)
        #expect(try inFile()["mine"] == nil)
        try inContext(coordinator) { try $0.save() }
        let list = (try inFile()["mine"] as? [String: Any])?["list"] as? [Any]
        #expect(list?.count == 5 && list?[3] as? String == "<&>" && list?[4] as? Data == Data([1, 2]))
        try NSPersistentStoreCoordinator.setMetadata(["other": "yes"], type: type, at: url)
        #expect(try inFile()["other"] as? String == "yes")
        #expect(coordinator.metadata(for: store)["other"] == nil)
        try addAuthor("Bo", coordinator)
        #expect(try authors(open(type)) == ["Ada", "Bo"])
    }

    // Behaviour 9.3
    @Test(arguments: types) func anotherModelIsRefused(_ type: NSPersistentStore.StoreType) throws {
        try addAuthor("Ada", try open(type))
        let before = try Data(contentsOf: url)
        let model = LibraryModel.make()
        model.entitiesByName["Shelf"]?.properties.append(LibraryModel.attribute("depth", .doubleAttributeType))
        let error = #expect(throws: CocoaError.self) { try open(type, model) }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(try Data(contentsOf: url) == before)
    }

    // Behaviour 6.16
    @Test(arguments: types) func aModelWithDerivedAttributesIsRefused(_ type: NSPersistentStore.StoreType) throws {
        let model = LibraryModel.make()
        let derived = NSDerivedAttributeDescription()
        derived.name = "bookCount"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "books.@count")
        model.entitiesByName["Author"]?.properties.append(derived)
        let error = #expect(throws: CocoaError.self) { try open(type, model) }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test(arguments: types) func aReadOnlyStoreIsReadAndNotWritten(_ type: NSPersistentStore.StoreType) throws {
        try addAuthor("Ada", try open(type))
        let before = try Data(contentsOf: url)
        let coordinator = try open(type, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try authors(coordinator) == ["Ada"])
        #expect(throws: CocoaError.self) { try addAuthor("Bo", coordinator) }
        #expect(try Data(contentsOf: url) == before)
        try FileManager.default.removeItem(at: url)
        #expect(throws: CocoaError.self) { try open(type, options: [NSReadOnlyPersistentStoreOption: true]) }
    }

    @Test(arguments: types) func nothingIsLostWhenTheFileCanNotBeWritten(_ type: NSPersistentStore.StoreType) throws {
        let url = folder.file("gone/Library.store")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(type: type, at: url)
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        try inContext(coordinator) { context in
            let author = Author(context: context)
            author.name = "Ada"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.localizedDescription.contains("Library.store") == true)
            #expect(context.insertedObjects == [author] && author.name == "Ada")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try authors(coordinator) == ["Ada"])
    }

    @Test(arguments: types) func whatSomeoneElseSavedIsNotOverwritten(_ type: NSPersistentStore.StoreType) throws {
        let first = try open(type)
        try addAuthor("Ada", first)
        let second = try open(type)
        try addAuthor("Bo", second)
        let error = #expect(throws: CocoaError.self) { try addAuthor("Cy", first) }
        #expect(error?.localizedDescription.contains("Library.store") == true)
        #expect(try authors(open(type)) == ["Ada", "Bo"])
    }

    @Test(arguments: types) func aNewURLIsWhereTheNextSaveWrites(_ type: NSPersistentStore.StoreType) throws {
        let coordinator = try open(type)
        try addAuthor("Ada", coordinator)
        let other = folder.file("Other.store")
        #expect(coordinator.setURL(other, for: coordinator.persistentStores[0]))
        #expect(coordinator.url(for: coordinator.persistentStores[0]) == other)
        try inContext(coordinator) { try $0.save() }
        let again = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try again.addPersistentStore(type: type, at: other)
        #expect(try authors(again) == ["Ada"])
    }

    @Test(arguments: types) func destroyingDeletesTheFile(_ type: NSPersistentStore.StoreType) throws {
        let coordinator = try open(type)
        try coordinator.destroyPersistentStore(at: url, type: type)
        #expect(coordinator.persistentStores.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try coordinator.destroyPersistentStore(at: url, type: type)
    }

    @Test(arguments: types) func replacingPutsACopyInPlace(_ type: NSPersistentStore.StoreType) throws {
        try addAuthor("Ada", try open(type))
        let copy = folder.file("sub/Copy.store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: type)
        try coordinator.addPersistentStore(type: type, at: copy)
        #expect(try authors(coordinator) == ["Ada"])
    }

    @Test(arguments: types) func theNodesAreThoseOfTheRows(_ type: NSPersistentStore.StoreType) throws {
        let coordinator = try open(type)
        try addAuthor("Ada", coordinator)
        let store = try #require(coordinator.persistentStores[0] as? NSAtomicStore)
        let nodes = store.cacheNodes()
        let author = try #require(nodes.first { $0.objectID.entity.name == "Author" })
        #expect(nodes.count == 2 && author.value(forKey: "name") as? String == "Ada")
        let books = try #require(author.value(forKey: "books") as? NSSet)
        #expect(
            (books.anyObject() as? NSAtomicStoreCacheNode)?.value(forKey: "author") as? NSAtomicStoreCacheNode
                === author)
    }

    /// Every file that is cut off or has a byte changed is an error that names it, or is still a store.
    @Test(arguments: types) func damagedFilesAreErrorsThatNameThem(_ type: NSPersistentStore.StoreType) throws {
        try addAuthor("Ada", try open(type))
        let whole = try Data(contentsOf: url)
        let headLength = 64
        var errors = 0
        for attempt in 0..<180 {
            var damaged = whole
            if attempt % 2 == 0 {
                damaged = damaged.prefix(Int.random(in: 0..<whole.count))
            } else {
                // Each byte of the head, and some that follow.
                let offset = attempt / 2 < headLength ? attempt / 2 : Int.random(in: headLength..<whole.count)
                damaged[offset] ^= UInt8.random(in: 1...255)
            }
            try Data(damaged).write(to: url)
            do {
                let coordinator = try open(type)
                _ = try authors(coordinator)
                // The binary form has a hash of all that follows the head.
                let change = "\(damaged.count) bytes: \(zip(damaged, whole).enumerated().filter { $1.0 != $1.1 })"
                if type == .binary { Issue.record("damage was not noticed: \(change)") }
            } catch let error as CocoaError {
                errors += 1
                #expect(error.localizedDescription.contains("Library.store"), "\(error)")
            }
        }
        #expect(errors > 75)
    }

    @Test(arguments: types) func whatAnotherProcessSavedIsNotOverwritten(_ type: NSPersistentStore.StoreType)
        async throws
    {
        let first = try open(type)
        try addAuthor("Ada", first)
        await #expect(processExitsWith: .success) { [path = url.path as String, name = type.rawValue as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(
                type: NSPersistentStore.StoreType(rawValue: name), at: URL(fileURLWithPath: path))
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                Author(context: context).name = "Bo"
                try context.save()
            }
        }
        let error = #expect(throws: CocoaError.self) { try addAuthor("Cy", first) }
        #expect(error?.localizedDescription.contains("Library.store") == true)
        #expect(try authors(open(type)) == ["Ada", "Bo"])
    }

    @Test func aBinaryFileOfAnotherProgramIsAnErrorThatSaysWhatItIsNot() throws {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: ["a": 1] as NSDictionary, requiringSecureCoding: true)
        try archive.write(to: url)
        let error = #expect(throws: CocoaError.self) { try open(.binary) }
        let string = error?.localizedDescription ?? ""
        #expect(string.contains("Library.store") && string.contains("Apple"), "\(string)")
        #expect(try Data(contentsOf: url) == archive)
    }

    @Test func whitespaceAroundANumberInXMLIsNoPartOfItAndThatOfAStringIs() throws {
        let first = try open(.xml)
        try inContext(first) { context in
            let book = Book(context: context)
            (book.title, book.pages, book.price) = (" title\n", 321, 7.25)
            try context.save()
        }
        try first.remove(try #require(first.persistentStores.first))
        var string = try String(contentsOf: url, encoding: .utf8)
        // A space, a line, a tab and a space that does not break, which takes two bytes.
        string = string.replacingOccurrences(of: ">321<", with: ">\n 321\u{A0}<")
        string = string.replacingOccurrences(of: ">7.25<", with: ">\u{A0}7.25\t<")
        #expect(string.contains("321\u{A0}") && string.contains("\u{A0}7.25"))
        try string.write(to: url, atomically: true, encoding: .utf8)
        try inContext(open(.xml)) { context in
            let book = try #require(context.fetch(NSFetchRequest<Book>(entityName: "Book")).first)
            #expect(book.title == " title\n" && book.pages == 321 && book.price == 7.25)
        }
    }
}
