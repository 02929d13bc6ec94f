import OpenCoreData
import TestSupport
import Testing

/// A store that an application wrote, read and written whole.
@Suite struct AtomicStoreTests {
    let folder: TemporaryFolder
    var url: URL { folder.file("Library.archive") }

    init() throws {
        ArchiveStore.register()
        folder = try TemporaryFolder()
    }

    private func open(_ model: NSManagedObjectModel = LibraryModel.make()) throws -> (
        NSPersistentStoreCoordinator, ArchiveStore
    ) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: NSPersistentStore.StoreType(rawValue: ArchiveStore.storeType), at: url)
        return (coordinator, try #require(store as? ArchiveStore))
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
        try inContext(coordinator) { (context) throws in
            let ada = Author(context: context)
            ada.name = "Ada"
            let novel = GraphicNovel(context: context)
            novel.title = "Pictures"
            let book = Book(context: context)
            book.title = "Text"
            book.setValue(Decimal(string: "12.50"), forKey: "cost")
            book.setValue(["a": 1], forKey: "extra")
            book.setValue(URL(string: "https://example.org/a?b=c"), forKey: "home")
            ada.books = [novel, book]
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            shelf.setValue(NSOrderedSet(array: [book, novel]), forKey: "books")
            let tag = Label(context: context)
            tag.name = "new"
            tag.books = [book, novel]
            try context.save()
        }
    }

    @Test func whatWasSavedIsThereWhenTheFileIsOpenedAgain() throws {
        let (first, store) = try open()
        try fill(first)
        #expect(store.loads == 1 && store.saves == 1)
        #expect(store.cacheNodes().count == 5)
        let (second, reopened) = try open()
        #expect(reopened.identifier == store.identifier)
        try inContext(second) { (context) throws in
            let ada = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(Set(ada.books.map(\.title)) == ["Pictures", "Text"])
            let shelf = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf")).first)
            let books = try #require(shelf.value(forKey: "books") as? NSOrderedSet)
            #expect(books.array.compactMap { ($0 as? Book)?.title } == ["Text", "Pictures"])
            let text = try #require(books.firstObject as? Book)
            #expect(text.value(forKey: "cost") as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
            #expect((text.value(forKey: "extra") as? [String: Int])?["a"] == 1)
            #expect(text.value(forKey: "home") as? URL == URL(string: "https://example.org/a?b=c"))
            #expect(text.tags.map(\.name) == ["new"])
            #expect(ada.books.contains { $0 is GraphicNovel })
        }
    }

    @Test func predicatesAndOrderAreEvaluatedInMemory() throws {
        let (coordinator, _) = try open()
        try fill(coordinator)
        try inContext(coordinator) { (context) throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "author.name == 'Ada' AND ANY tags.name == 'new' AND cost > 10")
            #expect(try context.fetch(request).map(\.title) == ["Text"])
            request.predicate = nil
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            #expect(try context.fetch(request).map(\.title) == ["Text", "Pictures"])
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test func nodesFollowUpdatesAndDeletes() throws {
        let (coordinator, store) = try open()
        try fill(coordinator)
        try inContext(coordinator) { (context) throws in
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            let text = try #require(books.first { $0.title == "Text" })
            let novel = try #require(books.first { $0.title == "Pictures" })
            text.title = "Changed"
            novel.setValue(nil, forKey: "shelf")
            context.delete(novel)
            let gone = novel.objectID
            try context.save()
            #expect(store.cacheNode(for: text.objectID)?.value(forKey: "title") as? String == "Changed")
            #expect(store.cacheNode(for: gone) == nil)
            #expect(store.removed.count == 1 && store.removed[0].hasPrefix("GraphicNovel-"))
            let author = try #require(text.author)
            let members = store.cacheNode(for: author.objectID)?.value(forKey: "books") as? NSSet
            #expect(members?.count == 1)
        }
        #expect(store.cacheNodes().count == 4)
    }

    @Test func nothingIsLostWhenTheStoreCanNotSave() throws {
        struct Refused: Error {}
        let (coordinator, store) = try open()
        try fill(coordinator)
        let before = try Data(contentsOf: url)
        try inContext(coordinator) { (context) throws in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            author.name = "Changed"
            let new = Author(context: context)
            new.name = "New"
            store.refusal = Refused()
            #expect(throws: Refused.self) { try context.save() }
            #expect(context.insertedObjects == [new] && context.updatedObjects == [author])
            #expect(store.cacheNodes().count == 5)
            #expect(store.cacheNode(for: author.objectID)?.value(forKey: "name") as? String == "Ada")
            #expect(try Data(contentsOf: url) == before)
            try inContext(coordinator) { (other) throws in
                let request = NSFetchRequest<Author>(entityName: "Author")
                #expect(try other.fetch(request).map(\.name) == ["Ada"])
            }
            store.refusal = nil
            try context.save()
            #expect(store.cacheNodes().count == 6)
        }
        let (reopened, _) = try open()
        try inContext(reopened) { (context) throws in
            let names = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name)
            #expect(Set(names) == ["Changed", "New"])
        }
    }

    // Behaviour 2.7
    @Test func urisCarryTheReferenceObject() throws {
        let (coordinator, store) = try open()
        try fill(coordinator)
        try inContext(coordinator) { (context) throws in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            let reference = try #require(store.referenceObject(for: author.objectID) as? String)
            let uri = author.objectID.uriRepresentation()
            #expect(uri.absoluteString == "x-coredata://\(store.identifier ?? "")/Author/p\(reference)")
            #expect(coordinator.managedObjectID(forURIRepresentation: uri) == author.objectID)
        }
    }

    // Behaviour 6.16
    @Test func aModelWithDerivedAttributesIsRefused() throws {
        let model = LibraryModel.make()
        let derived = NSDerivedAttributeDescription()
        derived.name = "bookCount"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "books.@count")
        model.entitiesByName["Author"]?.properties.append(derived)
        let error = #expect(throws: CocoaError.self) { try open(model) }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("Author.bookCount") == true)
    }

    @Test func conflictsAreFound() throws {
        let (coordinator, _) = try open()
        try fill(coordinator)
        try inContext(coordinator) { (first) throws in
            let mine = try #require(try first.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(mine.name == "Ada")
            try inContext(coordinator) { (second) throws in
                let theirs = try #require(try second.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
                theirs.name = "Theirs"
                try second.save()
            }
            mine.name = "Mine"
            let error = #expect(throws: CocoaError.self) { try first.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
        }
    }

    @Test func metadataReachTheFileWithTheNextSave() throws {
        let (coordinator, store) = try open()
        try fill(coordinator)
        var metadata = coordinator.metadata(for: store)
        metadata["mine"] = "yes"
        coordinator.setMetadata(metadata, for: store)
        #expect(
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: ArchiveStore.storeType, at: url)["mine"] == nil)
        try inContext(coordinator) { try $0.save() }
        #expect(
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: ArchiveStore.storeType, at: url)["mine"] as? String == "yes")
    }

    @Test func aNewURLIsWhereTheNextSaveWrites() throws {
        let (coordinator, store) = try open()
        try fill(coordinator)
        let other = folder.file("Other.archive")
        #expect(coordinator.setURL(other, for: store))
        try inContext(coordinator) { try $0.save() }
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    @Test func aNodeWhoseValueDoesNotFitIsAnErrorThatNamesIt() throws {
        NSPersistentStoreCoordinator.registerStoreClass(MistakenStore.self, forStoreType: "MistakenStore")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "MistakenStore") }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(ofType: "MistakenStore", configurationName: nil, at: url)
        }
        #expect(error?.localizedDescription.contains("Author.name") == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    /// A store that overrides only what it has to.
    // @unchecked Sendable as each subclass of a store; it keeps nothing.
    private final class ForgetfulStore: NSAtomicStore, @unchecked Sendable {
        override var type: String { "ForgetfulStore" }
        override func load() throws { metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: type] }
        override func save() throws {}
    }

    @Test func referencesAreUUIDsUnlessTheStoreMakesItsOwn() throws {
        NSPersistentStoreCoordinator.registerStoreClass(ForgetfulStore.self, forStoreType: "ForgetfulStore")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let added = try coordinator.addPersistentStore(ofType: "ForgetfulStore", configurationName: nil, at: url)
        let store = try #require(added as? NSAtomicStore)
        try fill(coordinator)
        let references = store.cacheNodes().compactMap { store.referenceObject(for: $0.objectID) as? String }
        #expect(Set(references.compactMap(UUID.init(uuidString:))).count == 5)
    }
}

/// Gives an author a date for a name.
// @unchecked Sendable because it keeps nothing.
private final class MistakenStore: NSAtomicStore, @unchecked Sendable {
    override var type: String { "MistakenStore" }

    override func load() throws {
        guard let author = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Author"] else { return }
        let node = NSAtomicStoreCacheNode(objectID: objectID(for: author, withReferenceObject: 1))
        node.setValue(Date(), forKey: "name")
        addCacheNodes([node])
    }
}
