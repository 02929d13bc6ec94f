import Foundation
import TestSupport
import Testing

@testable import CoreDataEngine

/// Archives whose collections are damaged. Foundation's unarchiver on Linux ends the program at some.
@Suite struct DamagedArchiveTests {
    private static func archive(_ index: Int) throws -> Data {
        let object: Any =
            switch index {
            case 0: NSDictionary(dictionary: ["one": 1, "two": 2, "three": 3])
            case 1: NSArray(array: ["a", NSDate(timeIntervalSinceReferenceDate: 7), NSUUID(), NSNull()])
            case 2:
                NSDictionary(dictionary: [
                    "list": NSArray(array: ["x", 2]), "more": NSDictionary(dictionary: ["k": "v"]),
                ])
            default:
                NSSet(array: [
                    NSURL(string: "https://a.example/") ?? NSURL(fileURLWithPath: "/"), Data([1, 2, 3]) as NSData,
                ])
            }
        return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private static func read(_ data: Data) -> Any? { ArchivedClasses.unarchived(data) { _ in true } }

    @Test(arguments: 0..<4) func anUndamagedOneIsRead(_ index: Int) throws {
        #expect(Self.read(try Self.archive(index)) != nil)
    }

    @Test func aDictionaryWithFewerObjectsThanKeysIsNotRead() throws {
        let whole = try Self.archive(0)
        // The array of three references that comes second: that of the objects.
        let arrays = whole.indices.filter { whole[$0] == 0xA3 }
        try #require(arrays.count == 2)
        for place in arrays {
            var data = whole
            data[place] = 0xA2
            #expect(Self.read(data) == nil)
        }
    }
}
