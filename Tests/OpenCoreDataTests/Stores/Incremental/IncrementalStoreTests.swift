import OpenCoreData
import TestSupport
import Testing

/// A store that an application wrote, object by object.
@Suite struct IncrementalStoreTests {
    let url = URL(string: "records://\(UUID().uuidString)") ?? URL(fileURLWithPath: "/")
    let coordinator: NSPersistentStoreCoordinator
    let store: RecordStore
    var server: RecordServer { RecordServer.at(url) }

    init() throws {
        RecordStore.register()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let added = try coordinator.addPersistentStore(
            ofType: RecordStore.storeType, configurationName: nil, at: url)
        store = try #require(added as? RecordStore)
    }

    private func inContext<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// Two authors; three books of the first, one of them with pictures.
    private func fill() {
        func key(_ entity: String, _ name: String) -> RecordServer.Key { RecordServer.Key(entity, name) }
        var ada = RecordServer.Record(values: ["name": "Ada", "country": "GB"])
        ada.toMany["books"] = [key("Book", "b1"), key("Book", "b2"), key("GraphicNovel", "g1")]
        var records = [key("Author", "a1"): ada, key("Author", "a2"): RecordServer.Record(values: ["name": "Bo"])]
        for (index, name) in ["b1", "b2"].enumerated() {
            var book = RecordServer.Record(values: ["title": "Book \(index + 1)", "pages": 100 * (index + 1)])
            book.toOne["author"] = key("Author", "a1")
            records[key("Book", name)] = book
        }
        var novel = RecordServer.Record(values: ["title": "Pictures", "pages": 50, "isColored": true])
        novel.toOne["author"] = key("Author", "a1")
        records[key("GraphicNovel", "g1")] = novel
        server.records = records
        server.clearCalls()
    }

    private func id(_ entity: String, _ name: String) throws -> NSManagedObjectID {
        let description = try #require(coordinator.managedObjectModel.entitiesByName[entity])
        return store.newObjectID(for: description, referenceObject: name)
    }

    private func calls(_ prefix: String) -> [String] { server.calls.filter { $0.hasPrefix(prefix) } }

    // MARK: Adding

    // Behaviour 9.8
    @Test func metadataIsLoadedOnceWhenTheStoreIsAdded() {
        #expect(server.calls == ["metadata"])
        #expect(store.identifier == server.identifier)
        #expect(coordinator.metadata(for: store)[NSStoreTypeKey] as? String == RecordStore.storeType)
    }

    // Behaviour 9.7
    @Test func aStoreThatReportsAnotherTypeIsNotAdded() throws {
        NSPersistentStoreCoordinator.registerStoreClass(RecordStore.self, forStoreType: "Other")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Other") }
        let other = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let error = #expect(throws: CocoaError.self) {
            try other.addPersistentStore(ofType: "Other", configurationName: nil, at: url)
        }
        #expect(error?.code.rawValue == NSPersistentStoreTypeMismatchError)
        #expect(other.persistentStores.isEmpty)
    }

    @Test func theClassIsRegisteredUnderItsType() {
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[RecordStore.storeType] != nil)
    }

    // MARK: Fetching

    @Test func thePredicateIsTheStoresToHandle() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "name BEGINSWITH 'A'")
            let found = try context.fetch(request)
            #expect(found.map(\.name) == ["Ada"])
            #expect(calls("fetch") == ["fetch Author"])
        }
    }

    @Test func orderAndWindowAreTheStoresToHandle() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            request.fetchOffset = 1
            request.fetchLimit = 1
            #expect(try context.fetch(request).map(\.title) == ["Book 2"])
        }
    }

    // Behaviour 9.8
    @Test func aFetchOfAParentIncludesSubentitiesAndKeepsTheirIdentity() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            let found = try context.fetch(request)
            #expect(found.count == 3)
            let novel = try #require(found.first { $0 is GraphicNovel })
            #expect(novel.objectID.entity.name == "GraphicNovel")
            #expect(novel.value(forKey: "isColored") as? Bool == true)
            request.includesSubentities = false
            #expect(try context.fetch(request).count == 2)
        }
    }

    @Test func objectsComeAsFaultsAndAreFilledOneByOne() throws {
        fill()
        try inContext { (context) throws in
            let found = try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
            #expect(found.allSatisfy { $0.isFault })
            #expect(calls("values").isEmpty)
            #expect(found[0].name == "Ada" && found[0].country == "GB")
            #expect(calls("values") == ["values Author/a1"])
        }
    }

    @Test func objectsComeFilledWhenTheRequestSaysSo() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.returnsObjectsAsFaults = false
            #expect(try context.fetch(request).allSatisfy { !$0.isFault })
            #expect(calls("values").count == 2)
        }
    }

    @Test func countsAreAskedAsCounts() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            #expect(try context.count(for: request) == 2)
            request.resultType = .countResultType
            #expect(calls("count") == ["count Author"] && calls("fetch").isEmpty)
        }
    }

    @Test func identifiersAreAskedAsIdentifiers() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
            request.resultType = .managedObjectIDResultType
            #expect(try context.fetch(request) == [try id("Author", "a1"), try id("Author", "a2")])
            #expect(calls("values").isEmpty)
        }
    }

    @Test func dictionariesAreAskedAsDictionaries() throws {
        fill()
        try inContext { (context) throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let titles = try context.fetch(request).compactMap { $0["title"] as? String }
            #expect(titles == ["Book 1", "Book 2", "Pictures"])
        }
    }

    @Test func unsavedChangesCountInAFetch() throws {
        fill()
        try inContext { (context) throws in
            let new = Author(context: context)
            new.name = "Cy"
            let request = NSFetchRequest<Author>(entityName: "Author")
            #expect(try context.fetch(request).count == 3)
            context.delete(try context.existingObject(with: id("Author", "a2")))
            #expect(try context.fetch(request).count == 2)
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test func anObjectIsOneObjectHoweverItIsFound() throws {
        fill()
        try inContext { (context) throws in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            let book = try #require(try context.existingObject(with: id("Book", "b1")) as? Book)
            #expect(book.author === author)
            #expect(author.books.contains(book))
            #expect(context.object(with: try id("Author", "a1")) === author)
        }
    }

    // MARK: Faults

    // Behaviour 2.18
    @Test func aToManyIsAskedForOnceAndOnlyWhenItIsTouched() throws {
        fill()
        try inContext { (context) throws in
            let author = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            #expect(author.name == "Ada")
            #expect(calls("books of").isEmpty)
            #expect(author.books.count == 3)
            #expect(author.books.count == 3)
            #expect(calls("books of") == ["books of Author/a1"])
            #expect(calls("values Book").isEmpty)
        }
    }

    @Test func aMemberThatTheStoreNamesTwiceIsOneObject() throws {
        fill()
        let (author, book) = (RecordServer.Key("Author", "a1"), RecordServer.Key("Book", "b1"))
        server.records[author]?.toMany["books", default: []].append(book)
        try inContext { (context) throws in
            let author = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            #expect(author.books.count == 3)
            for book in author.books { #expect(context.object(with: book.objectID) === book) }
        }
    }

    // Behaviour 2.18
    @Test func aToOneThatTheNodeLeftOutIsAskedForWithTheRow() throws {
        fill()
        try inContext { (context) throws in
            let book = try #require(try context.existingObject(with: id("Book", "b1")) as? Book)
            #expect(calls("author of") == ["author of Book/b1"])
            #expect(book.author?.objectID == (try id("Author", "a1")))
            #expect(calls("author of") == ["author of Book/b1"])
            #expect(calls("values Author").isEmpty)
        }
    }

    @Test func siblingsAreNotReadAlong() throws {
        fill()
        try inContext { (context) throws in
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(books[0].title == "Book 1")
            #expect(calls("values") == ["values Book/b1"])
            let authors = try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
            _ = authors[0].books
            #expect(calls("books of") == ["books of Author/a1"])
        }
    }

    @Test func anObjectThatIsNotThereIsAnError() throws {
        fill()
        try inContext { (context) throws in
            let missing = try id("Author", "nobody")
            let error = #expect(throws: CocoaError.self) { try context.existingObject(with: missing) }
            #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test func aValueOfTheWrongTypeIsAnErrorThatNamesIt() throws {
        server.records = [RecordServer.Key("Author", "x"): RecordServer.Record(values: ["name": Date()])]
        try inContext { (context) throws in
            let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id("Author", "x")) }
            #expect(error?.localizedDescription.contains("Author.name") == true)
        }
    }

    @Test func registrationIsReported() throws {
        fill()
        try inContext { (context) throws in
            var author: NSManagedObject? = context.object(with: try id("Author", "a1"))
            #expect(calls("register") == ["register Author/a1"])
            #expect(author?.isFault == true)
            author = nil
            #expect(calls("unregister") == ["unregister Author/a1"])
        }
    }

    // MARK: Saving

    // Behaviour 9.8
    @Test func aSaveWithoutChangesIsOneSaveRequest() throws {
        try inContext { (context) throws in
            try context.save()
            #expect(calls("save") == ["save 0 0 0"])
        }
    }

    // Behaviour 9.8
    @Test func permanentIdentifiersAreObtainedDuringTheSave() throws {
        try inContext { (context) throws in
            let author = Author(context: context)
            author.name = "Cy"
            #expect(author.objectID.isTemporaryID)
            try context.save()
            #expect(server.calls.filter { !$0.contains("register") } == ["metadata", "ids 1", "save 1 0 0"])
            #expect(!author.objectID.isTemporaryID)
            #expect(store.referenceObject(for: author.objectID) as? String == "new-1")
            #expect(server.records[RecordServer.Key("Author", "new-1")]?.values["name"] as? String == "Cy")
        }
    }

    @Test func identifiersObtainedBeforeTheSaveAreKept() throws {
        try inContext { (context) throws in
            let author = Author(context: context)
            author.name = "Cy"
            try context.obtainPermanentIDs(for: [author])
            let id = author.objectID
            try context.save()
            #expect(author.objectID == id && calls("ids") == ["ids 1"])
        }
    }

    @Test func insertsUpdatesAndDeletesReachTheStoreInOneRequest() throws {
        fill()
        try inContext { (context) throws in
            let ada = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            let bo = try context.existingObject(with: id("Author", "a2"))
            ada.country = "FR"
            context.delete(bo)
            let cy = Author(context: context)
            cy.name = "Cy"
            try context.save()
            #expect(calls("save") == ["save 1 1 1"])
            #expect(server.records[RecordServer.Key("Author", "a1")]?.values["country"] as? String == "FR")
            #expect(server.records[RecordServer.Key("Author", "a2")] == nil)
            #expect(!context.hasChanges && !ada.hasChanges && !cy.isInserted)
        }
    }

    @Test func newObjectsThatBelongTogetherAreSavedTogether() throws {
        let names = try inContext { (context) throws in
            let author = Author(context: context)
            author.name = "Cy"
            let book = Book(context: context)
            book.title = "New"
            book.author = author
            try context.save()
            #expect(server.records[RecordServer.Key("Author", "new-1")] != nil || calls("save") == ["save 2 0 0"])
            return server.records.keys.map(\.entity).sorted()
        }
        #expect(names == ["Author", "Book"])
        try inContext { (context) throws in
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            #expect(author.books.map(\.title) == ["New"])
            #expect(author.books.first?.author === author)
        }
    }

    @Test func aDeletedObjectLeavesTheRelationshipOfTheOthers() throws {
        fill()
        try inContext { (context) throws in
            let author = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            context.delete(author)
            try context.save()
            #expect(server.records[RecordServer.Key("Book", "b1")]?.toOne["author"] == nil)
        }
    }

    @Test func anErrorOfTheStoreReachesTheCallerAndLosesNothing() throws {
        struct Refused: Error, Equatable {}
        fill()
        try inContext { (context) throws in
            let ada = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            ada.country = "FR"
            let cy = Author(context: context)
            cy.name = "Cy"
            context.delete(try context.existingObject(with: id("Author", "a2")))
            server.refuse(with: Refused())
            #expect(throws: Refused.self) { try context.save() }
            #expect(context.insertedObjects == [cy] && context.updatedObjects == [ada])
            #expect(context.deletedObjects.count == 1 && ada.country == "FR" && cy.name == "Cy")
            server.refuse(with: nil)
            try context.obtainPermanentIDs(for: [cy])
            let id = cy.objectID
            server.refuse(with: Refused())
            #expect(throws: Refused.self) { try context.save() }
            #expect(!id.isTemporaryID && cy.objectID == id)
            server.refuse(with: nil)
            try context.save()
            #expect(!context.hasChanges && cy.objectID == id)
            #expect(Set(server.records.values.compactMap { $0.values["name"] as? String }) == ["Ada", "Cy"])
        }
    }

    @Test func anErrorOfAFetchReachesTheCaller() throws {
        try inContext { (context) throws in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "name ==")
            #expect(throws: (any Error).self) { try context.fetch(request) }
        }
    }

    @Test func twoContextsNoticeEachOthersSaves() throws {
        fill()
        try inContext { (first) throws in
            let mine = try #require(try first.existingObject(with: id("Author", "a1")) as? Author)
            #expect(mine.name == "Ada")
            try inContext { (second) throws in
                let theirs = try #require(try second.existingObject(with: id("Author", "a1")) as? Author)
                theirs.country = "FR"
                try second.save()
            }
            mine.country = "DE"
            let error = #expect(throws: CocoaError.self) { try first.save() }
            #expect(error?.code.rawValue == NSManagedObjectMergeError)
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
            #expect(server.records[RecordServer.Key("Author", "a1")]?.values["country"] as? String == "DE")
        }
    }

    @Test func anOtherContextSeesWhatWasSaved() throws {
        fill()
        try inContext { (context) throws in
            let ada = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            ada.country = "FR"
            try context.save()
        }
        try inContext { (context) throws in
            let ada = try #require(try context.existingObject(with: id("Author", "a1")) as? Author)
            #expect(ada.country == "FR")
        }
    }

    @Test func aChildSavesThroughItsParent() throws {
        fill()
        try inContext { (context) throws in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let id = try id("Author", "a1")
            try child.performAndWait {
                let ada = try #require(try child.existingObject(with: id) as? Author)
                ada.country = "FR"
                try child.save()
            }
            #expect(calls("save").isEmpty)
            try context.save()
            #expect(calls("save") == ["save 0 1 0"])
        }
    }

    // MARK: Identifiers

    // Behaviour 2.7
    @Test func theURIOfATextReferenceIsEscapedAsAPath() throws {
        let id = try id("Author", "a b/c")
        let uri = id.uriRepresentation()
        #expect(uri.absoluteString == "x-coredata://\(server.identifier)/Author/pa%20b/c")
        let back = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(store.referenceObject(for: back) as? String == "a%20b/c")
    }

    // Behaviour 2.7
    @Test func theURIOfANumberReferenceGoesThereAndBack() throws {
        let entity = try #require(coordinator.managedObjectModel.entitiesByName["Author"])
        let id = store.newObjectID(for: entity, referenceObject: NSNumber(value: 42))
        #expect(id.uriRepresentation().absoluteString.hasSuffix("/Author/p42"))
        let back = try #require(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        #expect(back == id)
        #expect(store.referenceObject(for: back) as? NSNumber == 42)
    }

    // Behaviour 2.7
    @Test func theURIOfADataReferenceHasItsDescription() throws {
        let entity = try #require(coordinator.managedObjectModel.entitiesByName["Author"])
        let data = Data([1, 2, 3])
        let id = store.newObjectID(for: entity, referenceObject: data)
        let string = "\(data)".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        #expect(id.uriRepresentation().absoluteString.hasSuffix("/Author/p" + string))
        #expect(store.referenceObject(for: id) as? Data == data)
    }

    @Test func identifiersOfTwoCoordinatorsAreEqual() throws {
        fill()
        let other = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let second = try #require(
            try other.addPersistentStore(ofType: RecordStore.storeType, configurationName: nil, at: url)
                as? RecordStore)
        let entity = try #require(other.managedObjectModel.entitiesByName["Author"])
        #expect(second.newObjectID(for: entity, referenceObject: "a1") == (try id("Author", "a1")))
        try inContext { (context) throws in
            let found = try context.existingObject(with: second.newObjectID(for: entity, referenceObject: "a1"))
            #expect(found.value(forKey: "name") as? String == "Ada")
        }
    }
}
