import OpenCoreData
import Testing

/// Talks to the store itself, without a context.
@Suite struct InMemoryStoreTests {
    let coordinator: NSPersistentStoreCoordinator
    let store: any RowStore

    init() throws {
        coordinator = try PublishingModel.memoryCoordinator()
        store = try #require(coordinator.rowStores.first)
    }

    private func layout(_ name: String) throws -> EntityLayout {
        try #require(coordinator.layout.entities.first { $0.name == name })
    }

    /// A row to insert, under a fresh reference.
    private func row(_ entity: String, _ values: [String: PropertyValue]) throws -> RowChange {
        let layout = try layout(entity)
        var slots = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        for (name, value) in values { slots[try #require(layout.slot(named: name)).index] = value }
        let reference = try store.allocateReferences(count: 1, root: layout.root)
        return RowChange(entity: layout, reference: reference, version: 0, values: slots)
    }

    @discardableResult
    private func insert(_ entity: String, _ values: [String: PropertyValue]) throws -> Int64 {
        var plan = SavePlan()
        plan.inserts = [try row(entity, values)]
        try save(plan)
        return plan.inserts[0].reference
    }

    private func save(_ plan: SavePlan) throws {
        guard case .saved = try store.execute(plan) else {
            Issue.record("The plan was not saved.")
            return
        }
    }

    private func reference(_ entity: String, _ number: Int64) throws -> PropertyValue {
        .reference(ObjectReference(reference: number, entityIndex: Int32(try layout(entity).index)))
    }

    private func query(_ entity: String, _ predicate: NSPredicate? = nil, sort: [NSSortDescriptor] = []) throws
        -> StoreQuery
    {
        var query = StoreQuery(entity: try layout(entity))
        query.predicate = predicate
        query.sortDescriptors = sort
        return query
    }

    private func texts(_ query: StoreQuery, _ name: String) throws -> [String] {
        let slab = try store.fetchRows(query)
        let slot = try #require(query.entity.slot(named: name))
        return (0..<slab.count).map { slab.isNull($0, slot.index) ? "" : slab.string($0, slot.index) }
    }

    private func library() throws -> (ada: Int64, bob: Int64, books: [Int64]) {
        let ada = try insert("Author", ["name": .string("Ada"), "age": .integer(36), "penName": .string("A")])
        let bob = try insert("Author", ["name": .string("Bob"), "age": .integer(50)])
        try insert("Person", ["name": .string("Cy"), "age": .integer(20)])
        let books = try [("One", 10.0, ada), ("Two", 20.0, ada), ("Three", 30.0, bob)].map { title, price, author in
            try insert(
                "Book",
                ["title": .string(title), "price": .double(price), "author": reference("Author", author)])
        }
        return (ada, bob, books)
    }

    // MARK: Rows

    @Test func aSavedRowComesBackWithItsValuesAndVersion() throws {
        let reference = try insert("Person", ["name": .string("Ada"), "age": .integer(36)])
        let slab = try store.fetchRows(query("Person"))
        #expect(slab.count == 1)
        #expect(slab.reference(0) == reference)
        #expect(slab.version(0) == 1)
        let age = try #require(try layout("Person").slot(named: "age"))
        #expect(slab.integer(0, age.index) == 36)
    }

    @Test func subentitiesAreIncludedUnlessTheQuerySaysOtherwise() throws {
        _ = try library()
        var query = try query("Person")
        #expect(try store.countRows(query) == 3)
        query.includesSubentities = false
        #expect(try texts(query, "name") == ["Cy"])
    }

    @Test func sortingAndWindowAreAppliedInThatOrder() throws {
        _ = try library()
        var query = try query("Book", sort: [NSSortDescriptor(key: "price", ascending: false)])
        query.offset = 1
        query.limit = 1
        #expect(try texts(query, "title") == ["Two"])
        #expect(try store.countRows(query) == 1)
    }

    @Test func rowsAreFetchedByReference() throws {
        let library = try library()
        let slab = try store.fetchRows(
            references: [library.books[2], 999, library.books[0]], entity: layout("Book"), includesValues: true)
        #expect(Set((0..<slab.count).map { slab.reference($0) }) == [library.books[2], library.books[0]])
    }

    // MARK: Predicates

    @Test func predicatesFollowRelationships() throws {
        _ = try library()
        #expect(
            try texts(query("Book", NSPredicate(format: "author.name == %@", "Ada")), "title") == ["One", "Two"])
        #expect(try texts(query("Author", NSPredicate(format: "ANY books.price > 25")), "name") == ["Bob"])
        #expect(try texts(query("Author", NSPredicate(format: "books.@count == 2")), "name") == ["Ada"])
        #expect(
            try texts(
                query("Author", NSPredicate(format: "SUBQUERY(books, $b, $b.price < 15).@count > 0")), "name")
                == ["Ada"])
    }

    @Test func identifiersInPredicatesMeanRows() throws {
        let library = try library()
        let id = NSManagedObjectID(layout: try layout("Author"), reference: library.bob, store: store)
        #expect(try texts(query("Book", NSPredicate(format: "author == %@", id)), "title") == ["Three"])
        #expect(try texts(query("Book", NSPredicate(format: "author IN %@", [id])), "title") == ["Three"])
        #expect(try texts(query("Author", NSPredicate(format: "SELF == %@", id)), "name") == ["Bob"])
        #expect(try texts(query("Author", NSPredicate(format: "SELF IN %@", [id])), "name") == ["Bob"])
        let absent = NSManagedObjectID(layout: try layout("Author"), reference: 999, store: store)
        #expect(try texts(query("Book", NSPredicate(format: "author == %@", absent)), "title").isEmpty)
    }

    @Test func anUnknownKeyIsAnErrorEvenWithoutRows() throws {
        let error = #expect(throws: CocoaError.self) {
            try store.fetchRows(query("Book", NSPredicate(format: "color == 'red'")))
        }
        #expect(error?.localizedDescription.contains("color") == true)
    }

    // MARK: To-many relationships

    @Test func destinationsOfSeveralOwnersComeInOneAnswer() throws {
        let library = try library()
        let books = try #require(try layout("Author").relationship(named: "books"))
        let result = try store.fetchToMany(books, owners: [library.bob, 999, library.ada], includesValues: false)
        #expect(result.ranges.map(\.count) == [1, 0, 2])
        #expect(result.rows.reference(result.ranges[0].lowerBound) == library.books[2])
    }

    @Test func manyToManyPairsAreSeenFromBothSides() throws {
        let library = try library()
        let tag = try insert("Tag", ["name": .string("new")])
        let tags = try #require(try layout("Book").relationship(named: "tags"))
        var plan = SavePlan()
        plan.linkInserts = [
            LinkChange(relationship: tags, owner: library.books[0], destination: tag),
            LinkChange(relationship: tags, owner: library.books[1], destination: tag),
        ]
        try save(plan)
        #expect(try store.fetchToMany(tags, owners: [library.books[0]], includesValues: true).rows.count == 1)
        let back = try #require(try layout("Tag").relationship(named: "books"))
        #expect(try store.fetchToMany(back, owners: [tag], includesValues: false).rows.count == 2)
        var removal = SavePlan()
        removal.linkDeletes = [LinkChange(relationship: back, owner: tag, destination: library.books[0])]
        try save(removal)
        #expect(try store.fetchToMany(tags, owners: [library.books[0]], includesValues: false).rows.count == 0)
    }

    @Test func anOrderedRelationshipKeepsItsOrder() throws {
        let book = try insert("Book", ["title": .string("One")])
        let chapters = try ["a", "b", "c"].map {
            try insert("Chapter", ["title": .string($0), "book": reference("Book", book)])
        }
        let relationship = try #require(try layout("Book").relationship(named: "chapters"))
        var plan = SavePlan()
        plan.orders = [OrderChange(relationship: relationship, owner: book, destinations: chapters.reversed())]
        try save(plan)
        let rows = try store.fetchToMany(relationship, owners: [book], includesValues: false).rows
        #expect((0..<rows.count).map { rows.reference($0) } == chapters.reversed())
    }

    @Test func aToManyWithoutInverseKeepsItsMembers() throws {
        let library = try library()
        let shelf = try insert("Shelf", ["label": .string("top")])
        let contents = try #require(try layout("Shelf").relationship(named: "contents"))
        var plan = SavePlan()
        plan.hiddenOwners = try library.books.prefix(2).map {
            HiddenOwnerChange(
                relationship: contents, owner: shelf, formerOwner: nil, destination: $0,
                destinationEntity: try layout("Book"))
        }
        try save(plan)
        #expect(try store.fetchToMany(contents, owners: [shelf], includesValues: false).rows.count == 2)
        #expect(try texts(query("Shelf", NSPredicate(format: "ANY contents.title == 'One'")), "label") == ["top"])
    }

    // MARK: Saving

    private func update(_ entity: String, _ reference: Int64, version: Int64, _ name: String, _ value: PropertyValue)
        throws -> RowChange
    {
        let layout = try layout(entity)
        let slot = try #require(layout.slot(named: name)).index
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        values[slot] = value
        return RowChange(entity: layout, reference: reference, version: version, values: values, slots: [slot])
    }

    @Test func anUpdateOfANewerRowIsAConflictAndChangesNothing() throws {
        let reference = try insert("Person", ["name": .string("Ada"), "age": .integer(1)])
        var plan = SavePlan()
        plan.updates = [try update("Person", reference, version: 1, "age", .integer(2))]
        try save(plan)
        plan.inserts = [try row("Person", ["name": .string("Bob")])]
        guard case .conflicts(let conflicts, let constraints) = try store.execute(plan) else {
            Issue.record("There was no conflict.")
            return
        }
        #expect(conflicts.count == 1 && constraints.isEmpty)
        #expect(conflicts[0].current?.version(0) == 2)
        #expect(try store.countRows(query("Person")) == 1)
    }

    @Test func changingAMissingRowIsAConflictWithoutARow() throws {
        var plan = SavePlan()
        plan.deletes = [RowChange(entity: try layout("Person"), reference: 7, version: 1)]
        guard case .conflicts(let conflicts, _) = try store.execute(plan) else {
            Issue.record("There was no conflict.")
            return
        }
        #expect(conflicts.first?.isDelete == true)
        #expect(conflicts.first?.current == nil)
    }

    @Test func uniquenessConstraintsNameTheStoredRowAndThePlansRows() throws {
        let stored = try insert("Tag", ["name": .string("new")])
        var plan = SavePlan()
        plan.inserts = [
            try row("Tag", ["name": .string("new")]), try row("Tag", ["name": .string("old")]),
            try row("Tag", ["name": .string("old")]), try row("Tag", ["name": .null]), try row("Tag", ["name": .null]),
        ]
        guard case .conflicts(_, let violations) = try store.execute(plan) else {
            Issue.record("There was no violation.")
            return
        }
        #expect(violations.count == 2)
        #expect(violations.contains { $0.stored?.reference(0) == stored && $0.references.count == 1 })
        #expect(violations.contains { $0.stored == nil && $0.references.count == 2 })
        #expect(violations.allSatisfy { $0.constraint == ["name"] })
    }

    @Test func aDeletedRowFreesItsUniqueValue() throws {
        let reference = try insert("Tag", ["name": .string("new")])
        var plan = SavePlan()
        plan.deletes = [RowChange(entity: try layout("Tag"), reference: reference, version: 1)]
        plan.inserts = [try row("Tag", ["name": .string("new")])]
        try save(plan)
        #expect(try store.countRows(query("Tag")) == 1)
    }

    @Test func referencesAreNeverHandedOutTwice() throws {
        let root = try layout("Tag")
        let first = try store.allocateReferences(count: 10, root: root)
        #expect(try store.allocateReferences(count: 1, root: root) == first + 10)
    }

    // MARK: Columns

    private func columns(_ change: (inout StoreQuery) throws -> Void) throws -> [[String]] {
        var query = try query("Book")
        try change(&query)
        return try store.fetchColumns(query).map { $0.map { Self.text($0) } }
    }

    private static func text(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .reference(let target): "#\(target.reference)"
        default: "\(value)"
        }
    }

    private func sum(_ function: String, _ key: String, named name: String) -> QueryColumn {
        .expression(
            NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)]), name: name,
            type: .doubleAttributeType)
    }

    @Test func columnsAreAttributesKeyPathsAndIdentity() throws {
        let library = try library()
        let result = try columns {
            $0.columns = [.keyPath("title"), .keyPath("author.name"), .keyPath("author"), .objectID]
            $0.predicate = NSPredicate(format: "title == 'Three'")
        }
        #expect(result == [["Three", "Bob", "#\(library.bob)", "#\(library.books[2])"]])
    }

    @Test func anAggregateWithoutGroupsIsOneLine() throws {
        _ = try library()
        #expect(try columns { $0.columns = [sum("sum:", "price", named: "total")] } == [["60.0"]])
        #expect(
            try columns {
                $0.columns = [sum("sum:", "price", named: "total")]
                $0.predicate = NSPredicate(value: false)
            } == [["0.0"]])
    }

    @Test func groupsAreFilteredByTheirAggregates() throws {
        _ = try library()
        func grouped(_ having: NSPredicate?) throws -> [[String]] {
            try columns {
                $0.columns = [.keyPath("author.name"), sum("max:", "price", named: "top")]
                $0.groupBy = [.keyPath("author.name")]
                $0.having = having
                $0.sortDescriptors = [NSSortDescriptor(key: "top", ascending: false)]
            }
        }
        #expect(try grouped(nil) == [["Bob", "30.0"], ["Ada", "20.0"]])
        #expect(try grouped(NSPredicate(format: "top < 25")) == [["Ada", "20.0"]])
        #expect(try grouped(NSPredicate(format: "$top > 25")) == [["Bob", "30.0"]])
        #expect(try grouped(NSPredicate(format: "count:(title) == 2")) == [["Ada", "20.0"]])
    }

    @Test func equalLinesCountOnceWhenDistinct() throws {
        _ = try library()
        let result = try columns {
            $0.columns = [.keyPath("author.name")]
            $0.isDistinct = true
            $0.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
        }
        #expect(result == [["Ada"], ["Bob"]])
    }

    // MARK: What it refuses

    @Test func derivedAttributesAreRefusedWhenTheStoreIsAdded() throws {
        let entity = PublishingModel.entity("Note", PublishingModel.attribute("text", .stringAttributeType))
        let derived = NSDerivedAttributeDescription()
        derived.name = "upper"
        derived.attributeType = .stringAttributeType
        derived.derivationExpression = NSExpression(format: "uppercase:(text)")
        entity.properties.append(derived)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        }
        #expect(error?.localizedDescription.contains("Note.upper") == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test func aReadOnlyStoreSavesNothing() throws {
        store.isReadOnly = true
        var plan = SavePlan()
        plan.inserts = [try row("Person", ["name": .string("Ada")])]
        let error = #expect(throws: CocoaError.self) { try store.execute(plan) }
        #expect(error?.code.rawValue == 513)
    }
}
