import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A class whose `encode(with:)` passes on a value as it was given.
final class Parcel: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    static let contents: [AnyClass] = [
        NSString.self, NSDate.self, NSURL.self, NSUUID.self, NSData.self, NSNumber.self, NSArray.self, NSSet.self,
        NSDictionary.self, NSNull.self, Parcel.self,
    ]
    let content: Any?

    init(_ content: Any?) { self.content = content }

    init?(coder: NSCoder) { content = coder.decodeObject(of: Self.contents, forKey: "content") }

    func encode(with coder: NSCoder) { coder.encode(content, forKey: "content") }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Parcel else { return false }
        return (content as? NSObject)?.isEqual(other.content as? NSObject) ?? (other.content == nil)
    }

    override var hash: Int { 1 }
    override var description: String { "parcel of \(content ?? "nothing")" }
}

/// Objects of an application's class that pass Swift's values to the coder, as on Apple's systems, where they are bridged.
@Suite struct EncodedSwiftValuesTests {
    private enum Size { case large }

    private static var values: [(String, Any?)] {
        [
            ("String", "text"), ("Date", Date(timeIntervalSinceReferenceDate: 5)), ("Data", Data([1, 2])),
            ("UUID", UUID(uuidString: "729EA06D-F512-407C-A56C-326316BFB40E")),
            ("URL", URL(fileURLWithPath: "/tmp/a")), ("Int", 7), ("Int16", Int16(7)), ("UInt8", UInt8(7)),
            ("Double", 1.5), ("Float", Float(1.5)), ("Bool", true), ("nil", nil),
            ("Optional", Optional("text") as Any?),
            ("[String]", ["a", "b"]), ("[Date]", [Date(timeIntervalSinceReferenceDate: 5)]),
            ("[[Int]]", [[1], [2, 3]]),
            ("[String: Int]", ["a": 1]), ("[Int: String]", [1: "a"]),
            ("[String: Any]", ["a": ["b": [1, "c"] as [Any]]]),
            ("Set<String>", Set(["a", "b"])), ("[Any]", ["a", 1, Date(timeIntervalSinceReferenceDate: 5)] as [Any]),
            ("Parcel", Parcel("inner")), ("[Parcel]", [Parcel("a"), Parcel(["b"])]),
            ("[String: Parcel]", ["a": Parcel(Date(timeIntervalSinceReferenceDate: 5))]),
        ]
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func valuesOfSwiftInsideOfAnObjectComeBack(type: String) throws {
        let stack = try TestStack(type: type)
        var saved: [NSManagedObjectID: (String, Parcel)] = [:]
        try stack.inContext { context in
            for (name, value) in Self.values {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                let parcel = Parcel(value)
                book.setValue(parcel, forKey: "extra")
                try context.save()
                saved[book.objectID] = (name, parcel)
            }
            context.reset()
            for (id, (name, parcel)) in saved {
                let read = context.object(with: id).value(forKey: "extra") as? Parcel
                #expect(read == parcel, "\(name)")
            }
        }
        #expect(saved.count == Self.values.count)
    }

    @Test func foundationReadsTheArchives() throws {
        let stack = try TestStack()
        for (name, value) in Self.values {
            try stack.inContext { context in
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(Parcel(value), forKey: "extra")
                try context.save()
            }
            let hex = try stack.sqlite("SELECT hex(ZEXTRA) FROM ZBOOK ORDER BY Z_PK DESC LIMIT 1")
            let data = Data(
                stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) })
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Parcel.contents, from: data)
            #expect(read as? Parcel == Parcel(value), "\(name)")
        }
    }

    @Test func aValueOfAnotherKindIsRefused() throws {
        let stack = try TestStack()
        for value in [Size.large, ["a": Size.large], [Parcel(Size.large)]] as [Any] {
            stack.inContext { context in
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(Parcel(value), forKey: "extra")
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code.rawValue == NSCoreDataError)
                #expect(error.map { "\($0.userInfo)".contains("attribute extra, a Parcel") } == true)
                context.rollback()
            }
        }
    }
}
