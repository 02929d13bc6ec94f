import Foundation

/// The values of the variables in the expressions of a mapping model.
struct MigrationVariables {
    private(set) var values: [String: Any]

    init(
        manager: NSMigrationManager, mapping: NSEntityMapping, policy: NSEntityMigrationPolicy,
        source: NSManagedObject? = nil, destination: NSManagedObject? = nil
    ) {
        values = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping, NSMigrationEntityPolicyKey: policy,
        ]
        if let source { values[NSMigrationSourceObjectKey] = source }
        if let destination { values[NSMigrationDestinationObjectKey] = destination }
    }

    mutating func set(_ mapping: NSPropertyMapping) { values[NSMigrationPropertyMappingKey] = mapping }
}

enum MigrationExpressions {
    /// The managed objects in a value: one, a collection of them, or none.
    static func objects(in value: Any?) -> [NSManagedObject] {
        switch value {
        case nil: []
        case let object as NSManagedObject: [object]
        case let objects as [NSManagedObject]: objects
        case let value?:
            (CollectionElements.of(value) ?? []).compactMap { $0 as? NSManagedObject }
        }
    }
}

/// What the expressions of mapping models can ask a manager.
extension NSMigrationManager: ExpressionMethods, ThrowingKeyValueCoding {
    func callMethod(_ selector: String, _ arguments: [Any?]) throws -> Any? {
        switch (selector, arguments.count) {
        case ("destinationInstancesForEntityMappingNamed:sourceInstances:", 2):
            return try instances(arguments) { destinationInstances(forEntityMappingName: $0, sourceInstances: $1) }
        case ("sourceInstancesForEntityMappingNamed:destinationInstances:", 2):
            return try instances(arguments) { sourceInstances(forEntityMappingName: $0, destinationInstances: $1) }
        case ("destinationInstancesForSourceRelationshipNamed:sourceInstances:", 2):
            return MigrationExpressions.objects(in: arguments[1]).flatMap { destinationInstances(ofSource: $0) }
        case ("fetchRequestForSourceEntityNamed:predicateString:", 1...2):
            return try fetchRequest(arguments)
        default:
            if arguments.isEmpty, let known = ownValue(forKey: selector) { return known.value }
            return try invoke(selector, arguments: arguments)
        }
    }

    package func predicateValue(forKey key: String) throws -> Any? {
        if let known = ownValue(forKey: key) { return known.value }
        throw PredicateError.unknownKey(key, of: "a migration manager")
    }

    /// Nil for a key that a manager doesn't have.
    private func ownValue(forKey key: String) -> (value: Any?, key: String)? {
        switch key {
        case "sourceContext": (sourceContext, key)
        case "destinationContext": (destinationContext, key)
        case "sourceModel": (sourceModel, key)
        case "destinationModel": (destinationModel, key)
        case "mappingModel": (mappingModel, key)
        case "currentEntityMapping": (currentEntityMapping, key)
        case "userInfo": (userInfo, key)
        default: nil
        }
    }

    private func instances(
        _ arguments: [Any?], _ find: (String, [NSManagedObject]) -> [NSManagedObject]
    ) throws -> [NSManagedObject] {
        guard let name = arguments[0] as? String else {
            throw PredicateError.evaluation("A mapping model asks for the objects of an entity mapping without a name.")
        }
        // nil in a mapping model comes from an empty relationship; it does not stand for all objects.
        return find(name, MigrationExpressions.objects(in: arguments[1]))
    }

    private func fetchRequest(_ arguments: [Any?]) throws -> NSFetchRequestBase {
        guard let name = arguments[0] as? String, let entity = sourceModel.entitiesByName[name] else {
            throw PredicateError.evaluation(
                "A mapping model fetches objects of an entity that the source model does not have.")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.entity = entity
        request.includesSubentities = false
        if arguments.count == 2, let format = arguments[1] as? String, !format.isEmpty {
            request.predicate = NSPredicate(format: format)
        }
        return request
    }
}

extension NSEntityMigrationPolicy: ExpressionMethods {
    func callMethod(_ selector: String, _ arguments: [Any?]) throws -> Any? {
        try invoke(selector, arguments: arguments)
    }
}

extension NSEntityMapping: ThrowingKeyValueCoding {
    package func predicateValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": name
        case "sourceEntityName": sourceEntityName
        case "destinationEntityName": destinationEntityName
        case "userInfo": userInfo
        default: throw PredicateError.unknownKey(key, of: "an entity mapping")
        }
    }
}

extension NSPropertyMapping: ThrowingKeyValueCoding {
    package func predicateValue(forKey key: String) throws -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        default: throw PredicateError.unknownKey(key, of: "a property mapping")
        }
    }
}
