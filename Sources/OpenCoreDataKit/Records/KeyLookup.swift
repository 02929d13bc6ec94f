/// Finds the objects of a class by their keys, the values of one attribute, many with one query.
package struct KeyLookup<T: NSManagedObject, Key: Hashable> {
    /// The most keys that one query asks for.
    private static var longestList: Int { 10_000 }

    package let context: NSManagedObjectContext
    let layout: EntityLayout
    private let key: String
    /// The type of the attribute.
    package let attributeType: NSAttributeType

    /// - Parameters:
    ///   - type: The class.
    ///   - entity: The entity's name; found by the class if omitted.
    ///   - key: The attribute.
    ///   - context: Where to look, on its queue.
    /// - Throws: ``DatabaseError`` when the class has no entity, or the key is no stored attribute of it.
    package init(
        _ type: T.Type, entity: String? = nil, attribute key: String, in context: NSManagedObjectContext
    ) throws {
        self.context = context
        layout = try context.entityLayout(for: type, named: entity)
        self.key = key
        guard case .attribute(let attribute) = try PropertyPath.target(of: key, from: layout), !attribute.isTransient
        else {
            throw DatabaseError.invalidQuery(
                entity: layout.name, reason: "The key '\(key)' of \(T.self) isn't a stored attribute.")
        }
        attributeType = attribute.attributeType
    }

    /// The key of an object; `nil` when it has none, or one of another type.
    func value(of object: NSManagedObject) -> Key? {
        object.value(forKey: key).flatMap { StoredValue.converted($0, to: Key.self) }
    }

    /// Sets an object's key.
    package func set(_ value: Key, of object: T) { object.setValue(value, forKey: key) }

    /// The first object with a key among those that have their values in memory.
    package func loaded(_ wanted: Key) -> T? {
        context.firstLoaded(layout, where: { value(of: $0) == wanted }) as? T
    }

    /// The first object with a key: a loaded one without asking the store.
    package func first(_ wanted: Key) throws -> T? {
        if let loaded = loaded(wanted) { return loaded }
        return try context.first(query.filter(condition(NSExpression(forConstantValue: wanted), .equalTo)))
    }

    /// The objects that there are for keys, unsaved ones included: one query for thousands of keys. Of several objects
    /// with one key it is the first.
    package func existing(_ keys: some Sequence<Key>, prefetching paths: [String] = []) throws -> [Key: T] {
        let wanted = Set(try hashable(keys))
        var found = unsaved(wanted)
        let missing = found.isEmpty ? Array(wanted) : wanted.filter { found[$0] == nil }
        for start in stride(from: 0, to: missing.count, by: Self.longestList) {
            let keys = Array(missing[start..<min(start + Self.longestList, missing.count)])
            for object in try stored(keys, paths) {
                // One whose key was changed in memory has been found above, or is not wanted.
                guard !object.isDeleted, !object.isUpdated || context.parent != nil, let key = value(of: object),
                    found[key] == nil
                else { continue }
                found[key] = object
            }
        }
        return found
    }

    /// Outside Apple's systems, hashing an `NSDecimalNumber` recurses without end, so such keys are refused.
    private func hashable(_ keys: some Sequence<Key>) throws -> [Key] {
        let keys = Array(keys)
        #if !canImport(ObjectiveC)
        if Key.self == String.self || Key.self == UUID.self || Key.self is any BinaryInteger.Type { return keys }
        func isDecimalNumber(_ key: Key) -> Bool {
            guard let value = OptionalValue.flatten((key as AnyHashable).base) else { return false }
            // A cast would make one of a `Decimal`.
            return type(of: value) is NSDecimalNumber.Type
        }
        if Key.self is AnyClass && attributeType == .decimalAttributeType || keys.contains(where: isDecimalNumber) {
            throw DatabaseError.invalidQuery(
                entity: layout.name,
                reason: "Keys of the type \(Key.self) can't be hashed if they are decimal numbers; use Decimal.")
        }
        #endif
        return keys
    }

    /// New and changed objects of this context; those of the contexts above come with the query.
    private func unsaved(_ wanted: Set<Key>) -> [Key: T] {
        var found: [Key: T] = [:]
        guard context.hasChanges else { return found }
        for object in context.insertedObjects.union(context.updatedObjects) where !object.isDeleted {
            guard let object = object as? T, let key = value(of: object), wanted.contains(key), found[key] == nil else {
                continue
            }
            found[key] = object
        }
        return found
    }

    private func stored(_ keys: [Key], _ paths: [String]) throws -> [T] {
        guard !keys.isEmpty else { return [] }
        let request: NSFetchRequest<T> = try query.prefetching(paths: paths).request(for: layout, in: context)
        request.predicate = condition(NSExpression(forConstantValue: keys), .in)
        // This context's own changes were looked at already.
        request.includesPendingChanges = context.parent != nil
        return try DatabaseError.translating(layout, nil) { try context.fetch(request) }
    }

    private var query: Query<T> { Query(T.self, entity: layout.name) }

    private func condition(_ value: NSExpression, _ type: NSComparisonPredicate.Operator) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: value, modifier: .direct, type: type)
    }
}

extension KeyLookup where T: Keyed, Key == T.Key {
    /// - Throws: ``DatabaseError`` when the class has no entity, or its key isn't a stored attribute.
    init(_ type: T.Type, in context: NSManagedObjectContext) throws {
        try self.init(type, attribute: type.keyAttribute, in: context)
    }
}
