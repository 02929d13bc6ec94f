#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

import class CoreDataEngine.ValueTransformer
import struct CoreDataEngine.NSValueTransformerName

private enum Damage {
    enum Raw: Int, Codable {
        case one = 1
        case two
    }
    enum Plain: Codable { case first, second }

    /// One that has an own raw value and a payload.
    enum Named: RawRepresentable, Codable, Equatable {
        case other(String)
        case known
        init?(rawValue: String) { self = rawValue == "known" ? .known : .other(rawValue) }
        var rawValue: String {
            switch self {
            case .other(let name): name
            case .known: "known"
            }
        }
    }

    /// One whose cases all have payloads, of which the first can't be made of zeros.
    enum Payload: Codable, Equatable {
        indirect case nested(Payload)
        case number(Int, note: String?)
        case choice(Raw)
    }

    enum Mixed: Codable, Equatable {
        case text(String)
        case numbers([Int])
        case nothing
    }

    struct Size: Codable, Equatable {
        var width: Double
        var unit: String?
    }

    struct Flags: OptionSet, Codable { let rawValue: Int }

    final class Box: Codable {
        var number: Int
        var next: Box?
        init(number: Int) { self.number = number }
    }

    /// One that nothing can stand for.
    struct Checked: Codable, Equatable {
        struct Refusal: Error {}
        let number: Int
        init(number: Int) { self.number = number }
        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            if number == 0 { throw Refusal() }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    /// Not `Codable`.
    final class Color: Equatable {
        let name: String
        init(name: String) { self.name = name }
        static func == (one: Color, other: Color) -> Bool { one.name == other.name }
    }

    final class ColorTransformer: ValueTransformer, @unchecked Sendable {
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { (value as? Color).map { Data($0.name.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data, let name = String(data: data, encoding: .utf8) else { return nil }
            return Color(name: name)
        }
    }

    @Model final class Everything {
        var text: String
        var number: Int
        var small: Int16
        var byte: UInt8
        var wide: UInt64
        var real: Double
        var single: Float
        var flag: Bool
        var day: Date
        var code: UUID
        var link: URL
        var money: Decimal
        var bytes: Data
        var raw: Raw
        var plain: Plain
        var named: Named
        var payload: Payload
        var mixed: Mixed
        var size: Size
        var flags: Flags
        var box: Box
        var words: [String]
        var days: [Date]
        var sizes: [Size]
        var names: Set<String>
        var table: [String: Int]
        var maybeNumber: Int?
        var maybeRaw: Raw?
        var maybePlain: Plain?
        var maybePayload: Payload?
        var maybeSize: Size?
        var maybeWords: [String]?
        var maybeSizes: [Size]?
        var maybeBox: Box?
        @Attribute(.codable) var coded: Size
        var begun: Payload = Payload.number(5, note: nil)
        init() {
            (text, number, small, byte, wide, real, single, flag) = ("a", 1, 2, 3, .max, 4, 5, true)
            (day, code, link) = (.now, UUID(), URL(fileURLWithPath: "/a"))
            (money, bytes) = (6, Data([1]))
            (raw, plain, named, payload, mixed) = (.two, .second, .other("x"), .number(7, note: "n"), .text("t"))
            (size, flags, box) = (Size(width: 1), Flags(rawValue: 1), Box(number: 8))
            (words, days, sizes, names, table) = (["w"], [.now], [Size(width: 2)], ["n"], ["k": 1])
            coded = Size(width: 3)
            (maybeNumber, maybeRaw, maybePlain, maybePayload) = (1, .one, .first, .choice(.one))
            (maybeSize, maybeWords, maybeSizes, maybeBox) = (Size(width: 1), ["x"], [Size(width: 9)], Box(number: 1))
        }
    }

    @Model final class Owner {
        var name: String
        @Relationship(inverse: \Strict.owner) var stricts: [Strict] = []
        init(name: String) { self.name = name }
    }

    @Model final class Strict {
        var name: String
        var checked: Checked
        @Attribute(.transformable(by: ColorTransformer.self)) var color: Color
        var owner: Owner?
        var colorName: String { color.name }
        init(name: String) {
            self.name = name
            checked = Checked(number: 1)
            color = Color(name: "red")
        }
    }
}

@ModelActor
private actor Reader {
    func name(_ identifier: PersistentIdentifier) -> String? { self[identifier, as: Damage.Strict.self]?.name }
}

/// Rows that other programs have changed: what is read of them, and that nothing stops the program.
struct DamagedRowTests {
    private typealias Everything = Damage.Everything
    private typealias Strict = Damage.Strict
    private typealias Owner = Damage.Owner

    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.store("damaged.store")
        ValueTransformer.setValueTransformer(
            Damage.ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
    }

    private func container() throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url)
        configuration.allowsUnverifiedEncodings = true
        return try ModelContainer(for: Everything.self, Owner.self, configurations: configuration)
    }

    private func fill() throws {
        let context = ModelContext(try container())
        context.insert(Everything())
        let owner = Owner(name: "Ann")
        context.insert(owner)
        owner.stricts = [Strict(name: "a"), Strict(name: "b")]
        try context.save()
    }

    private func columns(_ table: String) throws -> [String] {
        try SQLiteShell.run("SELECT name FROM pragma_table_info('\(table)')", on: url).split(separator: "\n")
            .map(String.init).filter { !$0.hasPrefix("Z_") }
    }

    /// Reads every property.
    private func read(_ model: Everything) -> Int {
        let plain: [Any] = [
            model.text, model.number, model.small, model.byte, model.wide, model.real, model.single, model.flag,
            model.day, model.code, model.link, model.money, model.bytes,
        ]
        let parts: [Any] = [
            model.raw, model.plain, model.named, model.payload, model.mixed, model.size, model.flags, model.box,
            model.words, model.days, model.sizes, model.names, model.table, model.coded, model.begun,
        ]
        let optionals: [Any?] = [
            model.maybeNumber, model.maybeRaw, model.maybePlain, model.maybePayload, model.maybeSize, model.maybeWords,
            model.maybeSizes, model.maybeBox,
        ]
        return plain.count + parts.count + optionals.count
    }

    @Test func aRowWithoutValuesIsReadAndNotSaved() throws {
        try fill()
        let names = try columns("ZEVERYTHING")
        try SQLiteShell.run("UPDATE ZEVERYTHING SET " + names.map { "\($0) = NULL" }.joined(separator: ", "), on: url)
        let context = ModelContext(try container())
        let model = try #require(try context.fetch(FetchDescriptor<Everything>()).first)
        #expect(read(model) == 36)
        #expect(model.named == .known && model.payload == .number(0, note: nil) && model.mixed == .nothing)
        #expect(model.raw == .one && model.plain == .first && model.flags == [] && model.box.number == 0)
        #expect(model.size == Damage.Size(width: 0) && model.words.isEmpty && model.table.isEmpty)
        #expect(model.begun == .number(5, note: nil) && model.coded == Damage.Size(width: 0))
        #expect(model.maybeRaw == nil && model.maybePayload == nil && model.maybeSize == nil && model.maybeBox == nil)
        model.number = 3
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try SQLiteShell.run("SELECT count(ZNUMBER) FROM ZEVERYTHING", on: url) == "0")
    }

    @Test(arguments: ["'text'", "x'00ff'", "1e300", "-9223372036854775808", "''", "x''", "'{}'", "x'7b7d'"])
    func aValueOfAnotherTypeIsReadOrRefused(_ value: String) throws {
        try fill()
        for name in try columns("ZEVERYTHING") {
            let before = try SQLiteShell.run("SELECT quote(\(name)) FROM ZEVERYTHING", on: url)
            try SQLiteShell.run("UPDATE ZEVERYTHING SET \(name) = \(value)", on: url)
            let context = ModelContext(try container())
            if let model = try? context.fetch(FetchDescriptor<Everything>()).first { #expect(read(model) == 36) }
            try SQLiteShell.run("UPDATE ZEVERYTHING SET \(name) = \(before)", on: url)
        }
        let context = ModelContext(try container())
        #expect(read(try #require(try context.fetch(FetchDescriptor<Everything>()).first)) == 36)
    }

    // MARK: Values that nothing can stand for

    @Test(arguments: ["ZCOLOR", "ZCHECKED"])
    func aRowIsRefusedWithoutAValueForWhichNothingCanStand(_ column: String) throws {
        try fill()
        try SQLiteShell.run("UPDATE ZSTRICT SET \(column) = NULL WHERE ZNAME = 'a'", on: url)
        let context = ModelContext(try container())
        let all = FetchDescriptor<Strict>(sortBy: [SortDescriptor(\.name)])
        let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.fetch(all) }
        let property = column == "ZCOLOR" ? "color" : "checked"
        #expect(error?.reason?.contains("Strict.\(property) of ") == true)
        // Batches aren't read before they are asked for.
        #expect(try context.fetch(all, batchSize: 1).map(\.name) == ["a", "b"])
        #expect(throws: SwiftDataError.self) { try context.enumerate(all) { _ in } }
        #expect(ResultsObserver(fetchDescriptor: all, modelContext: context).fetchError is SwiftDataError)
        #expect(try context.fetchCount(all) == 2)
        let other = FetchDescriptor<Strict>(predicate: #Predicate { $0.name == "b" })
        #expect(try context.fetch(other).map(\.color.name) == ["red"])
        try context.delete(model: Strict.self, where: #Predicate { $0.name == "a" })
        try context.save()
        #expect(try context.fetch(all).map(\.name) == ["b"])
    }

    @Test func membersThatNoModelShowsStayMembers() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZSTRICT SET ZCHECKED = NULL WHERE ZNAME = 'a'", on: url)
        let context = ModelContext(try container())
        let owner = try #require(try context.fetch(FetchDescriptor<Owner>()).first)
        #expect(owner.stricts.map(\.name) == ["b"])
        owner.stricts.append(Strict(name: "c"))
        try context.save()
        #expect(try SQLiteShell.run("SELECT count(ZOWNER) FROM ZSTRICT", on: url) == "3")
        owner.stricts = [Strict(name: "d")]
        try context.save()
        let members = "SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZSTRICT WHERE ZOWNER NOT NULL ORDER BY ZNAME)"
        #expect(try SQLiteShell.run(members, on: url) == "a,d")
    }

    @Test func anOwnerOfMembersThatNoModelShowsIsDeleted() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZSTRICT SET ZCHECKED = NULL WHERE ZNAME = 'a'", on: url)
        let context = ModelContext(try container())
        let owner = try #require(try context.fetch(FetchDescriptor<Owner>()).first)
        context.delete(owner)
        try context.save()
        #expect(owner.stricts.map(\.name) == ["b"])
        #expect(try SQLiteShell.run("SELECT count(*), count(ZOWNER) FROM ZSTRICT", on: url) == "2|0")
    }

    @Test func conditionsThatAreEvaluatedOnTheModelsLeaveSuchRowsOut() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZSTRICT SET ZCOLOR = NULL WHERE ZNAME = 'a'", on: url)
        let context = ModelContext(try container())
        let red = FetchDescriptor<Strict>(predicate: #Predicate { $0.colorName == "red" })
        #expect(try context.fetch(red).map(\.name) == ["b"])
        #expect(try context.fetchCount(red) == 1)
        try context.delete(model: Strict.self, where: #Predicate { $0.colorName == "red" })
        try context.save()
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZSTRICT", on: url) == "a")
        try context.delete(model: Strict.self)
        try context.save()
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZSTRICT", on: url) == "0")
    }

    @Test func anActorHasNoModelForARowThatLacksAValue() async throws {
        try fill()
        let container = try container()
        let all = FetchDescriptor<Strict>(sortBy: [SortDescriptor(\.name)])
        let identifiers = try ModelContext(container).fetchIdentifiers(all)
        try SQLiteShell.run("UPDATE ZSTRICT SET ZCOLOR = NULL WHERE ZNAME = 'a'", on: url)
        let reader = Reader(modelContainer: container)
        #expect(await reader.name(identifiers[0]) == nil)
        #expect(await reader.name(identifiers[1]) == "b")
    }

    @Test func anObserverSaysThatARowThatJoinsLacksAValue() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZSTRICT SET ZCHECKED = NULL WHERE ZNAME = 'a'", on: url)
        let context = ModelContext(try container())
        let loose = FetchDescriptor<Strict>(
            predicate: #Predicate { $0.owner == nil }, sortBy: [SortDescriptor(\.name)])
        let observer = ResultsObserver(fetchDescriptor: loose, modelContext: context)
        #expect(observer.elements.isEmpty && observer.fetchError == nil)
        context.delete(try #require(try context.fetch(FetchDescriptor<Owner>()).first))
        context.processPendingChanges()
        #expect(observer.elements.isEmpty && observer.fetchError is SwiftDataError)
        try context.save()
        try context.delete(model: Strict.self, where: #Predicate { $0.name == "a" })
        try context.save()
        #expect(observer.elements.map(\.name) == ["b"] && observer.fetchError == nil)
    }

    // MARK: Identifiers

    @Test func anIdentifierOfAnotherStoreIsAModelWithoutValues() throws {
        try fill()
        let other = folder.store("other.store")
        var configuration = ModelConfiguration(url: other)
        configuration.allowsUnverifiedEncodings = true
        let theirs = ModelContext(try ModelContainer(for: Owner.self, configurations: configuration))
        let owner = Owner(name: "Bob")
        theirs.insert(owner)
        try theirs.save()
        let data = try JSONEncoder().encode(owner.persistentModelID)
        let identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        let context = ModelContext(try container())
        let found = try #require(context.model(for: identifier) as? Owner)
        #expect(found.name.isEmpty && found.stricts.isEmpty && found.modelContext == nil)
        found.name = "Eve"
        try context.save()
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZOWNER", on: url) == "Ann")
    }
}
#endif
