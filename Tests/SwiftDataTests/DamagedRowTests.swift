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

    /// One that has a raw value and a payload.
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

    enum Listed: Codable, CaseIterable, Equatable {
        case text(String)
        case number(Int)
        static let allCases: [Listed] = [.number(9), .text("")]
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

    /// One that reads elements as long as there are any, and never asks for their number.
    struct Endless: Codable, Equatable {
        var numbers: [Int]
        init(numbers: [Int]) { self.numbers = numbers }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            numbers = []
            while let number = try? container.decode(Int.self) { numbers.append(number) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for number in numbers { try container.encode(number) }
        }
    }

    @Model final class Everything {
        var name: String = "a"
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
        var listed: Listed
        var size: Size
        var flags: Flags
        var box: Box
        var endless: Endless
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

        /// Something of many properties, which no store can compute.
        var summary: String { "\(payload) \(listed) \(raw) \(plain) \(size) \(sizes) \(words) \(money) \(code)" }

        init() {
            (text, number, small, byte, wide, real, single, flag) = ("a", 1, 2, 3, .max, 4, 5, true)
            (day, code, link) = (.now, UUID(), URL(fileURLWithPath: "/a"))
            (money, bytes) = (6, Data([1]))
            (raw, plain, named, payload, listed) = (.two, .second, .other("x"), .number(7, note: "n"), .text("t"))
            (size, flags, box, endless) = (Size(width: 1), Flags(rawValue: 1), Box(number: 8), Endless(numbers: [1]))
            (words, days, sizes, names, table) = (["w"], [.now], [Size(width: 2)], ["n"], ["k": 1])
            coded = Size(width: 3)
            (maybeNumber, maybeRaw, maybePlain, maybePayload) = (1, .one, .first, .choice(.one))
            (maybeSize, maybeWords, maybeSizes, maybeBox) = (Size(width: 1), ["x"], [Size(width: 9)], Box(number: 1))
        }
    }

    /// Not `Codable`, so that nothing can stand for it.
    final class Color {
        let name: String
        init(name: String) { self.name = name }
    }

    final class ColorTransformer: ValueTransformer, @unchecked Sendable {
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { (value as? Color).map { Data($0.name.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data, let name = String(data: data, encoding: .utf8) else { return nil }
            return Color(name: name)
        }
    }

    @Model final class Paint {
        var name: String
        @Attribute(.transformable(by: ColorTransformer.self)) var color: Color
        @Attribute(.transformable(by: ColorTransformer.self)) var begun: Color = Color(name: "blue")
        @Attribute(.transformable(by: ColorTransformer.self)) var maybe: Color?
        init(name: String) {
            self.name = name
            color = Color(name: "red")
            maybe = color
        }
    }
}

/// Rows that other programs have changed: what is read of them, and that it doesn't stop the program.
struct DamagedRowTests {
    private typealias Everything = Damage.Everything
    private typealias Paint = Damage.Paint

    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("damaged.store")
        ValueTransformer.setValueTransformer(
            Damage.ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
    }

    private func context() throws -> ModelContext {
        var configuration = ModelConfiguration(url: url)
        configuration.allowsUnverifiedEncodings = true
        return ModelContext(try ModelContainer(for: Everything.self, Paint.self, configurations: configuration))
    }

    private func fill() throws {
        let context = try context()
        context.insert(Everything())
        context.insert(Paint(name: "a"))
        try context.save()
    }

    private func columns() throws -> [String] {
        try SQLiteShell.run("SELECT name FROM pragma_table_info('ZEVERYTHING')", on: url).split(separator: "\n")
            .map(String.init).filter { !$0.hasPrefix("Z_") && $0 != "ZNAME" }
    }

    private func row() throws -> String {
        let list = try columns().map { "quote(\($0))" }.joined(separator: ", ")
        return try SQLiteShell.run("SELECT \(list) FROM ZEVERYTHING", on: url)
    }

    private func removeValues() throws {
        try SQLiteShell.run(
            "UPDATE ZEVERYTHING SET " + columns().map { "\($0) = NULL" }.joined(separator: ", "), on: url)
    }

    /// Reads every property.
    private func read(_ model: Everything) -> Int {
        let plain: [Any] = [
            model.text, model.number, model.small, model.byte, model.wide, model.real, model.single, model.flag,
            model.day, model.code, model.link, model.money, model.bytes,
        ]
        let parts: [Any] = [
            model.raw, model.plain, model.named, model.payload, model.listed, model.size, model.flags, model.box,
            model.endless, model.words, model.days, model.sizes, model.names, model.table, model.coded, model.begun,
        ]
        let optionals: [Any?] = [
            model.maybeNumber, model.maybeRaw, model.maybePlain, model.maybePayload, model.maybeSize, model.maybeWords,
            model.maybeSizes, model.maybeBox,
        ]
        return plain.count + parts.count + optionals.count
    }

    private func expectStandIns(_ model: Everything) {
        #expect(model.text.isEmpty && model.number == 0 && model.small == 0 && model.byte == 0 && model.wide == 0)
        #expect(model.real == 0 && model.single == 0 && !model.flag && model.money == 0 && model.bytes.isEmpty)
        #expect(model.day == Date(timeIntervalSinceReferenceDate: 0) && model.link.path == "/")
        #expect(model.code.uuidString == "00000000-0000-0000-0000-000000000000")
        #expect(model.raw == .one && model.plain == .first && model.flags == [] && model.box.number == 0)
        #expect(model.named == .other("") && model.payload == .number(0, note: nil) && model.listed == .number(9))
        #expect(model.size == Damage.Size(width: 0) && model.coded == Damage.Size(width: 0))
        #expect(model.words.isEmpty && model.days.isEmpty && model.sizes.isEmpty && model.names.isEmpty)
        #expect(model.table.isEmpty && !model.endless.numbers.isEmpty && model.endless.numbers.allSatisfy { $0 == 0 })
        #expect(model.begun == .number(5, note: nil))
        #expect(model.maybeNumber == nil && model.maybeRaw == nil && model.maybePlain == nil)
        #expect(model.maybePayload == nil && model.maybeSize == nil && model.maybeWords == nil)
        #expect(model.maybeSizes == nil && model.maybeBox == nil)
    }

    @Test func aRowWithoutValuesIsReadAsInitialValuesAndZeros() throws {
        try fill()
        try removeValues()
        let context = try context()
        let model = try #require(try context.fetch(FetchDescriptor<Everything>()).first)
        expectStandIns(model)
        expectStandIns(model)
        #expect(!context.hasChanges)
        try context.save()
        #expect(try row().split(separator: "|").allSatisfy { $0 == "NULL" })
    }

    @Test func aSaveNamesThePropertyThatHasNoValue() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZEVERYTHING SET ZPAYLOAD = NULL", on: url)
        let before = try row()
        let context = try context()
        let model = try #require(try context.fetch(FetchDescriptor<Everything>()).first)
        #expect(model.payload == .number(0, note: nil))
        model.name = "b"
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1570)
        #expect(error?.userInfo["NSValidationErrorKey"] as? String == "payload")
        #expect(try row() == before)
        model.payload = .choice(.two)
        try context.save()
        let again = try #require(try self.context().fetch(FetchDescriptor<Everything>()).first)
        #expect(again.name == "b" && again.payload == .choice(.two))
    }

    @Test(arguments: ["NULL", "'text'", "x'00ff'", "1e300", "-9223372036854775808", "''", "x''", "'{}'", "x'7b7d'"])
    func aValueOfAnotherTypeIsReadOrRefusedAndStays(_ value: String) throws {
        try fill()
        let all = FetchDescriptor<Everything>(
            predicate: #Predicate { $0.summary != "" }, sortBy: [SortDescriptor(\.summary)])
        let byNumber = FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.number)])
        for name in try columns() {
            let damage = "SELECT quote(\(name)) FROM ZEVERYTHING; UPDATE ZEVERYTHING SET \(name) = \(value); "
            let answer = try SQLiteShell.run(damage + "SELECT quote(\(name)) FROM ZEVERYTHING", on: url)
            let values = answer.split(separator: "\n").map(String.init)
            do {
                let context = try context()
                let model = try #require(try context.fetch(FetchDescriptor<Everything>()).first)
                #expect(read(model) == 37)
                #expect(try context.fetch(all).first === model && context.fetch(byNumber).first === model)
                try context.save()
            } catch let error as CocoaError {
                // The engine says which value it can't read.
                let message = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
                #expect(value != "NULL" && message.uppercased().contains("EVERYTHING"), "\(name): \(error)")
            }
            let repair = "SELECT quote(\(name)) FROM ZEVERYTHING; UPDATE ZEVERYTHING SET \(name) = \(values[0])"
            #expect(try SQLiteShell.run(repair, on: url) == values[1])
        }
        #expect(read(try #require(try context().fetch(FetchDescriptor<Everything>()).first)) == 37)
    }

    @Test func conditionsAndOrdersInMemoryAndObserversReadStandIns() throws {
        try fill()
        try removeValues()
        let context = try context()
        let other = Everything()
        other.name = "other"
        context.insert(other)
        try context.save()
        let zero = Damage.Size(width: 0)
        let inMemory = FetchDescriptor<Everything>(predicate: #Predicate { $0.size == zero && $0.summary != "" })
        #expect(try context.fetch(inMemory).map(\.name) == ["a"])
        #expect(try context.fetchCount(inMemory) == 1)
        let sorted = FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.summary), SortDescriptor(\.name)])
        #expect(try context.fetch(sorted).map(\.name) == ["a", "other"])
        let observer = ResultsObserver(fetchDescriptor: sorted, sectionBy: \.summary, modelContext: context)
        #expect(observer.elements.map(\.name) == ["a", "other"] && observer.sections.count == 2)
        let stored = FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.number)])
        let follower = ResultsObserver(fetchDescriptor: stored, sectionBy: \.number, modelContext: context)
        #expect(follower.sections.map(\.title) == [0, 1])
    }

    @Test func aCaseThatTheProgramDoesNotKnowIsReadAsTheFirst() throws {
        try fill()
        for name in try columns() where name.hasPrefix("ZRAW") || name.hasPrefix("ZSECOND") {
            try SQLiteShell.run("UPDATE ZEVERYTHING SET \(name) = 99", on: url)
        }
        let damaged = try row()
        let context = try context()
        let model = try #require(try context.fetch(FetchDescriptor<Everything>()).first)
        #expect(model.raw == .one && model.plain == .first)
        model.name = "b"
        try context.save()
        #expect(try row() == damaged)
    }

    @Test func eachPropertyIsReportedOnce() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let tests = try DamagedRowTests()
            try tests.fill()
            try SQLiteShell.run("UPDATE ZEVERYTHING SET ZPAYLOAD = NULL, ZBOX = NULL", on: tests.url)
            let model = try #require(try tests.context().fetch(FetchDescriptor<Everything>()).first)
            for _ in 0..<3 { #expect(model.payload == .number(0, note: nil) && model.box.number == 0) }
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { $0.contains("'payload' of Everything can't be read as Payload") }.count == 1)
        #expect(lines.filter { $0.contains("'box' of Everything can't be read as Box") }.count == 1)
    }

    @Test func transformableValuesAreReadAsInitialValuesOrNil() throws {
        try fill()
        try SQLiteShell.run("UPDATE ZPAINT SET ZBEGUN = x'ff', ZMAYBE = x'ff'", on: url)
        let model = try #require(try context().fetch(FetchDescriptor<Paint>()).first)
        #expect(model.begun.name == "blue" && model.maybe == nil && model.color.name == "red")
        #expect(try SQLiteShell.run("SELECT quote(ZBEGUN) FROM ZPAINT", on: url) == "X'FF'")
    }

    @Test func aValueThatNothingCanStandForStopsTheProgramWithItsNameAndRowWhenItIsRead() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let tests = try DamagedRowTests()
            try tests.fill()
            try SQLiteShell.run("UPDATE ZPAINT SET ZCOLOR = NULL", on: tests.url)
            let model = try #require(try tests.context().fetch(FetchDescriptor<Paint>()).first)
            #expect(model.name == "a")
            _ = model.color.name
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Paint.color of x-coredata://") && text.contains("/Paint/p1"))
    }
}
#endif
