/// Conditions and orders as they are written elsewhere.
extension Query {
    /// The same as `filter(_:)`.
    ///
    /// The word is that of SQL and other libraries. Several conditions all have to be true.
    ///
    /// - Parameter predicate: The condition.
    /// - Returns: The changed query.
    public func `where`(_ predicate: Predicate<T>) -> Self { filter(predicate) }

    /// The same as `filter(_:)`.
    ///
    /// Several conditions all have to be true.
    ///
    /// - Parameter predicate: The condition.
    /// - Returns: The changed query.
    public func `where`(_ predicate: NSPredicate) -> Self { filter(predicate) }

    /// The same as `filter(_:_:)`.
    ///
    /// A mistake in the format doesn't stop the program: running the query throws
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameters:
    ///   - format: The condition, as in `title == %@`.
    ///   - arguments: The values for `%@`, and attributes' names for `%K`.
    /// - Returns: The changed query.
    public func `where`(_ format: String, _ arguments: Any...) -> Self {
        filter(NSPredicate(format: format, argumentArray: arguments))
    }

    /// Adds a condition as a format string with its arguments.
    ///
    /// Pass values as arguments, never as parts of the format: they are then compared as they are, whatever characters
    /// they have. A mistake in the format is a ``DatabaseError/invalidQuery(entity:reason:)`` when the query is run.
    ///
    /// ```swift
    /// let query = Query(Book.self).filter("title CONTAINS[c] %@ AND pages > %@", "river", 300)
    /// ```
    ///
    /// - Parameters:
    ///   - format: The condition, as in `title == %@`. Running the query throws when it can't be read.
    ///   - arguments: The values for `%@`, and attributes' names for `%K`.
    /// - Returns: The changed query.
    public func filter(_ format: String, _ arguments: Any...) -> Self {
        filter(NSPredicate(format: format, argumentArray: arguments))
    }

    /// Stores can't run closures.
    @available(*, unavailable, message: "A store can't run a closure: write filter(#Predicate { … }).")
    public func filter(_ isIncluded: (T) throws -> Bool) -> Self { self }

    /// Stores can't run closures.
    @available(*, unavailable, message: "A store can't run a closure: write filter(#Predicate { … }).")
    public func `where`(_ isIncluded: (T) throws -> Bool) -> Self { self }

    /// A closure can't be asked of a store.
    @available(*, unavailable, message: "A store can't run a closure: write sorted(by: \\.property).")
    public func sorted(by areInIncreasingOrder: (T, T) throws -> Bool) -> Self { self }

    /// Sorts by a property. Replaces an earlier order.
    ///
    /// Objects without a value come first in ascending order. Use `sorted(_:)` with descriptors for several
    /// properties. A key path that isn't a property of the model makes running the query throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
    /// - Returns: The changed query.
    public func sorted(by keyPath: PartialKeyPath<T>, _ order: SortOrder = .forward) -> Self {
        sorted(keyPath, order)
    }

    /// Sorts by a property. Replaces an earlier order.
    ///
    /// The same as `sorted(by:_:)`. A key path over to-one relationships is allowed.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
    /// - Returns: The changed query.
    public func sorted(_ keyPath: PartialKeyPath<T>, _ order: SortOrder = .forward) -> Self {
        do {
            let descriptor = NSSortDescriptor(key: try PropertyPath.name(of: keyPath), ascending: order == .forward)
            return adding(.order([descriptor]))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }
}

/// Verbs for all objects of a class, and by identifier.
extension NSManagedObjectContext {
    /// Returns all objects of a class, in no particular order.
    ///
    /// Objects of subentities and unsaved objects of the context are included, and deleted ones aren't.
    ///
    /// - Parameter type: The class.
    /// - Returns: The objects.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func all<T: NSManagedObject>(_ type: T.Type) throws -> [T] { try all(Query(type)) }

    /// Returns any object of a class, or `nil` if there are no objects.
    ///
    /// Meant for entities with a single object, such as settings: which of several objects is returned isn't
    /// determined.
    ///
    /// - Parameter type: The class.
    /// - Returns: The object, or `nil`.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func first<T: NSManagedObject>(_ type: T.Type) throws -> T? { try first(Query(type)) }

    /// Returns the number of objects of a class.
    ///
    /// Objects of subentities and unsaved objects of the context are included.
    ///
    /// - Parameter type: The class.
    /// - Returns: The number of objects.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func count<T: NSManagedObject>(_ type: T.Type) throws -> Int { try count(Query(type)) }

    /// The same as `all(_:)`.
    ///
    /// Meant for readers who look for the name of Core Data's own method.
    ///
    /// - Parameter query: The query.
    /// - Returns: The objects, in the order of the query.
    /// - Throws: A ``DatabaseError`` that names the entity and the condition.
    public func fetch<T>(_ query: Query<T>) throws -> [T] { try all(query) }

    /// Returns the object with an identifier, with its values.
    ///
    /// A loaded object is returned without a query; otherwise the store is read, so the result is never a fault for a
    /// missing row. An object that this context has deleted counts as deleted, even before a save.
    ///
    /// - Parameters:
    ///   - type: The object's class.
    ///   - id: The identifier.
    /// - Returns: The object, or `nil` if it was deleted.
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` if it is of another class or another database, or the
    ///   store's error.
    public func object<T: NSManagedObject>(_ type: T.Type, _ id: NSManagedObjectID) throws -> T? {
        let found: NSManagedObject
        do {
            found = try existingObject(with: id)
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectReferentialIntegrityError {
            try requireReachable(id)
            return nil
        }
        guard !found.isDeleted else { return nil }
        if let typed = found as? T { return typed }
        throw DatabaseError.foreignObject(
            entity: id.entity.name ?? "", reason: "It has the class \(Swift.type(of: found)), not \(T.self).")
    }
}
