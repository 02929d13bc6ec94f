import Foundation
import OpenCoreData
import TestSupport
import Testing

final class ArchivedPair: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let numbers: [NSNumber]

    init(_ one: NSNumber, _ other: NSNumber) { numbers = [one, other] }

    init?(coder: NSCoder) {
        numbers = ["one", "other"].compactMap { coder.decodeObject(of: NSNumber.self, forKey: $0) }
    }

    func encode(with coder: NSCoder) {
        coder.encode(numbers[0], forKey: "one")
        coder.encode(numbers[1], forKey: "other")
    }
}

/// Values inside transformables that are equal, but not the same.
@Suite struct ArchivedNumberTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType]

    private func roundTrip(_ value: Any, type: String) throws -> Any? {
        let stack = try TestStack(type: type)
        return try stack.inContext { context in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(value, forKey: "extra")
            try context.save()
            context.reset()
            return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first?.value(forKey: "extra")
        }
    }

    private func kind(_ value: Any?) -> String? { (value as? NSNumber).map { String(cString: $0.objCType) } }

    @Test(arguments: storeTypes) func numbersKeepTheirTypes(type: String) throws {
        let values: [String: Any] = [
            "flag": true, "off": false, "one": 1, "zero": 0, "real": 1.0, "single": Float(1), "large": UInt64.max,
            "negative": -0.0, "list": [1, true, 1.0] as [Any],
        ]
        for value in [values, NSDictionary(dictionary: values)] as [Any] {
            let read = try #require(try roundTrip(value, type: type) as? [String: Any])
            #expect(kind(read["flag"]) == "c" && kind(read["off"]) == "c")
            #expect(kind(read["one"]) != "c" && kind(read["zero"]) != "c" && kind(read["one"]) != "d")
            #expect(kind(read["real"]) == "d" && kind(read["single"]) == "f")
            #expect((read["large"] as? NSNumber)?.uint64Value == .max)
            #expect((read["negative"] as? NSNumber)?.doubleValue.sign == .minus)
            let list = try #require(read["list"] as? [Any])
            #expect(list.map(kind) == [kind(read["one"]), "c", "d"])
        }
    }

    @Test(arguments: storeTypes) func stringsKeepTheirScalars(type: String) throws {
        let value = ["a": "caf\u{E9}", "b": "cafe\u{301}", "c": "caf\u{E9}"]
        let read = try #require(try roundTrip(value, type: type) as? [String: String])
        #expect(read.mapValues { $0.unicodeScalars.count } == ["a": 4, "b": 5, "c": 4])
    }

    @Test(arguments: storeTypes) func otherClassesComeBackAsTheyWere(type: String) throws {
        let url = try #require(URL(string: "https://host/dir/part?x=1"))
        let value: [Any] = [
            Date(timeIntervalSinceReferenceDate: 1.5), Data([1, 2]), UUID(), url, NSNull(), NSMutableArray(array: [1]),
            NSOrderedSet(array: ["x", true]), Set(["s"]), NSMutableDictionary(dictionary: ["k": "v"]), [Any](),
        ]
        let read = try #require(try roundTrip(value, type: type) as? [Any])
        #expect(read.count == value.count)
        #expect(read[0] as? Date == value[0] as? Date && read[1] as? Data == value[1] as? Data)
        #expect(read[2] as? UUID == value[2] as? UUID)
        #expect((read[3] as? URL)?.absoluteString == url.absoluteString && read[4] is NSNull)
        #expect((read[6] as? NSOrderedSet)?.array.map(kind) == [nil, "c"])
        #expect(read[7] as? Set<String> == ["s"] && (read[9] as? [Any])?.isEmpty == true)
    }

    /// Objects of the program's classes go through Foundation's archiver, which writes equal numbers once.
    @Test func numbersInsideAnObjectOfTheProgramMayBecomeOne() throws {
        let read = try #require(try roundTrip(ArchivedPair(true, 1), type: NSSQLiteStoreType) as? ArchivedPair)
        #expect(read.numbers == [1, 1])
        let isOne = Set(read.numbers.map(kind)).count == 1
        #if canImport(ObjectiveC)
        #expect(!isOne)
        #else
        #expect(isOne)
        #endif
    }

    /// Foundation's unarchiver reads the bytes too.
    @Test func theBytesAreAKeyedArchive() throws {
        let attribute = NSAttributeDescription()
        attribute.attributeType = .transformableAttributeType
        let value: [String: Any] = ["flag": true, "n": 1, "s": "x"]
        let bytes = try TransformableCoding.encode(value, attribute: attribute)
        let classes = [NSDictionary.self, NSString.self, NSNumber.self]
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: bytes) as? [String: Any])
        #expect(kind(read["flag"]) == "c" && kind(read["n"]) != "c" && read["s"] as? String == "x")
    }
}
