import Foundation
import OpenCoreData
import TestSupport
import Testing

final class ArchivedPrice: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let cents: Int

    init(_ cents: Int) { self.cents = cents }

    init?(coder: NSCoder) { cents = coder.decodeInteger(forKey: "cents") }

    func encode(with coder: NSCoder) { coder.encode(cents, forKey: "cents") }

    override func isEqual(_ object: Any?) -> Bool { (object as? ArchivedPrice)?.cents == cents }
    override var hash: Int { cents }
}

enum ArchivedPalette {
    class Shade: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }

        override init() {}

        required init?(coder: NSCoder) {}

        func encode(with coder: NSCoder) {}
    }
}

final class ArchivedShade: ArchivedPalette.Shade {}

/// Transformable values whose archives name classes of all kinds. Foundation's unarchiver stops the program at some.
@Suite struct ArchivedClassesTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    /// Sees the bytes of an archive.
    private func bytes(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    @Test(arguments: storeTypes) func anObjectOfTheProgramsClassComesBackWithoutATransformer(type: String) throws {
        let model = LibraryModel.make()
        model.entitiesByName["Book"]?.attributesByName["extra"]?.defaultValue = ArchivedPrice(5)
        let stack = try TestStack(model: model, type: type)
        try stack.inContext { context in
            for value in [nil, ArchivedPrice(9)] {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                if let value { book.setValue(value, forKey: "extra") }
                book.setValue(value?.cents ?? 5, forKey: "pages")
            }
            try context.save()
        }
        try stack.inContext { context in
            for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                #expect((book.value(forKey: "extra") as? ArchivedPrice)?.cents == book.value(forKey: "pages") as? Int)
                book.setValue([ArchivedPrice(1), ArchivedPrice(2)], forKey: "extra")
            }
            try context.save()
            context.reset()
            for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                #expect((book.value(forKey: "extra") as? [ArchivedPrice])?.map(\.cents) == [1, 2])
            }
        }
    }

    /// Foundation's archiver stops the program at a class that it can't name, and at one that inherits from such a class.
    @Test(arguments: storeTypes) func anObjectOfANestedClassIsRefused(type: String) throws {
        let stack = try TestStack(type: type)
        for value: NSObject in [ArchivedPalette.Shade(), ArchivedShade(), NSArray(array: [ArchivedPalette.Shade()])] {
            let model = LibraryModel.make()
            // What can't be archived is not in the store's copy of the model, as ever.
            model.entitiesByName["Book"]?.attributesByName["extra"]?.defaultValue = value
            _ = try TestStack(model: model, type: type)
            try stack.inContext { context in
                let book = Book(context: context)
                book.setValue(value, forKey: "extra")
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSCoreDataError)
                context.delete(book)
                try context.save()
            }
        }
    }

    @Test func mutableAndOtherClassesOfFoundationAreRead() throws {
        for value: NSObject in [
            NSMutableArray(array: ["a"]), NSMutableDictionary(dictionary: ["a": 1]), NSOrderedSet(array: ["a", "b"]),
        ] {
            let read = TransformableCoding.decoded(try bytes(value))
            let isSame = (read as? NSObject)?.isEqual(value) == true || "\(read ?? "nil")" == "\(value)"
            #expect(isSame, "\(type(of: value))")
        }
    }

    @Test func classesThatAreNotAllowedAreBytesAndNoCrash() throws {
        let price = try bytes([ArchivedPrice(3)])
        let transformer = NSSecureUnarchiveFromDataTransformer()
        #expect(transformer.transformedValue(price) == nil)
        #expect(transformer.transformedValue(try bytes(NSMutableArray(array: ["a"]))) as? [String] == ["a"])
        #expect(TransformableCoding.decoded(price.dropLast(9)) == nil)
        var renamed = price
        let name = Data("ArchivedPrice".utf8)
        while let range = renamed.range(of: name) { renamed.replaceSubrange(range, with: Data("ArchivedPrxce".utf8)) }
        #expect(TransformableCoding.decoded(renamed) == nil)

        let stack = try TestStack()
        try stack.inContext { context in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(["a"], forKey: "extra")
            try context.save()
            let hex = renamed.map { String(format: "%02x", $0) }.joined()
            _ = try stack.sqlite("UPDATE ZBOOK SET ZEXTRA = x'\(hex)'")
        }
        try TestStack(folder: stack.folder).inContext { context in
            let book = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
            #expect(book.value(forKey: "extra") as? Data == renamed)
            book.setValue("title", forKey: "title")
            try context.save()
        }
        let kept = try stack.sqlite("SELECT hex(ZEXTRA) FROM ZBOOK").lowercased()
        #expect(kept == renamed.map { String(format: "%02x", $0) }.joined())
    }

    /// Off Apple's systems Foundation's archiver would stop the program.
    @Test func valuesWithDecimalsAreErrors() throws {
        let attribute = NSAttributeDescription()
        let price = NSDecimalNumber(string: "1.25")
        let values: [Any] = [
            price, Decimal(2), [price], [Decimal(1), 2], ["list": ["price": Decimal(2)]], Set([[Decimal(3)]]),
            Set([Decimal(4)]), NSMutableArray(array: ["a", price]), ArchivedOffer(price), [ArchivedOffer(price)],
            ArchivedOffer(ArchivedOffer(price)), ArchivedOffer(NSArray(array: [price])),
        ]
        for value in values { try expectRefusal(of: value, naming: "decimal") }
        let offer = ArchivedOffer(ArchivedOffer("text" as NSString))
        for value: Any in [offer, [offer, offer], ["a": 1.5], NSMutableSet(array: ["a"]), NSMutableString("a")] {
            #expect(throws: Never.self) { try TransformableCoding.encode(value, attribute: attribute) }
        }
    }

    /// Foundation stops the program when it compares them.
    @Test(arguments: storeTypes) func setsOfArraysAreKeptAndCompared(type: String) throws {
        let stack = try TestStack(type: type)
        func described(_ set: NSSet) -> [String] { set.allObjects.map { "\($0)" }.sorted() }
        let values: [(NSSet, NSSet)] = [
            (NSSet(array: [NSArray(array: ["a", 1]), "b"]), NSSet(array: [NSArray(array: ["a", 2]), "b"]))
        ]
        for (value, other) in values {
            let id = try stack.inContext { context in
                let book = Book(context: context)
                book.setValue(value, forKey: "extra")
                try context.save()
                return book.objectID
            }
            try stack.inContext { context in
                let book = context.object(with: id)
                let read = try #require(book.value(forKey: "extra") as? NSSet)
                #expect(described(read) == described(value))
                book.setValue(value.copy(), forKey: "extra")
                #expect(book.changedValues().isEmpty || type == NSInMemoryStoreType)
                book.setValue(other, forKey: "extra")
                #expect(!book.changedValues().isEmpty)
                try context.save()
            }
        }
        try stack.inContext { context in
            let book = Book(context: context)
            book.setValue(Set([["a"], ["b", "c"]]), forKey: "extra")
            try context.save()
            context.refresh(book, mergeChanges: false)
            #expect(book.value(forKey: "extra") as? Set<[String]> == [["a"], ["b", "c"]])
        }
    }

    /// Values that Apple's archiver takes, and Foundation's on other systems can't.
    private func expectRefusal(of value: Any, naming cause: String) throws {
        let attribute = NSAttributeDescription()
        #if canImport(ObjectiveC)
        _ = try TransformableCoding.encode(value, attribute: attribute)
        #else
        let error = #expect(throws: CocoaError.self) {
            try TransformableCoding.encode(value, attribute: attribute)
        }
        #expect(error?.code.rawValue == NSCoreDataError)
        #expect(error?.userInfo.description.contains(cause) == true)
        #endif
    }

    /// Off Apple's systems Foundation's archiver would stop the program at most of them, at some only now and then.
    @Test func collectionsAsKeysOrInSetsInsideOfOthersAreErrors() throws {
        let attribute = NSAttributeDescription()
        let list = NSArray(array: ["a"])
        let record = NSDictionary(object: 1, forKey: "a" as NSString)
        let keyed = NSDictionary(object: 1, forKey: list)
        let values: [Any] = [
            NSDictionary(object: 1, forKey: record), NSArray(array: [keyed]), NSMutableArray(array: [keyed]),
            NSDictionary(object: keyed, forKey: "a" as NSString), NSDictionary(object: record, forKey: list),
            NSDictionary(object: 1, forKey: NSArray(array: [record])),
            NSSet(array: [list, NSSet(array: ["a"])]), NSSet(object: NSArray(object: NSSet(array: ["a"]))),
            NSSet(object: keyed), [[["a"]: 1]], ["a": [["a"]: 1]], [["a"]: ["b": 1]], [["a": 1]: 1],
            Set([["a": 1]]), Set([[["a"]]]), [Set([["a"]])], ArchivedOffer(keyed), [ArchivedOffer(NSSet(object: list))],
        ]
        for value in values { try expectRefusal(of: value, naming: "collection") }
        let others: [Any] = [
            keyed, [["a"]: 1], [["a"]: [1, 2]], NSSet(array: [list, "b"]), Set([["a"], ["b"]]), Set([Set(["a"])]),
            NSOrderedSet(array: [list]), [["a": 1]], ["a": ["b": [1]]], [NSOrderedSet(array: ["a"])], [Set(["a"])],
        ]
        for value in others {
            let data = try TransformableCoding.encode(value, attribute: attribute)
            #expect(TransformableCoding.decoded(data) != nil, "\(type(of: value))")
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType])
    func anObjectWithSuchAValueIsNotSavedAndCanBeCorrected(type: String) throws {
        let stack = try TestStack(type: type)
        let keyed = NSDictionary(object: 1, forKey: NSArray(array: ["a"]))
        try stack.inContext { context in
            let book = Book(context: context)
            for value: NSObject in [NSArray(array: [keyed]), NSDictionary(object: keyed, forKey: "a" as NSString)] {
                book.setValue(value, forKey: "extra")
                book.setValue(value.copy(), forKey: "extra")
                #if !canImport(ObjectiveC)
                do {
                    try context.save()
                    // A store in memory keeps the object itself.
                    #expect(type == NSInMemoryStoreType)
                } catch let error as CocoaError {
                    #expect(error.code.rawValue == NSCoreDataError)
                    let message = error.userInfo.description
                    #expect(message.contains("extra"))
                }
                #endif
            }
            book.setValue(["a": 1], forKey: "extra")
            try context.save()
            context.refresh(book, mergeChanges: false)
            #expect(book.value(forKey: "extra") as? [String: Int] == ["a": 1])
        }
    }

    @Test(arguments: storeTypes) func whatCannotBeArchivedIsAnErrorThatNamesTheClass(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for value: Any in [
                NSObject(), [NSObject()], ["key": ["a", NSObject()] as [Any]], ArchivedOffer(NSObject()),
            ] {
                let book = Book(context: context)
                book.setValue(value, forKey: "extra")
                do {
                    try context.save()
                    // A store in memory keeps the object itself.
                    #expect(type == NSInMemoryStoreType)
                } catch let error as CocoaError {
                    #expect(error.code.rawValue == NSCoreDataError)
                    #expect("\(error.userInfo)".contains("NSObject") && "\(error.userInfo)".contains("extra"))
                }
                context.rollback()
            }
        }
    }
}

/// An object that archives another one.
final class ArchivedOffer: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let content: NSObject?

    init(_ content: NSObject?) { self.content = content }

    init?(coder: NSCoder) { content = coder.decodeObject(of: [NSDecimalNumber.self], forKey: "content") as? NSObject }

    func encode(with coder: NSCoder) { coder.encode(content, forKey: "content") }

    override var description: String { "offer \(content.map { "\($0)" } ?? "nothing")" }
}
