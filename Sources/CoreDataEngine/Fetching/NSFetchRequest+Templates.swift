import Foundation

extension FetchRequestTemplate {
    /// The template as a request.
    func request(in model: NSManagedObjectModel?) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        if let entityName {
            if let entity = model?.entitiesByName[entityName] {
                request.entity = entity
            } else {
                request.setEntityName(entityName)
            }
        }
        do {
            request.predicate = try effectivePredicate()
        } catch {
            request.predicate = NSPredicate(invalid: error)
        }
        request.sortDescriptors = sortKeys.isEmpty ? nil : sortKeys.map(\.descriptor)
        request.fetchLimit = fetchLimit
        request.fetchOffset = fetchOffset
        request.fetchBatchSize = fetchBatchSize
        request.resultType = NSFetchRequestResultType(rawValue: resultType)
        request.includesSubentities = includesSubentities
        request.includesPropertyValues = includesPropertyValues
        request.includesPendingChanges = includesPendingChanges
        request.returnsObjectsAsFaults = returnsObjectsAsFaults
        request.returnsDistinctResults = returnsDistinctResults
        request.propertiesToFetch = propertiesToFetch.isEmpty ? nil : propertiesToFetch
        request.propertiesToGroupBy = propertiesToGroupBy.isEmpty ? nil : propertiesToGroupBy
        request.havingPredicate = havingPredicate
        request.relationshipKeyPathsForPrefetching =
            relationshipKeyPathsForPrefetching.isEmpty ? nil : relationshipKeyPathsForPrefetching
        return request
    }

    /// Takes a request's settings over.
    init(name: String, request: NSFetchRequestBase) {
        self.init(name: name, entityName: request.entityName ?? request.entity?.name)
        predicate = request.predicate
        sortKeys = (request.sortDescriptors ?? []).compactMap { descriptor in
            descriptor.key.map {
                SortKey(key: $0, ascending: descriptor.ascending, selectorName: descriptor.selector?.description)
            }
        }
        fetchLimit = request.fetchLimit
        fetchOffset = request.fetchOffset
        fetchBatchSize = request.fetchBatchSize
        resultType = request.resultType.rawValue
        includesSubentities = request.includesSubentities
        includesPropertyValues = request.includesPropertyValues
        includesPendingChanges = request.includesPendingChanges
        returnsObjectsAsFaults = request.returnsObjectsAsFaults
        returnsDistinctResults = request.returnsDistinctResults
        propertiesToFetch = (request.propertiesToFetch ?? []).compactMap {
            ($0 as? NSPropertyDescription)?.name ?? $0 as? String
        }
        propertiesToGroupBy = (request.propertiesToGroupBy ?? []).compactMap {
            ($0 as? NSPropertyDescription)?.name ?? $0 as? String
        }
        havingPredicate = request.havingPredicate
        relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching ?? []
    }
}

extension FetchRequestTemplate.SortKey {
    var descriptor: NSSortDescriptor {
        guard let selectorName else { return NSSortDescriptor(key: key, ascending: ascending) }
        return NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selectorName))
    }
}

extension NSManagedObjectModel {
    /// What `fetchRequestTemplatesByName` says.
    final var requestsByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        fetchRequestTemplates.mapValues { $0.request(in: self) }
    }

    /// What `fetchRequestTemplate(forName:)` does.
    final func template(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        fetchRequestTemplates[name]?.request(in: self)
    }

    /// What `fetchRequestFromTemplate(withName:substitutionVariables:)` does.
    final func requestFromTemplate(withName name: String, substitutionVariables variables: [String: Any])
        -> NSFetchRequest<any NSFetchRequestResult>?
    {
        guard let request = fetchRequestTemplate(forName: name) else { return nil }
        request.predicate = request.predicate?.withSubstitutionVariables(variables)
        return request
    }

    /// What `setFetchRequestTemplate(_:forName:)` does.
    final func setTemplate(_ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String) {
        requireEditable()
        fetchRequestTemplates[name] = request.map { FetchRequestTemplate(name: name, request: $0) }
    }
}

extension NSFetchedPropertyDescription {
    /// What `fetchRequest` says.
    final var requestOfTemplate: NSFetchRequest<any NSFetchRequestResult>? {
        get { template?.request(in: entityModel) }
        set { template = newValue.map { FetchRequestTemplate(name: "fetchedPropertyFetchRequest", request: $0) } }
    }

    private var entityModel: NSManagedObjectModel? { declaringEntity?.owner }
}

extension NSManagedObject {
    /// What a fetched property's request finds now; `nil` when the stores can't be asked.
    final func fetchedPropertyValue(_ property: NSFetchedPropertyDescription) -> Any? {
        do {
            return try fetchedObjects(property)
        } catch {
            managedObjectContext?.failures.reads.record(error, .fetchedProperty(property), of: self)
            return nil
        }
    }

    final func fetchedObjects(_ property: NSFetchedPropertyDescription) throws -> [any NSFetchRequestResult]? {
        guard let context = managedObjectContext, let request = property.fetchRequest else { return nil }
        // What the object has now is asked here, and not by a store or a parent context, to which it may be another one.
        request.predicate = try request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
        ]).evaluatingParts { ($0 as AnyObject) === self || ($0 as AnyObject) === property }
        return try context.fetch(request)
    }

    /// What `entity` does.
    static func entityOfClass() -> NSEntityDescription {
        if let entity = ManagedObjectClass.entity(of: self) { return entity }
        ManagedObjectClass.recordMissingEntity(of: self)
        return EntityLayout.nameless.entity
    }

    /// What `fetchRequest` does.
    static func requestForClass() -> NSFetchRequest<any NSFetchRequestResult> {
        ManagedObjectClass.noticed(self)
        let name = ManagedObjectClass.entity(of: self)?.name ?? String(describing: self)
        return NSFetchRequest(entityName: name)
    }
}
