import Foundation

extension NSManagedObjectModel {
    /// Checks that the model is consistent.
    ///
    /// - Throws: a `CocoaError` whose sentence names the first entity, property or configuration that is not right.
    package func validate() throws {
        if let problem = problems().first { throw ModelError.invalid(problem) }
    }

    /// More properties, inherited ones counted again, than any real model has, and few enough to be kept in memory.
    private static let mostProperties = 2_000_000

    /// Checks that all entities and relationships that are named were found, as a file may name what it does not have.
    func requireLinks() throws {
        var total = 0
        for entity in entities {
            let chain = sequence(first: entity, next: \.superentity)
            total += chain.reduce(0) { $0 + $1.declaredProperties.count }
            guard total <= Self.mostProperties else {
                throw ModelError.invalid(
                    "The model is too large: its entities have more than \(Self.mostProperties) properties.")
            }
        }
        for entity in entities {
            for case let relationship as NSRelationshipDescription in entity.declaredProperties {
                if let problem = relationship.problems(in: entity).first { throw ModelError.invalid(problem) }
            }
        }
    }

    /// One sentence for each thing that is wrong with the model; none when it can be used.
    package func problems() -> [String] {
        var problems: [String] = []
        var names = Set<String>()
        for entity in entities {
            let name = entity.name ?? ""
            if name.isEmpty { problems.append("An entity of the model has no name.") }
            if !names.insert(name).inserted { problems.append("The model has two entities named '\(name)'.") }
            problems += entity.problems()
        }
        for (configuration, members) in configurationMembers {
            for member in members where member.owner !== self {
                problems.append(
                    "The configuration '\(configuration)' has the member '\(member.name ?? "")', "
                        + "which is not in the model.")
            }
        }
        return problems
    }
}

extension NSEntityDescription {
    fileprivate func problems() -> [String] {
        let entityName = name ?? ""
        var problems: [String] = []
        if let parent = superentity, parent.owner !== owner {
            problems.append("The superentity '\(parent.name ?? "")' of entity '\(entityName)' is not in the model.")
        }
        var names = Set(superentity?.properties.map(\.name) ?? [])
        for property in declaredProperties {
            if property.name.isEmpty { problems.append("A property of entity '\(entityName)' has no name.") }
            if !names.insert(property.name).inserted {
                problems.append(
                    "The entity '\(entityName)' has two properties named '\(property.name)', inherited ones included.")
            }
            if let relationship = property as? NSRelationshipDescription {
                problems += relationship.problems(in: self)
            } else if let attribute = property as? NSAttributeDescription {
                problems += attribute.problems(path: "\(entityName).\(attribute.name)")
            }
        }
        return problems + constraintProblems()
    }

    private func constraintProblems() -> [String] {
        var problems: [String] = []
        let known = propertiesByName
        for constraint in uniquenessConstraintNames {
            for name in constraint where known[name] == nil {
                problems.append(
                    "A uniqueness constraint of entity '\(self.name ?? "")' names '\(name)', "
                        + "which is not a property of it."
                )
            }
        }
        for index in indexes {
            for element in index.elements where !(element.property is NSExpressionDescription) {
                let name = element.propertyName ?? ""
                guard known[name.split(separator: ".").first.map(String.init) ?? name] == nil else { continue }
                problems.append(
                    "The index '\(index.name)' of entity '\(self.name ?? "")' names '\(name)', "
                        + "which is not a property of it.")
            }
        }
        return problems
    }
}

extension NSRelationshipDescription {
    fileprivate func problems(in entity: NSEntityDescription) -> [String] {
        let path = "\(entity.name ?? "").\(name)"
        guard let destination = destinationEntity else {
            guard let wanted = destinationEntityName else {
                return ["The relationship '\(path)' has no destination entity."]
            }
            return ["The relationship '\(path)' leads to the entity '\(wanted)', which is not in the model."]
        }
        guard destination.owner === entity.owner else {
            return ["The relationship '\(path)' leads to the entity '\(destination.name ?? "")' of another model."]
        }
        var problems: [String] = []
        if minCount < 0 || (maxCount > 0 && minCount > maxCount) {
            problems.append("The relationship '\(path)' wants at least \(minCount) and at most \(maxCount) objects.")
        }
        if let inverseName = inverseRelationshipName {
            problems += inverseProblems(path: path, destination: destination, inverseName: inverseName, entity: entity)
        }
        return problems
    }

    private func inverseProblems(
        path: String, destination: NSEntityDescription, inverseName: String, entity: NSEntityDescription
    ) -> [String] {
        guard let inverse = inverseRelationship else {
            return [
                "The inverse '\(inverseName)' of the relationship '\(path)' is not a relationship of entity "
                    + "'\(destination.name ?? "")'."
            ]
        }
        guard let back = inverse.destinationEntity, back.isKindOf(entity: entity) || entity.isKindOf(entity: back)
        else {
            return [
                "The inverse '\(inverseName)' of the relationship '\(path)' does not lead back to entity "
                    + "'\(entity.name ?? "")'."
            ]
        }
        guard let backName = inverse.inverseRelationshipName, backName != name else { return [] }
        return ["The inverse '\(inverseName)' of the relationship '\(path)' has another inverse, '\(backName)'."]
    }
}

extension NSAttributeDescription {
    fileprivate func problems(path: String) -> [String] {
        if attributeType == .undefinedAttributeType, !isTransient {
            return ["The attribute '\(path)' has no type; only transient attributes may have none."]
        }
        if attributeType == .objectIDAttributeType, !isTransient {
            return ["The attribute '\(path)' is of the object ID type, which cannot be stored."]
        }
        guard let composite = self as? NSCompositeAttributeDescription else { return [] }
        if composite.elements.isEmpty { return ["The composite attribute '\(path)' has no elements."] }
        return composite.elements.flatMap { $0.problems(path: "\(path).\($0.name)") }
    }
}
