import CoreData
import Foundation
import TestSupport
import Testing

/// Overrides every method and property that can be overridden on Apple's systems.
private final class WatchedModel: NSManagedObjectModel, @unchecked Sendable {
    static let ran = Ran()

    override var entities: [NSEntityDescription] {
        get { note(super.entities) }
        set { super.entities = newValue }
    }
    override var entitiesByName: [String: NSEntityDescription] { note(super.entitiesByName) }
    override var configurations: [String] { note(super.configurations) }
    override var localizationDictionary: [String: String]? { didSet { Self.ran.note(#function) } }
    override var versionIdentifiers: Set<AnyHashable> { didSet { Self.ran.note(#function) } }
    override var entityVersionHashesByName: [String: Data] { note(super.entityVersionHashesByName) }
    override var versionChecksum: String { note(super.versionChecksum) }
    override var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        note(super.fetchRequestTemplatesByName)
    }
    override func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        note(super.entities(forConfigurationName: configuration))
    }
    override func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        note(super.setEntities(entities, forConfigurationName: configuration))
    }
    override func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool { note(super.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)) }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        note(super.fetchRequestTemplate(forName: name))
    }
    override func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        note(super.fetchRequestFromTemplate(withName: name, substitutionVariables: variables))
    }
    override func setFetchRequestTemplate(_ template: NSFetchRequest<any NSFetchRequestResult>?, forName name: String) {
        note(super.setFetchRequestTemplate(template, forName: name))
    }
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        ran.note(#function)
        return super.mergedModel(from: bundles)
    }
    override class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        ran.note(#function)
        return super.mergedModel(from: bundles, forStoreMetadata: metadata)
    }

    private func note<T>(_ value: @autoclosure () -> T, _ name: String = #function) -> T {
        Self.ran.note(name)
        return value()
    }
}

private final class WatchedEntity: NSEntityDescription, @unchecked Sendable {
    static let ran = Ran()

    override class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        ran.note(#function)
        return super.entity(forEntityName: entityName, in: context)
    }
    override class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        ran.note(#function)
        return super.insertNewObject(forEntityName: entityName, into: context)
    }
}

private final class WatchedFetchedProperty: NSFetchedPropertyDescription, @unchecked Sendable {
    static let ran = Ran()

    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get {
            Self.ran.note(#function)
            return super.fetchRequest
        }
        set { super.fetchRequest = newValue }
    }
}

private final class WatchedPolicy: NSMergePolicy, @unchecked Sendable {
    override var mergeType: NSMergePolicyType { .overwriteMergePolicyType }
}

private final class WatchedMapping: NSMappingModel {
    override class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let model = try super.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel)
        model.entityMappings = []
        return model
    }
}

private final class WatchedMigrationManager: NSMigrationManager {
    static let other = LibraryModel.make()
    override var sourceModel: NSManagedObjectModel { Self.other }
    override var destinationModel: NSManagedObjectModel { Self.other }
}

private final class WatchedController: NSFetchedResultsController<Book> {
    var ran = 0
    override var fetchRequest: NSFetchRequest<Book> {
        ran += 1
        return super.fetchRequest
    }
    override func performFetch() throws {
        ran += 10
        try super.performFetch()
    }
}

private final class WatchedDelete: NSBatchDeleteRequest {
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(entityName: "Shelf") }
}

private final class WatchedAsynchronousFetch: NSAsynchronousFetchRequest<Book> {
    override var fetchRequest: NSFetchRequest<Book> { NSFetchRequest(entityName: "GraphicNovel") }
    override var completionBlock: ((NSAsynchronousFetchResult<Book>) -> Void)? { nil }
}

private final class WatchedStage: NSLightweightMigrationStage {
    override var versionChecksums: [String] { ["own"] }
}

private final class WatchedReference: NSManagedObjectModelReference, @unchecked Sendable {
    override var versionChecksum: String { "own" }
}

private final class WatchedStages: NSStagedMigrationManager, @unchecked Sendable {
    override var stages: [NSMigrationStage] { super.stages + super.stages }
}

/// Models, descriptions, requests and the classes of migrations that override what they can.
@Suite(.serialized) struct ModelOverridesTests {
    @Test func everyOverrideOfAModelRuns() throws {
        let ran = WatchedModel.ran
        ran.forget()
        let model = WatchedModel()
        model.entities = LibraryModel.make().entities.filter { $0.superentity == nil }
        model.localizationDictionary = [:]
        model.versionIdentifiers = ["1"]
        model.setEntities(model.entities, forConfigurationName: "All")
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Book"), forName: "books")
        #expect(model.configurations == ["All"])
        #expect(model.entities(forConfigurationName: "All")?.isEmpty == false)
        #expect(model.fetchRequestTemplate(forName: "books") != nil)
        #expect(model.fetchRequestFromTemplate(withName: "books", substitutionVariables: [:]) != nil)
        #expect(model.fetchRequestTemplatesByName.count == 1)
        _ = (model.entityVersionHashesByName, model.versionChecksum)
        _ = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:])
        _ = WatchedModel.mergedModel(from: [])
        _ = WatchedModel.mergedModel(from: [], forStoreMetadata: [:])
        let members: Set<String> = [
            "entities", "entitiesByName", "configurations", "localizationDictionary", "versionIdentifiers",
            "entityVersionHashesByName", "versionChecksum", "fetchRequestTemplatesByName",
            "entities(forConfigurationName:)", "setEntities(_:forConfigurationName:)",
            "isConfiguration(withName:compatibleWithStoreMetadata:)", "fetchRequestTemplate(forName:)",
            "fetchRequestFromTemplate(withName:substitutionVariables:)", "setFetchRequestTemplate(_:forName:)",
            "mergedModel(from:)", "mergedModel(from:forStoreMetadata:)",
        ]
        let missing = members.subtracting(ran.names)
        #expect(missing.isEmpty, "\(missing)")
        #expect(try TestStack(model: model).coordinator.persistentStores.count == 1)
    }

    @Test func overridesOfDescriptionsAndRequestsRun() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            WatchedEntity.ran.forget()
            #expect(WatchedEntity.insertNewObject(forEntityName: "Book", into: context) is Book)
            #expect(WatchedEntity.entity(forEntityName: "Book", in: context)?.name == "Book")
            #expect(WatchedEntity.ran.names.count == 2)
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = WatchedController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchRequest === request)
            #expect(controller.ran > 10)
            let delete = WatchedDelete(fetchRequest: NSFetchRequest(entityName: "Book"))
            #expect(delete.fetchRequest.entityName == "Shelf")
            let fetch = WatchedAsynchronousFetch(fetchRequest: request)
            #expect(fetch.fetchRequest.entityName == "GraphicNovel" && fetch.completionBlock == nil)
        }
        let property = WatchedFetchedProperty()
        property.fetchRequest = NSFetchRequest(entityName: "Book")
        #expect(property.fetchRequest?.entityName == "Book")
        #expect(WatchedFetchedProperty.ran["fetchRequest"] == 1)
        #expect(WatchedPolicy(merge: .errorMergePolicyType).mergeType == .overwriteMergePolicyType)
    }

    @Test func overridesOfMigrationsRun() throws {
        let models = (LibraryModel.make(), LibraryModel.make())
        #expect(
            try WatchedMapping.inferredMappingModel(forSourceModel: models.0, destinationModel: models.1)
                .entityMappings?.isEmpty == true)
        let manager = WatchedMigrationManager(sourceModel: models.0, destinationModel: models.1)
        #expect(manager.sourceModel === WatchedMigrationManager.other)
        #expect(manager.destinationModel === WatchedMigrationManager.other)
        #expect(WatchedStage(["x"]).versionChecksums == ["own"])
        #expect(WatchedReference(model: models.0, versionChecksum: models.0.versionChecksum).versionChecksum == "own")
        #expect(WatchedStages([WatchedStage(["x"])]).stages.count == 2)
    }
}
