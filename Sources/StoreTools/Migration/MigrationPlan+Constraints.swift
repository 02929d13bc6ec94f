import Foundation
import OpenCoreData

extension MigrationPlan {
    private struct Constraint: Hashable {
        let entity: String
        let keys: [String]
    }

    /// Where the objects of an entity get a value of a constraint from.
    private enum ValueSource {
        /// A property of the old version, where it has a value, else a default.
        case property(String, fallback: Any?, isConverted: Bool)
        case constant(Any?)
        case computed
    }

    private struct Contribution {
        let source: NSEntityDescription
        let values: [ValueSource]

        /// Whether a constant is nil, which is equal to nothing.
        var hasMissingValue: Bool {
            values.contains { if case .constant(nil) = $0 { true } else { false } }
        }
    }

    /// Checks that no two objects would have the same values of a unique constraint of the new version, if the store is one
    /// that has constraints. Values that the migration converts to another type are compared as they are.
    ///
    /// - Throws: `ToolFailure` that names the constraint, the values and two of the objects.
    func checkConstraints(in context: NSManagedObjectContext) throws {
        let type = context.persistentStoreCoordinator?.persistentStores.first?.type
        if type == NSXMLStoreType || type == NSBinaryStoreType || type == NSInMemoryStoreType { return }
        var contributions: [Constraint: [Contribution]] = [:]
        for change in changes {
            guard let source = change.source, let destination = change.destination, !source.isAbstract else { continue }
            for (entity, keys) in destination.uniqueConstraints
            where keys.allSatisfy({ Self.canBeCompared($0, destination) }) {
                let values = keys.map { Self.valueSource(of: $0, in: change, destination) }
                contributions[Constraint(entity: entity.displayName, keys: keys), default: []]
                    .append(Contribution(source: source, values: values))
            }
        }
        for (constraint, all) in contributions.sorted(by: {
            ($0.key.entity, $0.key.keys.joined()) < ($1.key.entity, $1.key.keys.joined())
        })
        where !Self.isGuaranteed(all) {
            try Self.check(constraint, all, in: context)
        }
    }

    /// Whether a store compares the values of a property.
    private static func canBeCompared(_ key: String, _ entity: NSEntityDescription) -> Bool {
        guard let attribute = entity.attributesByName[key] else {
            return entity.relationshipsByName[key]?.isToMany == false
        }
        return !attribute.isTransient && attribute.attributeType != .transformableAttributeType
            && attribute.attributeType != .compositeAttributeType
    }

    private static func valueSource(
        of key: String, in change: EntityChange, _ destination: NSEntityDescription
    ) -> ValueSource {
        let mappings = (change.mapping.attributeMappings ?? []) + (change.mapping.relationshipMappings ?? [])
        let mapping = mappings.first { $0.name == key }
        let attribute = destination.attributesByName[key]
        if let former = sourceKey(mapping) {
            let type = change.source?.attributesByName[former]?.attributeType
            return .property(
                former, fallback: attribute?.isOptional == false ? attribute?.defaultValue : nil,
                isConverted: type != attribute?.attributeType)
        }
        guard mapping?.valueExpression == nil, !(attribute is NSDerivedAttributeDescription) else { return .computed }
        return .constant(attribute?.defaultValue)
    }

    /// Whether the old version has the same constraint, or what the objects will have isn't known.
    private static func isGuaranteed(_ contributions: [Contribution]) -> Bool {
        var declaring: Set<ObjectIdentifier> = []
        for contribution in contributions {
            var keys: [String] = []
            for value in contribution.values {
                switch value {
                case .property(let key, nil, false): keys.append(key)
                case .property, .constant: return false
                case .computed: return true
                }
            }
            guard let former = contribution.source.uniqueConstraints.first(where: { $0.keys == keys }) else {
                return false
            }
            declaring.insert(ObjectIdentifier(former.entity))
        }
        return declaring.count == 1
    }

    private static func check(
        _ constraint: Constraint, _ contributions: [Contribution], in context: NSManagedObjectContext
    ) throws {
        var holders: [StoredKey: NSManagedObjectID] = [:]
        for contribution in contributions where !contribution.hasMissingValue {
            for row in try context.fetch(request(for: contribution)) {
                guard let id = row["objectID"] as? NSManagedObjectID else { continue }
                let values = contribution.values.map { value -> Any? in
                    switch value {
                    case .property(let key, let fallback, _): (row[key] is NSNull ? nil : row[key]) ?? fallback
                    case .constant(let constant): constant
                    case .computed: nil
                    }
                }
                guard let key = StoredKey(values), let other = holders.updateValue(id, forKey: key) else { continue }
                throw refusal(constraint, key, other, id)
            }
        }
    }

    private static func request(for contribution: Contribution) -> NSFetchRequest<NSDictionary> {
        let identifier = NSExpressionDescription()
        identifier.name = "objectID"
        identifier.expression = NSExpression.expressionForEvaluatedObject()
        identifier.expressionResultType = .objectIDAttributeType
        let keys = contribution.values.compactMap { if case .property(let key, _, _) = $0 { key } else { nil } }
        let request = NSFetchRequest<NSDictionary>(entityName: contribution.source.displayName)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [identifier] + keys
        request.includesSubentities = false
        // All have the same values.
        if keys.isEmpty { request.fetchLimit = 2 }
        return request
    }

    private static func refusal(
        _ constraint: Constraint, _ key: StoredKey, _ one: NSManagedObjectID, _ other: NSManagedObjectID
    ) -> ToolFailure {
        let values = zip(constraint.keys, key.values).map { name, value in
            let object = (value as? NSManagedObjectID).map(ObjectName.short)
            return "\(name) \(object ?? JSONText.string(of: DynamicJSON.json(value)))"
        }
        let names = constraint.keys.joined(separator: " and ")
        return ToolFailure(
            "The migration would be refused: \(names) of \(constraint.entity) must be unique in the new version, but "
                + "\(ObjectName.short(one)) and \(ObjectName.short(other)) have the same \(values.joined(separator: " and "))."
        )
    }
}
