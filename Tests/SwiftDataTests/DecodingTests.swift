#if Macros
import Foundation
import SwiftData
import Synchronization
import TestSupport
import Testing

import class CoreDataEngine.ValueTransformer
import struct CoreDataEngine.NSValueTransformerName

private enum Sensors {
    /// One whose decoding stops the program at a zero.
    struct Positive: Codable, Equatable {
        let number: Int
        init(number: Int) { self.number = number }
        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            precondition(number > 0)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    /// One that is decoded until there is nothing more.
    struct Numbers: Codable, Equatable {
        let list: [Int]
        init(list: [Int]) { self.list = list }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var list: [Int] = []
            while let number = try? container.decode(Int.self) { list.append(number) }
            self.list = list
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for number in list { try container.encode(number) }
        }
    }

    /// Not `Codable`.
    final class Image: Equatable {
        let name: String
        init(name: String) { self.name = name }
        static func == (one: Image, other: Image) -> Bool { one.name == other.name }
    }

    final class ImageTransformer: ValueTransformer, @unchecked Sendable {
        static let decoded = Mutex(0)

        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { (value as? Image).map { Data($0.name.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            Self.decoded.withLock { $0 += 1 }
            return (value as? Data).map { Image(name: String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Model final class Sensor {
        var name: String
        var positive: Positive
        var numbers: Numbers
        init(name: String) {
            self.name = name
            positive = Positive(number: 1)
            numbers = Numbers(list: [1, 2])
        }
    }

    @Model final class Camera {
        var name: String
        @Attribute(.transformable(by: ImageTransformer.self)) var image: Image
        init(name: String) {
            self.name = name
            image = Image(name: name)
        }
    }
}

/// When the program's own decoding runs.
struct DecodingTests {
    private typealias Sensor = Sensors.Sensor
    private typealias Camera = Sensors.Camera

    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.store("sensors.store")
    }

    private func context(_ type: any PersistentModel.Type) throws -> ModelContext {
        var configuration = ModelConfiguration(url: url)
        configuration.allowsUnverifiedEncodings = true
        return ModelContext(try ModelContainer(for: type, configurations: configuration))
    }

    @Test func typesThatStopAtZerosAreKept() throws {
        let context = try context(Sensor.self)
        context.insert(Sensor(name: "a"))
        try context.save()
        let found = try #require(try self.context(Sensor.self).fetch(FetchDescriptor<Sensor>()).first)
        #expect(found.positive.number == 1 && found.numbers.list == [1, 2])
    }

    @Test func decodingThatWaitsForAnErrorEnds() throws {
        let context = try context(Sensor.self)
        context.insert(Sensor(name: "a"))
        try context.save()
        try SQLiteShell.run("UPDATE ZSENSOR SET ZNUMBERS = NULL", on: url)
        let found = try #require(try self.context(Sensor.self).fetch(FetchDescriptor<Sensor>()).first)
        #expect(found.numbers.list.allSatisfy { $0 == 0 } && found.positive.number == 1)
    }

    @Test func aFetchDecodesNoValues() throws {
        ValueTransformer.setValueTransformer(
            Sensors.ImageTransformer(), forName: NSValueTransformerName("ImageTransformer"))
        let context = try context(Camera.self)
        for name in ["a", "b", "c"] { context.insert(Camera(name: name)) }
        try context.save()
        let other = try self.context(Camera.self)
        let before = Sensors.ImageTransformer.decoded.withLock { $0 }
        let all = FetchDescriptor<Camera>(sortBy: [SortDescriptor(\.name)])
        let found = try other.fetch(all)
        #expect(try other.fetch(all).map(\.name) == ["a", "b", "c"])
        #expect(try other.fetch(all, batchSize: 2).count == 3)
        #expect(Sensors.ImageTransformer.decoded.withLock { $0 } == before)
        #expect(found[1].image.name == "b")
        #expect(Sensors.ImageTransformer.decoded.withLock { $0 } == before + 1)
    }
}
#endif
