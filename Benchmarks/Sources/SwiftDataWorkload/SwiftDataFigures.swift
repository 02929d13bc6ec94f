import Bookshelf
public import Foundation
import OpenCoreData
import SwiftData

/// What models of SwiftData cost beside the engine's objects of the same store.
public struct SwiftDataFigures {
    /// One kind of work, for one of its objects: seconds, or bytes.
    public struct Figure: Sendable {
        public let name: String
        /// `nil` where the engine has nothing to compare with, and the limit is one of the time.
        public let engine: Double?
        public let models: Double
        /// Most that the models may take of what the engine takes, or by themselves.
        public let limit: Double

        /// What is compared with the limit.
        public var judged: Double { engine.map { models / $0 } ?? models }
    }

    public private(set) var figures: [Figure] = []
    private let store: SwiftDataStore

    /// - Parameter count: How many rows the store has.
    public init(folder: URL, count: Int) throws {
        store = try SwiftDataStore(folder: folder, count: count)
        try addFetch()
        try addReads()
        try addParts()
        try addInsert()
        try addAppends()
    }

    private mutating func add(_ name: String, engine: Double?, models: Double, limit: Double) {
        figures.append(Figure(name: name, engine: engine, models: models, limit: limit))
    }

    /// The median of some runs, for one object; in turns, so that both meet the same machine.
    private static func times(
        _ count: Int, runs: Int = 7, engine: () throws -> Void, models: () throws -> Void
    ) rethrows -> (engine: Double, models: Double) {
        var times: (engine: [Double], models: [Double]) = ([], [])
        for run in 0...runs {
            var watch = Stopwatch()
            try engine()
            let first = watch.elapsed().wall
            watch = Stopwatch()
            try models()
            // The first run isn't counted.
            if run > 0 {
                times.engine.append(first)
                times.models.append(watch.elapsed().wall)
            }
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] / Double(count) }
        return (median(times.engine), median(times.models))
    }

    private mutating func addFetch() throws {
        let time = try Self.times(store.count) {
            _ = try store.objects(in: store.engineContext()).count
        } models: {
            _ = try store.models(in: store.modelContext(observes: true)).count
        }
        add("fetch", engine: time.engine, models: time.models, limit: 1.3)
    }

    private mutating func addReads() throws {
        let passes = 40
        for observes in [false, true] {
            let context = store.engineContext()
            let objects = try Array(store.objects(in: context).prefix(1000))
            let models = try Array(store.models(in: store.modelContext(observes: observes)).prefix(1000))
            var sums = (0.0, 0.0)
            var time = Self.times(objects.count * passes * 6) {
                for _ in 0..<passes { for object in objects { sums.0 += Self.sum(object) } }
            } models: {
                for _ in 0..<passes { for model in models { sums.1 += Self.sum(model) } }
            }
            precondition(sums.0 == sums.1, "the models have other values")
            let suffix = observes ? "observed" : "not observed"
            add("attribute, \(suffix)", engine: time.engine, models: time.models, limit: observes ? 5 : 2)
            var ages: (Int64, Int) = (0, 0)
            time = Self.times(objects.count * passes) {
                for _ in 0..<passes { for object in objects { ages.0 &+= object.guide?.age ?? 0 } }
            } models: {
                for _ in 0..<passes { for model in models { ages.1 &+= model.guide?.age ?? 0 } }
            }
            precondition(Int(ages.0) == ages.1, "the models have other guides")
            // The aim is about the access, which observation is added to.
            add("to-one and attribute, \(suffix)", engine: time.engine, models: time.models, limit: observes ? 5 : 2.5)
            time = Self.times(objects.count * passes) {
                for pass in 0..<passes { for object in objects { object.days = Int64(pass) } }
            } models: {
                for pass in 0..<passes { for model in models { model.days = pass } }
            }
            add("attribute written, \(suffix)", engine: time.engine, models: time.models, limit: 5)
            withExtendedLifetime(context) {}
        }
    }

    @inline(never)
    private static func sum(_ object: EngineJourney) -> Double {
        Double(object.name.utf8.count) + Double(object.days) + object.cost + object.start.timeIntervalSinceReferenceDate
            + (object.isBooked ? 1 : 0) + (object.code == nil ? 0 : 1)
    }

    @inline(never)
    private static func sum(_ model: Journey) -> Double {
        Double(model.name.utf8.count) + Double(model.days) + model.cost + model.start.timeIntervalSinceReferenceDate
            + (model.isBooked ? 1 : 0) + (model.code.uuid.0 == 255 && model.days < 0 ? 0 : 1)
    }

    private mutating func addParts() throws {
        for observes in [false, true] {
            let models = try Array(store.models(in: store.modelContext(observes: observes)).prefix(1000))
            let passes = 10
            let suffix = observes ? "observed" : "not observed"
            func time(_ body: (Journey) -> Void) -> Double {
                Self.times(models.count * passes) {
                } models: {
                    for _ in 0..<passes { for model in models { body(model) } }
                }.models
            }
            var count = 0
            let limit = 0.5e-6
            add(
                "enumeration, \(suffix)", engine: nil, models: time { if $0.mood == .wild { count += 1 } }, limit: limit
            )
            add("structure, \(suffix)", engine: nil, models: time { count &+= $0.place.visits }, limit: limit)
            add("enumeration written, \(suffix)", engine: nil, models: time { $0.mood = .busy }, limit: limit)
            let place = Place(city: "Bonn", country: nil, visits: 3)
            add("structure written, \(suffix)", engine: nil, models: time { $0.place = place }, limit: limit)
        }
    }

    private mutating func addInsert() throws {
        let count = 10_000
        let time = try Self.times(count, runs: 5) {
            let context = store.engineContext()
            for number in 0..<count { store.makeObject(number, in: context) }
            try context.save()
            try store.removeNew()
        } models: {
            let context = store.modelContext(observes: true)
            for number in 0..<count { context.insert(SwiftDataStore.makeModel(number)) }
            try context.save()
            try store.removeNew()
        }
        // Both delete what they made, which is the same work.
        add("insert, save and delete", engine: time.engine, models: time.models, limit: 1.4)
    }

    private mutating func addAppends() throws {
        let count = 4_000
        var times: [Double] = []
        for _ in 0..<3 {
            let context = store.modelContext(observes: true)
            let guide = Guide(name: "appended to", age: 1)
            context.insert(guide)
            let journeys = (0..<count).map(SwiftDataStore.makeModel)
            let watch = Stopwatch()
            for journey in journeys { guide.journeys.append(journey) }
            times.append(watch.elapsed().wall)
            precondition(guide.journeys.count == count, "a member is missing")
        }
        add("4,000 appends", engine: nil, models: times.sorted()[1], limit: 30e-3)
    }

    /// Holds all rows as objects or models, and calls a block.
    public static func hold(asModels: Bool, folder: URL, count: Int, _ body: () -> Void) throws {
        let store = try SwiftDataStore(folder: folder, count: count)
        if asModels {
            let context = store.modelContext(observes: false)
            let models = try store.models(in: context)
            withExtendedLifetime((models, context)) { body() }
        } else {
            let context = store.engineContext()
            let objects = try store.objects(in: context)
            withExtendedLifetime((objects, context)) { body() }
        }
    }
}
