/// Derived sums that triggers keep by adding and subtracting, which of fractions comes to a little more or less in the end: at
/// the end of a transaction they are added up, once for each owner.
struct DerivedSums: Sendable {
    /// A sum of one owner.
    struct Owner: Hashable, Sendable {
        var key: DerivedSum.Key
        var table: String
        var primaryKey: Int64

        init(_ change: AffectedValues.Change) {
            key = DerivedSum.Key(entity: change.entity, property: change.property)
            table = change.table
            primaryKey = change.primaryKey
        }
    }

    private let sums: [DerivedSum.Key: DerivedSum]

    init(_ schema: SQLSchema) { sums = DerivedAttributeTriggers(schema).inexactSums }

    /// The attributes that are such sums.
    var keys: Set<DerivedSum.Key> { Set(sums.keys) }

    /// Adds up the sums among some changes.
    ///
    /// - Returns: The changes, and then those that this made.
    func settled(
        _ changes: [AffectedValues.Change], in connection: SQLiteConnection
    ) throws -> [AffectedValues.Change] {
        guard !sums.isEmpty, !changes.isEmpty else { return changes }
        var known: Set<Owner> = []
        let owners = changes.lazy.map(Owner.init).filter { sums[$0.key] != nil && known.insert($0).inserted }
        return changes + (try settle(Array(owners), in: connection))
    }

    /// Adds up some sums.
    ///
    /// - Returns: What changed by that.
    @discardableResult
    func settle(
        _ owners: some Sequence<Owner>, in connection: SQLiteConnection
    ) throws -> [AffectedValues.Change] {
        var changes: [AffectedValues.Change] = []
        for owner in owners {
            guard let sum = sums[owner.key],
                let row = try connection.rows(sum.read, [.integer(owner.primaryKey)]).first,
                row[2] != .integer(1)
            else { continue }
            try connection.run(sum.write, [.integer(owner.primaryKey), row[0]])
            let stored = try connection.rows(sum.read, [.integer(owner.primaryKey)]).first?[1] ?? row[0]
            changes.append(
                AffectedValues.Change(
                    table: owner.table, entity: owner.key.entity, primaryKey: owner.primaryKey,
                    property: owner.key.property, value: stored, isInsertion: false))
            changes += connection.affectedValues.take()
        }
        return changes
    }
}
