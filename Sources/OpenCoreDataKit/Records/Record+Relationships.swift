import CoreDataPlatform
public import Foundation

// MARK: To one

extension Record {
    /// The record of the related object.
    ///
    /// The related object isn't loaded until a field of its record is read. A key path that isn't a relationship of the
    /// model is a programmer error.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The record, or `nil` if the relationship is empty.
    public subscript<Target: Record>(relationship: KeyPath<Self, RecordToOne<Object, Target>>) -> Target? {
        self[keyPath: relationship].read(object)
    }

    /// Sets a to-one relationship, and its inverse. Doesn't save.
    ///
    /// The object that was related before stays in the context. If the inverse is a to-one relationship, the target
    /// leaves the object that it was related to.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - target: The record of the related object; `nil` to remove it.
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` if the records are from different contexts.
    public func set<Target: Record>(_ relationship: KeyPath<Self, RecordToOne<Object, Target>>, to target: Target?)
        throws
    {
        if let target { try checkContext(of: target) }
        self[keyPath: relationship].write(target, object)
    }

    /// Objects of different contexts can't be related.
    fileprivate func checkContext(of other: some Record) throws {
        guard other.object.managedObjectContext !== object.managedObjectContext else { return }
        throw DatabaseError.foreignObject(
            entity: other.object.entity.name ?? "\(type(of: other))",
            reason:
                "It belongs to another context than the \(object.entity.name ?? "\(Self.self)") that it would be related to."
        )
    }
}

// MARK: To many

extension Record {
    /// The records of the related objects, in the order of the relationship if it is ordered.
    ///
    /// A relationship without an order has its records in any order. Unsaved changes of the relationship count.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The records; an empty array if no object is related.
    public subscript<Target: Record>(relationship: KeyPath<Self, RecordToMany<Object, Target>>) -> [Target] {
        self[keyPath: relationship].read(object).map { Target(object: $0) }
    }

    /// The records of the related objects, sorted.
    ///
    /// The objects are loaded and sorted in memory, so the order may use any property, also of unsaved objects. For a
    /// large relationship, fetch with a condition and a limit instead.
    ///
    /// ```swift
    /// let games = player[\.games, sortedBy: SortDescriptor(\.date, order: .reverse)]
    /// ```
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - order: The sort order, by properties of the objects.
    /// - Returns: The sorted records.
    public subscript<Target: Record>(
        relationship: KeyPath<Self, RecordToMany<Object, Target>>, sortedBy order: SortDescriptor<Target.Object>...
    ) -> [Target] {
        self[keyPath: relationship].read(object).sorted(using: order).map { Target(object: $0) }
    }

    /// Replaces the objects of a to-many relationship. Doesn't save.
    ///
    /// Objects that are no longer related stay in the context. An ordered relationship has the order of the array. If a
    /// record is refused, the relationship is unchanged.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - targets: The records of the related objects.
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` for a record from another context.
    public func set<Target: Record>(_ relationship: KeyPath<Self, RecordToMany<Object, Target>>, to targets: [Target])
        throws
    {
        for target in targets { try checkContext(of: target) }
        self[keyPath: relationship].write(targets.map(\.object), object)
    }

    /// Adds a record to a to-many relationship, at the end of an ordered one. A record that is already there keeps its
    /// position.
    ///
    /// The inverse is set as well. Doesn't save. Adding a record twice has no effect.
    ///
    /// - Parameters:
    ///   - target: The record.
    ///   - relationship: The relationship.
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` for a record from another context.
    public func add<Target: Record>(_ target: Target, to relationship: KeyPath<Self, RecordToMany<Object, Target>>)
        throws
    {
        try checkContext(of: target)
        self[keyPath: relationship].add(target.object, object)
    }

    /// Removes a record from a to-many relationship. Its object is deleted only if the model says so.
    ///
    /// The inverse is set as well. Nothing happens if the record isn't there. Doesn't save.
    ///
    /// - Parameters:
    ///   - target: The record.
    ///   - relationship: The relationship.
    /// - Throws: ``DatabaseError/foreignObject(entity:reason:)`` for a record from another context.
    public func remove<Target: Record>(
        _ target: Target, from relationship: KeyPath<Self, RecordToMany<Object, Target>>
    ) throws {
        try checkContext(of: target)
        self[keyPath: relationship].remove(target.object, object)
    }
}

// MARK: With an order

extension Record {
    /// Inserts a record at an index of an ordered relationship. A record that is already there moves to that index.
    ///
    /// The index counts the records without the inserted one, so the number of other records is the last index allowed.
    /// Doesn't save.
    ///
    /// - Parameters:
    ///   - target: The record.
    ///   - index: The index in the relationship after the insertion.
    ///   - relationship: The relationship.
    /// - Throws: ``DatabaseError/validation(_:)`` if the index is out of bounds, or the relationship isn't ordered;
    ///   ``DatabaseError/foreignObject(entity:reason:)`` for a record from another context.
    public func insert<Target: Record>(
        _ target: Target, at index: Int, in relationship: KeyPath<Self, RecordToMany<Object, Target>>
    ) throws {
        try checkContext(of: target)
        try reorder(relationship) { members in
            members.removeAll { $0 == target.object }
            try check(index, upTo: members.count, relationship)
            members.insert(target.object, at: index)
        }
    }

    /// Removes the record at an index from an ordered relationship.
    ///
    /// Its object stays in the context; delete it if it isn't needed any longer. Doesn't save.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - relationship: The relationship.
    /// - Returns: The removed record.
    /// - Throws: ``DatabaseError/validation(_:)`` if the index is out of bounds, or the relationship isn't ordered.
    @discardableResult
    public func remove<Target: Record>(at index: Int, from relationship: KeyPath<Self, RecordToMany<Object, Target>>)
        throws -> Target
    {
        try reorder(relationship) { members in
            try check(index, upTo: members.count - 1, relationship)
            return Target(object: members.remove(at: index))
        }
    }

    /// Moves a record of an ordered relationship.
    ///
    /// Moving a record to its own index changes nothing, and the object then doesn't count as changed. Doesn't save.
    ///
    /// - Parameters:
    ///   - index: The present index of the record.
    ///   - target: The new index, counted after the record was removed.
    ///   - relationship: The relationship.
    /// - Throws: ``DatabaseError/validation(_:)`` if an index is out of bounds, or the relationship isn't ordered.
    public func move<Target: Record>(
        from index: Int, to target: Int, in relationship: KeyPath<Self, RecordToMany<Object, Target>>
    ) throws {
        try reorder(relationship) { members in
            try check(index, upTo: members.count - 1, relationship)
            try check(target, upTo: members.count - 1, relationship)
            members.insert(members.remove(at: index), at: target)
        }
    }

    /// Exchanges two records of an ordered relationship.
    ///
    /// Equal indexes change nothing. Doesn't save.
    ///
    /// - Parameters:
    ///   - first: The index of one record.
    ///   - second: The index of the other.
    ///   - relationship: The relationship.
    /// - Throws: ``DatabaseError/validation(_:)`` if an index is out of bounds, or the relationship isn't ordered.
    public func swap<Target: Record>(
        _ first: Int, _ second: Int, in relationship: KeyPath<Self, RecordToMany<Object, Target>>
    ) throws {
        try reorder(relationship) { members in
            try check(first, upTo: members.count - 1, relationship)
            try check(second, upTo: members.count - 1, relationship)
            members.swapAt(first, second)
        }
    }

    private func reorder<Target: Record, Result>(
        _ relationship: KeyPath<Self, RecordToMany<Object, Target>>, _ change: (inout [Target.Object]) throws -> Result
    ) throws -> Result {
        let described = self[keyPath: relationship]
        guard described.isOrdered(object) else {
            throw refusal(described.name, nil, "The relationship has no order.")
        }
        let members = described.read(object)
        var changed = members
        let result = try change(&changed)
        if changed != members { described.write(changed, object) }
        return result
    }

    private func check<Target: Record>(
        _ index: Int, upTo last: Int, _ relationship: KeyPath<Self, RecordToMany<Object, Target>>
    ) throws {
        guard index < 0 || index > last else { return }
        let count = self[keyPath: relationship].read(object).count
        throw refusal(self[keyPath: relationship].name, index, "There is no such index among \(count) members.")
    }

    private func refusal(_ name: String?, _ index: Int?, _ reason: String) -> DatabaseError {
        let failure = DatabaseError.Failure(
            entity: object.entity.name ?? "\(Object.self)", property: name, value: index.map(String.init),
            reason: reason, objectID: object.objectID)
        return .validation([failure])
    }
}
