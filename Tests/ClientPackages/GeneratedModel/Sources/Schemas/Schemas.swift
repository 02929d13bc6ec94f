import CoreData

/// The classes of a version of the schema, nested in it as programs do that have several.
enum SchemaV1 {
    final class Person: NSManagedObject {
        @NSManaged var name: String?
        @NSManaged var home: Address?
        @NSManaged var others: Set<Address>
        @NSManaged func addToOthers(_ value: Address)

        #if canImport(ObjectiveC)
        @objc
        #endif
        var initial: String { String(name?.prefix(1) ?? "") }
    }

    final class Address: NSManagedObject {
        @NSManaged var street: String?
        @NSManaged var owner: Person?
    }
}

extension NSManagedObjectModel {
    static var schemaV1: NSManagedObjectModel {
        func attribute(_ name: String) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        func relationship(_ name: String, to entity: NSEntityDescription, isMany: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entity
            relationship.maxCount = isMany ? 0 : 1
            relationship.minCount = 0
            relationship.isOptional = true
            return relationship
        }
        let (person, address) = (NSEntityDescription(), NSEntityDescription())
        person.name = "Person"
        person.managedObjectClassName = NSStringFromClass(SchemaV1.Person.self)
        address.name = "Address"
        address.managedObjectClassName = NSStringFromClass(SchemaV1.Address.self)
        let (home, owner) = (relationship("home", to: address), relationship("owner", to: person))
        home.inverseRelationship = owner
        owner.inverseRelationship = home
        person.properties = [attribute("name"), home, relationship("others", to: address, isMany: true)]
        address.properties = [attribute("street"), owner]
        let model = NSManagedObjectModel()
        model.entities = [person, address]
        return model
    }
}

/// What a program sees of a target that reaches Core Data through another target.
public enum Schemas {
    /// The entities of each version of the model that the bundle has in compiled form, and those of the current one.
    public static func compiledModel() -> String {
        guard let url = Bundle.module.url(forResource: "Shop", withExtension: "momd"),
            let current = NSManagedObjectModel(contentsOf: url),
            let first = NSManagedObjectModel(contentsOf: url.appendingPathComponent("Shop.mom"))
        else { return "no model" }
        let versions = Bundle.module.urls(forResourcesWithExtension: "mom", subdirectory: "Shop.momd") ?? []
        let attributes = [first, current].map { $0.entitiesByName["Ware"]?.attributesByName.count ?? 0 }
        return "\(versions.count) versions: \(attributes[0]), \(attributes[1])"
    }

    /// The names of sections by a computed property, and a value over nested classes.
    public static func sections(at file: URL) throws -> String {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .schemaV1)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            for name in ["Ann", "Alan", "Bea"] {
                let person = SchemaV1.Person(context: context)
                person.name = name
                person.home = SchemaV1.Address(context: context)
                person.home?.street = "\(name)'s"
                if let home = person.home { person.addToOthers(home) }
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<SchemaV1.Person>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
            try controller.performFetch()
            let names = (controller.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" }
            let street = controller.fetchedObjects?.first?.home?.owner?.others.first?.street ?? "no street"
            return "\(names.joined(separator: ", ")): \(street)"
        }
    }
}
