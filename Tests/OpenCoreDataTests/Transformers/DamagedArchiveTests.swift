import Foundation
import TestSupport
import Testing

@testable import CoreDataEngine

/// Archives and property lists that are damaged. Foundation's readers on Linux end the program at some.
@Suite struct DamagedArchiveTests {
    private static func archive(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private static func read(_ data: Data) -> Any? { ArchivedClasses.unarchived(data) { _ in true } }

    /// What applications archive, of each class that can be read.
    private static var values: [NSObject] {
        let string = NSMutableAttributedString(string: "an attributed string")
        string.addAttribute(NSAttributedString.Key("size"), value: 12, range: NSRange(location: 3, length: 10))
        let indexes = NSMutableIndexSet(index: 3)
        indexes.add(in: NSRange(location: 300, length: 9))
        var components = DateComponents()
        components.year = 2026
        let date = NSDate(timeIntervalSinceReferenceDate: 7)
        return [
            "text" as NSString, NSNumber(value: 7.5), date, NSData(data: Data([1, 2, 3])),
            NSMutableData(data: Data([1])),
            NSUUID(), NSURL(fileURLWithPath: "/a/b"), NSURLQueryItem(name: "a", value: "b"), NSNull(),
            NSArray(array: ["a", date, NSUUID(), NSNull()]), NSMutableArray(array: [1, 2.5]),
            NSDictionary(dictionary: ["list": ["x", 2], "more": ["k": "v"]]), NSMutableDictionary(dictionary: ["a": 1]),
            NSSet(array: ["a", 1, date]), NSMutableSet(array: ["a"]), NSCountedSet(array: ["a", "a", "b"]),
            NSOrderedSet(array: ["a", "b"]), NSMutableOrderedSet(array: [1, 2]), string,
            NSIndexSet(indexesIn: NSRange(location: 3, length: 4)), indexes,
            NSIndexPath(indexes: [1, 2, 300], length: 3),
            NSCharacterSet(charactersIn: "abc"), NSCharacterSet(range: NSRange(location: 65, length: 26)),
            NSTimeZone(forSecondsFromGMT: 3_600), NSLocale(localeIdentifier: "de_DE"), components as NSDateComponents,
            NSCalendar(calendarIdentifier: .gregorian) ?? NSNull(), NSDateInterval(start: date as Date, duration: 9),
            NSValue(range: NSRange(location: 1, length: 2)), NSMeasurement(doubleValue: 3, unit: UnitLength.meters),
            NSAffineTransform(), (try? NSRegularExpression(pattern: "a+")) ?? NSNull(),
            ArchivedTree(3, [date], ArchivedTree(4, [], nil)), NSPredicate(format: "a == 1 AND b IN {1, 2}"),
            NSSortDescriptor(key: "a", ascending: true), NSPersistentHistoryToken(["A": 3]),
        ]
    }

    /// A value in a collection, whose reference may be damaged too.
    private static func nested(_ value: NSObject, _ index: Int) -> NSObject {
        index.isMultiple(of: 2) ? NSArray(array: [value, "a", value]) : NSDictionary(dictionary: ["k": value, "l": 2])
    }

    /// What programs do with a value, and what the engine does to see whether it changed.
    private static func use(_ value: Any) {
        guard let object = value as? NSObject else { return }
        _ = object.hash
        _ = CollectionEquality.areEqual(value, value)
        _ = "\(object)"
    }

    @Test(arguments: values.indices) func anUndamagedOneIsRead(_ index: Int) throws {
        let value = Self.values[index]
        let read = try #require(Self.read(try Self.archive(value)) as? NSObject)
        // Foundation's date intervals are not equal to others with the same dates.
        #expect(read.isEqual(value) || "\(read)" == "\(value)" || value is NSDateInterval, "\(value)")
        #expect(Self.read(try Self.archive(Self.nested(value, index))) != nil)
    }

    @Test(arguments: values.indices) func noDamagedByteEndsTheProgram(_ index: Int) throws {
        let alone = Self.values[index]
        for value in [alone, Self.nested(alone, index)] {
            let whole = try Self.archive(value)
            // In long ones every so many bytes.
            let count = DamagedBytes.count ?? 150
            for position in stride(from: 0, to: whole.count, by: 1 + whole.count / count) {
                for byte in [
                    0, 0xFF, whole[position] ^ 1, whole[position] ^ 0x80, whole[position] &+ 1, UInt8(position & 0x0F),
                ] {
                    var data = whole
                    data[position] = byte
                    Self.read(data).map(Self.use)
                }
                Self.read(whole.prefix(position)).map(Self.use)
            }
            var generator = SeededGenerator(seed: UInt64(index))
            for _ in 0..<count / 2 {
                var data = whole
                for _ in 0...generator.below(5) { data[generator.below(data.count)] = UInt8(generator.below(256)) }
                for _ in 0...generator.below(2) { data[generator.below(data.count)] = whole.randomElement() ?? 0 }
                Self.read(data).map(Self.use)
            }
        }
    }

    @Test func aDictionaryWithFewerObjectsThanKeysIsNotRead() throws {
        let whole = try Self.archive(NSDictionary(dictionary: ["one": 1, "two": 2, "three": 3]))
        // The arrays of three references: keys and objects. Behind the objects of the list, any byte can have that
        // value.
        let end = whole.suffix(8).reduce(0) { $0 << 8 | Int($1) }
        let arrays = whole.indices.prefix(end).filter { whole[$0] == 0xA3 }
        try #require(arrays.count == 2)
        for position in arrays {
            var data = whole
            data[position] = 0xA2
            #expect(Self.read(data) == nil)
        }
    }

    /// An object that an application's class asks for is of another class than the one that it asks for.
    @Test func aReferenceToAnObjectOfAnotherClassIsNotRead() throws {
        var list = ArchiveMaker()
        let date = list.object("NSDate", ["NS.time": .real(7)])
        let root = list.object(
            Foundation.NSStringFromClass(ArchivedTree.self), ["next": .uid(date), "number": .integer(3)])
        #expect(Self.read(list.data(root: root)) == nil)
        var sound = ArchiveMaker()
        let leaf = sound.object(Foundation.NSStringFromClass(ArchivedTree.self), ["number": .integer(4)])
        let tree = sound.object(
            Foundation.NSStringFromClass(ArchivedTree.self), ["next": .uid(leaf), "number": .integer(3)])
        #expect((Self.read(sound.data(root: tree)) as? ArchivedTree)?.next?.number == 4)
    }

    @Test func circlesDepthAndTowersAreRefused() throws {
        var circle = ArchiveMaker()
        let first = circle.reserve()
        let second = circle.array([first])
        circle.setArray(first, [second])
        #expect(Self.read(circle.data(root: first)) == nil)

        var deep = ArchiveMaker()
        var inner = deep.array([])
        for _ in 0..<100_000 { inner = deep.array([inner]) }
        #expect(Self.read(deep.data(root: inner)) == nil)

        var tower = ArchiveMaker()
        var floor = tower.array([])
        for _ in 0..<60 { floor = tower.array([floor, floor]) }
        #expect(Self.read(tower.data(root: floor)) == nil)
    }

    @Test func numbersKeepTheirSizes() throws {
        let numbers: [NSNumber] = [
            NSNumber(value: UInt64.max), NSNumber(value: Int64.min), NSNumber(value: Float(1.1)), 1.1, true, false, 255,
            NSNumber(value: Int64.max), -1,
        ]
        let read = try #require(Self.read(try Self.archive(NSArray(array: numbers))) as? NSArray)
        for (index, number) in numbers.enumerated() {
            let value = read[index] as? NSNumber
            #expect(number == value && "\(number)" == value.map { "\($0)" }, "\(number)")
        }
        #expect(read.count == numbers.count)
    }

    /// Foundation's reader of binary property lists follows circles.
    @Test func damagedMetadataIsAnError() throws {
        let stack = try TestStack()
        let hex = try stack.sqlite("SELECT hex(Z_PLIST) FROM Z_METADATA")
        let whole = Data(
            stride(from: 0, to: hex.count, by: 2).compactMap { offset in
                UInt8(hex.dropFirst(offset).prefix(2), radix: 16)
            })
        #expect(try PropertyListFile.readDictionary(whole)[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        for position in whole.indices {
            for byte in [0, 0xFF, whole[position] ^ 1, whole[position] &+ 1] {
                var data = whole
                data[position] = byte
                _ = try? PropertyListFile.read(data)
            }
        }
        var list = BinaryPropertyListWriter()
        let key = list.add(.string("key"))
        let circle = list.add(.dictionary(keys: [key], values: [key + 1]))
        let damaged = list.data(top: circle)
        #expect(throws: CocoaError.self) { try PropertyListFile.read(damaged) }
        let bytes = damaged.map { String(format: "%02x", $0) }.joined()
        _ = try stack.sqlite("UPDATE Z_METADATA SET Z_PLIST = x'\(bytes)'")
        #expect(throws: CocoaError.self) { try TestStack(folder: stack.folder) }
    }
}

/// An object of the program's that holds others.
final class ArchivedTree: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let number: Int
    let dates: [NSDate]
    let next: ArchivedTree?

    init(_ number: Int, _ dates: [NSDate], _ next: ArchivedTree?) {
        self.number = number
        self.dates = dates
        self.next = next
    }

    init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        dates = coder.decodeObject(of: [NSArray.self, NSDate.self], forKey: "dates") as? [NSDate] ?? []
        next = coder.decodeObject(of: ArchivedTree.self, forKey: "next")
    }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        coder.encode(dates as NSArray, forKey: "dates")
        coder.encode(next, forKey: "next")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ArchivedTree else { return false }
        return number == other.number && dates == other.dates && next == other.next
    }
    override var hash: Int { number }
}

/// Makes keyed archives that no archiver makes.
private struct ArchiveMaker {
    private var list = BinaryPropertyListWriter()
    private var objects: [[(String, BinaryPropertyList.Object)]] = []
    private var classes: [String: Int] = [:]
    private var arrays: [Int: [Int]] = [:]

    /// The number of an object that is filled later.
    mutating func reserve() -> Int {
        objects.append([])
        return objects.count
    }

    mutating func object(_ name: String, _ members: [String: BinaryPropertyList.Object]) -> Int {
        let type = classReference(name)
        objects.append(members.map { ($0.key, $0.value) } + [("$class", .uid(type))])
        return objects.count
    }

    mutating func array(_ elements: [Int]) -> Int {
        let number = reserve()
        setArray(number, elements)
        return number
    }

    mutating func setArray(_ number: Int, _ elements: [Int]) {
        objects[number - 1] = [("$class", .uid(classReference("NSArray")))]
        arrays[number] = elements
    }

    private mutating func classReference(_ name: String) -> Int {
        if let known = classes[name] { return known }
        objects.append([("$classname", .string(name))])
        classes[name] = objects.count
        return objects.count
    }

    func data(root: Int) -> Data {
        var list = list
        var table = [list.add(.string("$null"))]
        for (index, members) in objects.enumerated() {
            var keys = members.map { list.add(.string($0.0)) }
            var values = members.map { list.add($0.1) }
            if let elements = arrays[index + 1] {
                let references = elements.map { list.add(.uid($0)) }
                keys.append(list.add(.string("NS.objects")))
                values.append(list.add(.array(references)))
            }
            table.append(list.add(.dictionary(keys: keys, values: values)))
        }
        let name = list.add(.string("root"))
        let reference = list.add(.uid(root))
        let entries: [(String, BinaryPropertyList.Object)] = [
            ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
            ("$top", .dictionary(keys: [name], values: [reference])), ("$objects", .array(table)),
        ]
        let keys = entries.map { list.add(.string($0.0)) }
        let values = entries.map { list.add($0.1) }
        let top = list.add(.dictionary(keys: keys, values: values))
        return list.data(top: top)
    }
}
