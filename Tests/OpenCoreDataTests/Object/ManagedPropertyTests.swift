import Foundation
import OpenCoreData
import TestSupport
import Testing

/// An object with a property of every type that an accessor can have.
final class Everything: NSManagedObject {
    static let int16 = ManagedProperty<Int16>("int16")
    static let int32 = ManagedProperty<Int32>("int32")
    static let int64 = ManagedProperty<Int64>("int64")
    static let int = ManagedProperty<Int>("int64")
    static let bool = ManagedProperty<Bool>("bool")
    static let float = ManagedProperty<Float>("float")
    static let double = ManagedProperty<Double>("double")
    static let decimal = ManagedProperty<Decimal>("decimal")
    static let string = ManagedProperty<String>("string")
    static let date = ManagedProperty<Date>("date")
    static let data = ManagedProperty<Data>("data")
    static let uuid = ManagedProperty<UUID>("uuid")
    static let url = ManagedProperty<URL>("url")
    static let optionalInt16 = ManagedProperty<Int16?>("int16")
    static let optionalInt32 = ManagedProperty<Int32?>("int32")
    static let optionalInt64 = ManagedProperty<Int64?>("int64")
    static let optionalBool = ManagedProperty<Bool?>("bool")
    static let optionalFloat = ManagedProperty<Float?>("float")
    static let optionalDouble = ManagedProperty<Double?>("double")
    static let optionalDecimal = ManagedProperty<Decimal?>("decimal")
    static let optionalString = ManagedProperty<String?>("string")
    static let optionalDate = ManagedProperty<Date?>("date")
    static let optionalData = ManagedProperty<Data?>("data")
    static let optionalUUID = ManagedProperty<UUID?>("uuid")
    static let optionalURL = ManagedProperty<URL?>("url")
    static let next = ManagedProperty<Everything?>("next")
    static let peers = ManagedProperty<Set<Everything>>("peers")
    static let peersAsSet = ManagedProperty<NSSet?>("peers")
    static let list = ManagedProperty<[Everything]>("list")
    static let listAsSet = ManagedProperty<NSOrderedSet?>("list")

    var nextOne: Everything? { self[Everything.next] }
    var text: String? { self[Everything.optionalString] }
    var number: Int64 { self[Everything.int64] }
    var others: Set<Everything> { self[Everything.peers] }

    static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Everything"
        entity.managedObjectClassName = NSStringFromClass(Everything.self)
        let types: [(String, NSAttributeType)] = [
            ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
            ("bool", .booleanAttributeType), ("float", .floatAttributeType), ("double", .doubleAttributeType),
            ("decimal", .decimalAttributeType), ("string", .stringAttributeType), ("date", .dateAttributeType),
            ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("url", .URIAttributeType),
        ]
        let next = LibraryModel.relationship("next", to: entity, rule: .nullifyDeleteRule)
        let previous = LibraryModel.relationship("previous", to: entity, rule: .nullifyDeleteRule)
        let peers = LibraryModel.relationship("peers", to: entity, toMany: true, rule: .nullifyDeleteRule)
        let list = LibraryModel.relationship("list", to: entity, toMany: true, ordered: true, rule: .nullifyDeleteRule)
        let owner = LibraryModel.relationship("owner", to: entity, rule: .nullifyDeleteRule)
        entity.properties =
            types.map { LibraryModel.attribute($0, $1) } + [next, previous, peers, list, owner]
        LibraryModel.pair(entity, "next", entity, "previous")
        LibraryModel.pair(entity, "list", entity, "owner")
        peers.inverseRelationship = peers
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}

/// Typed accessors, and key paths that become names by way of them.
@Suite(.serialized) struct ManagedPropertyTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    @Test(arguments: storeTypes) func everyTypeIsReadAsItWasWritten(type: String) throws {
        let stack = try TestStack(model: Everything.model(), type: type)
        let (uuid, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 123_456.789))
        // PostgreSQL has no strings with the character U+0000.
        let string = type == NSSQLiteStoreType && !stack.isFile ? "Zoë 🐦end" : "Zoë 🐦\u{0}end"
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        let decimal = try #require(Decimal(string: "-1234567890.125"))
        func check(_ object: Everything) {
            #expect(object[Everything.int16] == .min && object[Everything.optionalInt16] == .min)
            #expect(object[Everything.int32] == .max && object[Everything.optionalInt32] == .max)
            #expect(object[Everything.int64] == .min && object[Everything.optionalInt64] == .min)
            #expect(object[Everything.int] == .min)
            #expect(object[Everything.bool] && object[Everything.optionalBool] == true)
            #expect(object[Everything.float] == 1.1 && object[Everything.optionalFloat] == 1.1)
            #expect(object[Everything.double] == 0.1 && object[Everything.optionalDouble] == 0.1)
            #expect(object[Everything.decimal] == decimal && object[Everything.optionalDecimal] == decimal)
            #expect(object[Everything.string] == string && object[Everything.optionalString] == string)
            #expect(object[Everything.date] == date && object[Everything.optionalDate] == date)
            #expect(
                object[Everything.data] == Data([0, 255, 1]) && object[Everything.optionalData] == Data([0, 255, 1]))
            #expect(object[Everything.uuid] == uuid && object[Everything.optionalUUID] == uuid)
            #expect(object[Everything.url] == url && object[Everything.optionalURL] == url)
            #expect(object.value(forKey: "int16") as? Int == Int(Int16.min))
            #expect(object.value(forKey: "decimal") as? NSDecimalNumber == NSDecimalNumber(decimal: decimal))
            #expect(object.value(forKey: "float") as? Float == 1.1 && object.value(forKey: "bool") as? Bool == true)
            #expect(object.value(forKey: "uuid") as? UUID == uuid && object.value(forKey: "url") as? URL == url)
            #expect(object.value(forKey: "date") as? Date == date)
        }
        try stack.inContext { context in
            let object = Everything(context: context)
            object[Everything.int16] = .min
            object[Everything.int32] = .max
            object[Everything.int64] = .min
            object[Everything.bool] = true
            object[Everything.float] = 1.1
            object[Everything.double] = 0.1
            object[Everything.decimal] = decimal
            object[Everything.string] = string
            object[Everything.date] = date
            object[Everything.data] = Data([0, 255, 1])
            object[Everything.uuid] = uuid
            object[Everything.url] = url
            check(object)
            try context.save()
            check(object)
        }
        try stack.inContext { context in
            let object = try #require(try context.fetch(NSFetchRequest<Everything>(entityName: "Everything")).first)
            check(object)
        }
    }

    @Test(arguments: storeTypes) func noValueIsNilOrTheTypesZero(type: String) throws {
        let stack = try TestStack(model: Everything.model(), type: type)
        func check(_ object: Everything) {
            #expect(object[Everything.optionalInt16] == nil && object[Everything.optionalInt32] == nil)
            #expect(object[Everything.optionalInt64] == nil && object[Everything.optionalBool] == nil)
            #expect(object[Everything.optionalFloat] == nil && object[Everything.optionalDouble] == nil)
            #expect(object[Everything.optionalDecimal] == nil && object[Everything.optionalString] == nil)
            #expect(object[Everything.optionalDate] == nil && object[Everything.optionalData] == nil)
            #expect(object[Everything.optionalUUID] == nil && object[Everything.optionalURL] == nil)
            #expect(object[Everything.int16] == 0 && object[Everything.string].isEmpty && !object[Everything.bool])
            #expect(object[Everything.next] == nil && object[Everything.peers].isEmpty)
            #expect(object[Everything.list].isEmpty && object[Everything.listAsSet]?.count == 0)
        }
        try stack.inContext { context in
            let object = Everything(context: context)
            check(object)
            object[Everything.optionalInt16] = 1
            object[Everything.optionalString] = "x"
            object[Everything.optionalDecimal] = 1
            object[Everything.optionalUUID] = UUID()
            try context.save()
            object[Everything.optionalInt16] = nil
            object[Everything.optionalString] = nil
            object[Everything.optionalDecimal] = nil
            object[Everything.optionalUUID] = nil
            check(object)
            try context.save()
        }
        try stack.inContext { context in
            let object = try #require(try context.fetch(NSFetchRequest<Everything>(entityName: "Everything")).first)
            check(object)
        }
    }

    @Test(arguments: storeTypes) func relationshipsOfEveryKind(type: String) throws {
        let stack = try TestStack(model: Everything.model(), type: type)
        try stack.inContext { context in
            let objects = (0..<4).map { index in
                let object = Everything(context: context)
                object[Everything.int64] = Int64(index)
                return object
            }
            objects[0][Everything.next] = objects[1]
            objects[0][Everything.peers] = [objects[2], objects[3]]
            objects[0][Everything.list] = [objects[3], objects[1], objects[2]]
            objects[1][Everything.peersAsSet] = NSSet(array: [objects[3]])
            objects[3][Everything.next] = objects[1]
            #expect(objects[0][Everything.next] == nil)
            try context.save()
        }
        try stack.inContext { context in
            let request = NSFetchRequest<Everything>(entityName: "Everything")
            request.sortDescriptors = [NSSortDescriptor(key: "int64", ascending: true)]
            let objects = try context.fetch(request)
            #expect(objects[0].nextOne == nil && objects[3].nextOne === objects[1])
            #expect(objects[1].value(forKey: "previous") as? Everything === objects[3])
            #expect(objects[0].others == [objects[2], objects[3]] && objects[2].others == [objects[0]])
            #expect(objects[3].others == [objects[0], objects[1]])
            #expect(objects[3][Everything.peersAsSet]?.count == 2)
            #expect(objects[0][Everything.list] == [objects[3], objects[1], objects[2]])
            #expect(objects[0][Everything.listAsSet]?.array as? [Everything] == [objects[3], objects[1], objects[2]])
            objects[0][Everything.listAsSet] = NSOrderedSet(array: [objects[2], objects[3]])
            #expect(objects[1].value(forKey: "owner") == nil)
            try context.save()
            context.refreshAllObjects()
            #expect(objects[0][Everything.list] == [objects[2], objects[3]])
        }
    }

    @Test func aMutableSetIsALiveView() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let author = Author(context: context)
            let books = (0..<3).map { _ in Book(context: context) }
            let set = author.mutableSetValue(forKey: "books")
            set.addObjects(from: books)
            #expect(author.books == Set(books) && books[0].author === author)
            set.remove(books[0])
            #expect(author.books.count == 2 && books[0].author == nil && !set.contains(books[0]))
            books[1].author = nil
            #expect(set.count == 1)
        }
    }

    // 12: accessors of an ordered to-many work.
    @Test func aMutableOrderedSetChangesTheObject() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = (0..<4).map { _ in Book(context: context) }
            let set = shelf.mutableOrderedSetValue(forKey: "books")
            set.addObjects(from: books)
            set.removeObject(at: 1)
            set.insert(books[1], at: 0)
            set.exchangeObject(at: 1, withObjectAt: 3)
            let expected = [books[1], books[3], books[2], books[0]]
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [Book] == expected)
            #expect(books.allSatisfy { $0.value(forKey: "shelf") as? NSManagedObject === shelf })
        }
    }

    // MARK: Classes and entities

    @Test func aClassKnowsItsRequestAndEntity() throws {
        let stack = try TestStack(model: Everything.model())
        try stack.inContext { context in
            _ = Everything(context: context)
            let request = Everything.fetchRequest()
            let found = try context.fetch(request)
            #expect(found.count == 1 && found.first is Everything)
            #expect(Everything.entity().name == "Everything")
        }
    }

    // 12: the entity of a class is that of the context's own model.
    @Test func aClassFollowsTheContextsModel() throws {
        let (one, two) = (try TestStack(), try TestStack())
        for stack in [one, two, one] {
            try stack.inContext { context in
                let book = Book(context: context)
                #expect(book.entity === stack.coordinator.managedObjectModel.entitiesByName["Book"])
                try context.save()
            }
        }
    }

    // MARK: Key paths

    @Test(arguments: storeTypes) func keyPathsBecomeNames(type: String) throws {
        #expect(NSSortDescriptor(keyPath: \Book.title, ascending: true).key == "title")
        #expect(NSSortDescriptor(keyPath: \Book.author?.name, ascending: false).key == "author.name")
        #expect(NSExpression(forKeyPath: \Everything.nextOne?.number).keyPath == "next.int64")
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for name in ["b", "a", "c"] {
                let book = Book(context: context)
                book.title = name
                book.author = Author(context: context)
                book.author?.name = name.uppercased()
            }
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.author?.name, ascending: false)]
            let titles = try context.fetch(request).map(\.title)
            #expect(titles == ["c", "b", "a"])
        }
    }

    @Test(arguments: storeTypes) func foundationPredicatesFindManagedObjects(type: String) throws {
        let stack = try TestStack(model: Everything.model(), type: type)
        try stack.inContext { context in
            for index in 0..<5 {
                let object = Everything(context: context)
                object[Everything.int64] = Int64(index)
                object[Everything.optionalString] = index % 2 == 0 ? "even" : nil
            }
            try context.save()
            func count(_ predicate: Predicate<Everything>) throws -> Int {
                let request = NSFetchRequest<Everything>(entityName: "Everything")
                request.predicate = try NSPredicate(translating: predicate)
                return try context.count(for: request)
            }
            let limit: Int64 = 2
            let some = try count(#Predicate<Everything> { $0.number > limit })
            let even = try count(#Predicate<Everything> { $0.text == "even" && $0.number != 0 })
            let none = try count(#Predicate<Everything> { $0.text == nil })
            let alone = try count(#Predicate<Everything> { $0.others.isEmpty })
            #expect(some == 2 && even == 2 && none == 2 && alone == 5)
        }
    }
}
