import Foundation

extension NSPersistentStoreCoordinator {
    /// What `managedObjectID(forURIRepresentation:)` does.
    final func identifier(forURIRepresentation url: URL) -> NSManagedObjectID? {
        managedObjectID(for: url.absoluteString)
    }

    /// Returns the identifier that a URI represents, whether or not there is such an object.
    ///
    /// Nothing is read, so the row may be gone; ``NSManagedObjectContext/existingObject(with:)`` finds out. The URI of
    /// a temporary ID gives a temporary ID.
    ///
    /// - Parameter string: The URI as a string, from `NSManagedObjectID.uriRepresentation()`.
    /// - Returns: The identifier, or `nil` if the URI names none of the coordinator's stores and entities.
    public func managedObjectID(for string: String) -> NSManagedObjectID? {
        guard let uri = ObjectURI(string), let (parts, entity) = named(uri) ?? named(uri.withLongName) else {
            return nil
        }
        guard !parts.storeIdentifier.isEmpty else {
            guard parts.component.hasPrefix("t"),
                let reference = TemporaryReference.reference(ofUUIDString: String(parts.component.dropFirst()))
            else { return nil }
            return NSManagedObjectID(layout: entity, reference: reference, store: nil)
        }
        guard let store = store(withIdentifier: parts.storeIdentifier) else { return nil }
        if let naming = store as? any ReferenceNaming {
            return naming.reference(forURIComponent: parts.component, entity: entity)
                .map { NSManagedObjectID(layout: entity, reference: $0, store: store) }
        }
        guard parts.component.hasPrefix("p"), let reference = Int64(parts.component.dropFirst()), reference > 0
        else { return nil }
        return NSManagedObjectID(layout: entity, reference: reference, store: store)
    }

    private func named(_ uri: ObjectURI?) -> (ObjectURI, EntityLayout)? {
        uri.flatMap { uri in layout[uri.entityName].map { (uri, $0) } }
    }
}

/// The parts of an object's URI: `x-coredata://store/entity/component`.
private struct ObjectURI {
    let storeIdentifier: String
    let entityName: String
    let component: String

    init?(_ string: String) {
        let scheme = "x-coredata://"
        guard string.hasPrefix(scheme) else { return nil }
        let parts = string.dropFirst(scheme.count)
            .split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let name = parts[1].removingPercentEncoding, !name.isEmpty, !parts[2].isEmpty
        else { return nil }
        storeIdentifier = parts[0]
        entityName = name
        component = parts[2]
    }

    private init(storeIdentifier: String, entityName: String, component: String) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.component = component
    }

    /// The same for an entity whose name has slashes, as earlier versions wrote it; `nil` if there is no further slash.
    var withLongName: ObjectURI? {
        guard let last = component.lastIndex(of: "/"), let rest = component[..<last].removingPercentEncoding else {
            return nil
        }
        let component = String(component[component.index(after: last)...])
        return component.isEmpty
            ? nil
            : ObjectURI(
                storeIdentifier: storeIdentifier, entityName: entityName + "/" + rest, component: component)
    }
}
