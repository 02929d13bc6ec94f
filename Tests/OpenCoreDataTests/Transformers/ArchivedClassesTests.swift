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
        while let place = renamed.range(of: name) { renamed.replaceSubrange(place, with: Data("ArchivedPrxce".utf8)) }
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
}
