import Foundation

/// Gives a destination object the values of its property mappings.
struct PropertyMigration {
    let policy: NSEntityMigrationPolicy
    let mapping: NSEntityMapping
    let manager: NSMigrationManager

    /// A new object of the mapping's destination entity.
    func newDestination() throws -> NSManagedObject {
        guard let entity = manager.destinationEntity(for: mapping) else {
            throw failure("the destination model has no entity \(mapping.destinationEntityName ?? "").", nil)
        }
        guard !entity.isAbstract else {
            throw failure("there are objects, and the destination entity \(entity.name ?? "") is abstract.", nil)
        }
        return NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    }

    func setAttributes(of destination: NSManagedObject, from source: NSManagedObject) throws {
        let changed = manager.changedAttributes(of: mapping)
        for property in mapping.attributeMappings ?? [] {
            guard property.valueExpression != nil else { continue }
            guard let name = property.name, let attribute = destination.entity.attributesByName[name] else {
                throw failure("the destination entity has no attribute \(property.name ?? "").", property)
            }
            if attribute is NSDerivedAttributeDescription { continue }
            let value = try adapted(
                try value(of: property, source: source, destination: destination), of: property, to: attribute,
                was: changed[name], source: source)
            if value == nil, !attribute.isOptional, attribute.defaultValue != nil { continue }
            destination.setValue(value, forKey: name)
            try destination.requireFittingValues()
        }
    }

    /// A value as the attribute of the destination has it: numbers in its type, a composite attribute's elements under
    /// their new names. What the application has a value computed by is left alone.
    private func adapted(
        _ value: Any?, of property: NSPropertyMapping, to attribute: NSAttributeDescription,
        was old: NSAttributeDescription?, source: NSManagedObject
    ) throws -> Any? {
        guard let value, let old, property.valueExpression == InferredEntityMapping.value(of: old) else { return value }
        if let composite = attribute as? NSCompositeAttributeDescription, let elements = value as? [String: Any] {
            guard let old = old as? NSCompositeAttributeDescription else { return value }
            return try composite.renamed(elements, from: old) { try converted($0, $1, $2, source, in: attribute.name) }
        }
        return try converted(value, old, attribute, source, in: nil)
    }

    /// - Throws: `NSMigrationError` that names the object with a value that doesn't fit.
    private func converted(
        _ value: Any, _ old: NSAttributeDescription, _ new: NSAttributeDescription, _ object: NSManagedObject,
        in composite: String?
    ) throws -> Any {
        guard let conversion = AttributeConversion.conversion(from: old, to: new) else { return value }
        if let converted = conversion.convertValue(value) { return converted }
        throw AttributeConversion.misfit(
            "\(value)", ofType: new.attributeType, entity: mapping.destinationEntityName ?? "",
            attribute: composite.map { "\($0).\(new.name)" } ?? new.name,
            object: "\(object.entity.name ?? "")/p\(object.reference)")
    }

    func setRelationships(of destination: NSManagedObject, from source: NSManagedObject?) throws {
        for property in mapping.relationshipMappings ?? [] {
            guard property.valueExpression != nil else { continue }
            guard let name = property.name, let relationship = destination.entity.relationshipsByName[name] else {
                throw failure("the destination entity has no relationship \(property.name ?? "").", property)
            }
            let value = try value(of: property, source: source, destination: destination)
            var objects = MigrationExpressions.objects(in: value)
            if manager.mappingModel.isInferred, let target = relationship.destinationEntity {
                // Where an entity has left a hierarchy, its objects can't be led to any more.
                objects.removeAll { !$0.entity.isKindOf(entity: target) }
            }
            try set(objects, for: relationship, of: destination)
            try destination.requireFittingValues()
        }
    }

    private func set(
        _ objects: [NSManagedObject], for relationship: NSRelationshipDescription, of destination: NSManagedObject
    ) throws {
        let name = relationship.name
        if !relationship.isToMany {
            destination.setValue(objects.first, forKey: name)
        } else if relationship.isOrdered {
            destination.setValue(NSOrderedSet(array: objects), forKey: name)
        } else {
            destination.setValue(Set(objects), forKey: name)
        }
    }

    private func value(
        of property: NSPropertyMapping, source: NSManagedObject?, destination: NSManagedObject
    ) throws -> Any? {
        guard let expression = property.valueExpression else { return nil }
        var variables = MigrationVariables(
            manager: manager, mapping: mapping, policy: policy, source: source, destination: destination)
        variables.set(property)
        do {
            return try expression.value(with: source, variables: variables.values)
        } catch let error as CocoaError where error.code.rawValue == NSEntityMigrationPolicyError {
            throw error
        } catch {
            throw failure("its value \(expression) can't be computed: \(error)", property, error)
        }
    }

    private func failure(
        _ sentence: String, _ property: NSPropertyMapping?, _ cause: (any Error)? = nil
    ) -> CocoaError {
        let suffix = property.map { ", property \($0.name ?? "")" } ?? ""
        return CoreDataError.make(
            NSEntityMigrationPolicyError, "Entity mapping '\(mapping.name ?? "")'\(suffix): \(sentence)",
            underlying: cause,
            userInfo: ["entity": mapping.destinationEntityName ?? "", "property": property?.name ?? ""])
    }
}
