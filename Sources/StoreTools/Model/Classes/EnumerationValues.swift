import OpenCoreData

/// The raw values of enumerations that a store has. SwiftData's models don't name them.
package struct EnumerationValues {
    /// The values by the names of entity and attribute.
    package let values: [String: [String: [AnyHashable]]]

    /// No values, for a model without a store.
    package init() { values = [:] }

    /// Reads the values of all enumerations from a store.
    package init(_ session: StoreSession) throws {
        var found: [String: [String: [AnyHashable]]] = [:]
        for entity in session.model.entities {
            guard let name = entity.name else { continue }
            for case let composite as NSCompositeAttributeDescription in entity.ownAttributes {
                guard case .rawValues(let element) = CompositeShape(of: composite) else { continue }
                let request = NSFetchRequest<NSDictionary>(entityName: name)
                request.resultType = .dictionaryResultType
                let path = "\(composite.name).\(element.name)"
                request.propertiesToFetch = [path]
                request.returnsDistinctResults = true
                found[name, default: [:]][composite.name] = try session.perform { context in
                    try context.fetch(request).compactMap { $0[path] as? AnyHashable }
                }
            }
        }
        values = found
    }
}

extension NSEntityDescription {
    /// The attributes that no superentity has, in the order of the model.
    var ownAttributes: [NSAttributeDescription] {
        properties.compactMap { $0 as? NSAttributeDescription }
            .filter { superentity?.propertiesByName[$0.name] == nil }
    }

    /// The relationships that no superentity has, in the order of the model.
    var ownRelationships: [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }
            .filter { superentity?.propertiesByName[$0.name] == nil }
    }
}
