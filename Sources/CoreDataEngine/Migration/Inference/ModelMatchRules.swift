import Foundation

/// What an inferred mapping can't do.
struct ModelMatchRules {
    let match: ModelMatch

    /// - Throws: `NSInferredMappingModelError` for the first change that needs a mapping model of the application's own.
    func check() throws {
        if let first = failures().first { throw first }
    }

    /// An `NSInferredMappingModelError` for each change that needs a mapping model of the application's own.
    func failures() -> [CocoaError] {
        var failures: [CocoaError] = []
        func collect(_ check: () throws(CocoaError) -> Void) {
            do throws(CocoaError) { try check() } catch { failures.append(error) }
        }
        collect(checkHierarchies)
        for pair in match.pairs {
            guard let destination = pair.destination, pair.source != nil else { continue }
            for property in destination.properties where property.isPersistent {
                guard let source = pair.sources[property.name], source.isPersistent else { continue }
                collect { () throws(CocoaError) in try check(property, was: source, entity: destination) }
            }
        }
        return failures
    }

    /// Objects of two trees have numbers of their own; in one tree two of them would have the same.
    private func checkHierarchies() throws(CocoaError) {
        var roots: [ObjectIdentifier: NSEntityDescription] = [:]
        for pair in match.pairs {
            guard let source = pair.source, let destination = pair.destination else { continue }
            let root = ObjectIdentifier(destination.rootEntity)
            guard let other = roots[root], other !== source.rootEntity else {
                roots[root] = source.rootEntity
                continue
            }
            throw failure(
                "The entities \(other.name ?? "") and \(source.rootEntity.name ?? "") had no common parent and can't get "
                    + "one.", entity: destination, property: nil,
                reason: "Source entities without a common parent can't be merged into one hierarchy")
        }
    }

    private func check(
        _ property: NSPropertyDescription, was source: NSPropertyDescription, entity: NSEntityDescription
    ) throws(CocoaError) {
        switch (source, property) {
        case (let old as NSAttributeDescription, let new as NSAttributeDescription):
            try check(new, was: old, entity: entity)
        case (let old as NSRelationshipDescription, let new as NSRelationshipDescription):
            try check(new, was: old, entity: entity)
        default:
            throw failure(
                "An attribute can't become a relationship, or a relationship an attribute.", entity: entity,
                property: property, reason: "Source and destination properties are of different kinds")
        }
    }

    private func check(
        _ new: NSAttributeDescription, was old: NSAttributeDescription, entity: NSEntityDescription
    ) throws(CocoaError) {
        guard !AttributeConversion.isPossible(from: old, to: new) else { return }
        throw failure(
            "Values of the type \(AttributeConversion.name(of: old.attributeType)) can't become values of the type "
                + "\(AttributeConversion.name(of: new.attributeType)).", entity: entity, property: new,
            reason: "Source and destination attribute types are incompatible")
    }

    private func check(
        _ new: NSRelationshipDescription, was old: NSRelationshipDescription, entity: NSEntityDescription
    ) throws(CocoaError) {
        if old.isToMany, !new.isToMany {
            throw failure(
                "A to-many relationship can't become a to-one relationship.", entity: entity, property: new,
                reason: "Source relationship is to-many and destination relationship is to-one")
        }
        guard let target = old.destinationEntity, let newTarget = new.destinationEntity else { return }
        let kept = match.subtree(of: target, in: match.sourceEntities)
            .filter { match.match(source: $0)?.destination != nil }
        guard kept.isEmpty || !match.survivors(of: target, in: newTarget).isEmpty else {
            throw failure(
                "Objects of \(target.name ?? "") aren't objects of \(newTarget.name ?? "").", entity: entity,
                property: new, reason: "Source and destination relationships have different destination entities")
        }
        if old.isToMany, old.inverseRelationship?.isToMany ?? false, new.inverseRelationship == nil {
            throw failure(
                "A many-to-many relationship needs an inverse.", entity: entity, property: new,
                reason: "Source relationship is many-to-many and destination relationship has no inverse")
        }
    }

    private func failure(
        _ sentence: String, entity: NSEntityDescription, property: NSPropertyDescription?, reason: String
    ) -> CocoaError {
        let subject = (entity.name ?? "") + (property.map { "." + $0.name } ?? "")
        var info: [String: Any] = ["entity": entity.name ?? "", "reason": reason]
        if let property { info["property"] = property.name }
        return CoreDataError.make(
            NSInferredMappingModelError, "No mapping model can be inferred for \(subject): \(sentence)", userInfo: info)
    }
}
