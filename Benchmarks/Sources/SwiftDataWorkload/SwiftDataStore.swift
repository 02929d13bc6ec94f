import Foundation
import OpenCoreData
import SwiftData

/// One store, opened with the engine's objects and as models.
struct SwiftDataStore {
    let count: Int
    private let engine: NSPersistentStoreCoordinator
    private let observed: ModelContainer
    private let unobserved: ModelContainer

    init(folder: URL, count: Int) throws {
        self.count = count
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = ModelConfiguration(url: folder.appendingPathComponent("journeys-\(count).store"))
        let isNew = !FileManager.default.fileExists(atPath: configuration.url.path)
        observed = try ModelContainer(for: Journey.self, configurations: configuration)
        configuration.observesModels = false
        unobserved = try ModelContainer(for: Journey.self, configurations: configuration)
        guard let model = NSManagedObjectModel.makeManagedObjectModel(for: [Journey.self]) else {
            throw CocoaError(.featureUnsupported)
        }
        let entities = model.entities.map { entity -> NSEntityDescription in
            let copy = NSEntityDescription()
            copy.name = entity.name
            copy.managedObjectClassName = NSStringFromClass(
                entity.name == "Guide" ? EngineGuide.self : EngineJourney.self)
            copy.properties = entity.properties.compactMap { $0.copy() as? NSPropertyDescription }
            return copy
        }
        for entity in entities {
            for case let end as NSRelationshipDescription in entity.properties {
                let other = entities.first { $0 !== entity }
                end.destinationEntity = other
                end.inverseRelationship = other?.properties.compactMap { $0 as? NSRelationshipDescription }.first
            }
        }
        let own = NSManagedObjectModel()
        own.entities = entities
        engine = NSPersistentStoreCoordinator(managedObjectModel: own)
        _ = try engine.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: configuration.url,
            options: [NSPersistentHistoryTrackingKey: true])
        if isNew { try fill() }
    }

    private func fill() throws {
        let context = modelContext(observes: false)
        let guides = (0..<max(1, count / 20)).map { Guide(name: "Guide \($0)", age: $0 % 60) }
        for number in 0..<count {
            let journey = Self.makeModel(number)
            journey.cost = Double(number)
            context.insert(journey)
            journey.guide = guides[number % guides.count]
        }
        try context.save()
    }

    func engineContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = engine
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    func modelContext(observes: Bool) -> ModelContext { ModelContext(observes ? observed : unobserved) }

    func objects(in context: NSManagedObjectContext) throws -> [EngineJourney] {
        let request = NSFetchRequest<EngineJourney>(entityName: "Journey")
        request.returnsObjectsAsFaults = false
        return try context.fetch(request)
    }

    func models(in context: ModelContext) throws -> [Journey] { try context.fetch(FetchDescriptor<Journey>()) }

    /// Takes away what was made with a negative cost.
    func removeNew() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Journey")
        request.predicate = NSPredicate(format: "cost < 0")
        let context = engineContext()
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }

    private static let code = UUID()

    static func makeModel(_ number: Int) -> Journey {
        Journey(
            name: "Journey \(number)", days: number % 30, cost: -1, start: Date(timeIntervalSinceReferenceDate: 0),
            isBooked: number.isMultiple(of: 2), code: code, mood: .calm,
            place: Place(city: "Roma", country: "Italia", visits: number))
    }

    @discardableResult
    func makeObject(_ number: Int, in context: NSManagedObjectContext) -> EngineJourney {
        let object = EngineJourney(context: context)
        object.name = "Journey \(number)"
        object.days = Int64(number % 30)
        object.cost = -1
        object.start = Date(timeIntervalSinceReferenceDate: 0)
        object.isBooked = number.isMultiple(of: 2)
        object.code = Self.code
        object.setValue(["mood": "calm"], forKey: "mood")
        object.setValue(["city": "Roma", "country": "Italia", "visits": number], forKey: "place")
        return object
    }
}
