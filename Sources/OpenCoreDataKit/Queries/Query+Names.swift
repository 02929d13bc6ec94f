/// Conditions and orders as they are written elsewhere.
extension Query {
    /// The same as `filter(_:)`.
    public func `where`(_ predicate: Predicate<T>) -> Self { filter(predicate) }

    /// The same as `filter(_:)`.
    public func `where`(_ predicate: NSPredicate) -> Self { filter(predicate) }

    /// The same as `filter(_:_:)`.
    public func `where`(_ format: String, _ arguments: Any...) -> Self {
        filter(NSPredicate(format: format, argumentArray: arguments))
    }

    /// Adds a condition as a format string with its arguments.
    ///
    /// - Parameters:
    ///   - format: The condition, as in `title == %@`. Running the query throws when it can't be read.
    ///   - arguments: What stands for `%@`, and attributes' names for `%K`.
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
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
    public func sorted(by keyPath: PartialKeyPath<T>, _ order: SortOrder = .forward) -> Self {
        sorted(keyPath, order)
    }

    /// Sorts by a property. Replaces an earlier order.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
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
    /// - Parameter type: The class.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func all<T: NSManagedObject>(_ type: T.Type) throws -> [T] { try all(Query(type)) }

    /// Returns any object of a class, or `nil` if there are no objects.
    ///
    /// - Parameter type: The class.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func first<T: NSManagedObject>(_ type: T.Type) throws -> T? { try first(Query(type)) }

    /// Returns the number of objects of a class.
    ///
    /// - Parameter type: The class.
    /// - Throws: ``DatabaseError`` that names the entity.
    public func count<T: NSManagedObject>(_ type: T.Type) throws -> Int { try count(Query(type)) }

    /// The same as `all(_:)`.
    ///
    /// - Parameter query: The query.
    /// - Throws: A ``DatabaseError`` that names the entity and the condition.
    public func fetch<T>(_ query: Query<T>) throws -> [T] { try all(query) }

    /// Returns the object with an identifier, with its values.
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
