import Foundation

/// Empties everything that points to rows which a batch deletes: foreign keys, also those that no property represents, and
/// pairs of many-to-many relationships.
struct BatchDetaching {
    private let work: BatchWork
    private let rowCache: RowCache

    /// A foreign key and where it stands.
    private struct Reference {
        var table: String
        var column: ColumnMapping
        var target: EntityLayout
        /// The property; `nil` for a column that no property represents.
        var slot: SlotLayout?
        var owner: EntityLayout?
    }

    init(_ work: BatchWork, rowCache: RowCache) {
        self.work = work
        self.rowCache = rowCache
    }

    /// Detaches the rows of some trees that are in the batch's table.
    ///
    /// - Throws: Core Data error 1570 when a mandatory relationship of a row that stays would lose its object.
    func detach(_ roots: Set<EntityLayout>) throws {
        for reference in references(to: roots) { try empty(reference) }
        try deletePairs(roots)
    }

    private func references(to roots: Set<EntityLayout>) -> [Reference] {
        var known: Set<String> = []
        var result: [Reference] = []
        func add(_ reference: Reference) {
            guard roots.contains(reference.target), known.insert("\(reference.table).\(reference.column.name)").inserted
            else { return }
            result.append(reference)
        }
        for case let entity? in work.runtime.mapping.entities {
            for relationship in entity.layout.relationships {
                switch entity.mapping(relationship) {
                case .toOne(let column):
                    add(
                        Reference(
                            table: entity.table, column: column, target: relationship.destination.root,
                            slot: relationship.slot.flatMap { entity.layout.slots[$0] }, owner: entity.layout.root))
                case .hidden(let table, let column):
                    add(Reference(table: table, column: column, target: entity.layout.root))
                case .inverse, .join, .none: continue
                }
            }
        }
        return result
    }

    private func empty(_ reference: Reference) throws {
        let table = SQLName.quotedIfNeeded(reference.table)
        let name = SQLName.quotedIfNeeded(reference.column.name)
        var condition = "\(name) IN \(BatchRowTable.keys(of: reference.target))"
        // A row that goes too may point to whatever it likes.
        if let owner = reference.owner { condition += " AND Z_PK NOT IN \(BatchRowTable.keys(of: owner))" }
        try checkIsOptional(reference, table, condition)
        try recordChanges(reference, table, condition)
        let columns = [reference.column.name, reference.column.entityColumn, reference.column.orderColumn]
            .compactMap { $0 }.map { "\(SQLName.quotedIfNeeded($0))=NULL" }
        // The row keeps its version, as with a foreign key that a database empties: who changes something else of it has
        // no conflict. Setting it has triggers notice the change.
        let assignments = (reference.slot == nil ? columns : columns + ["Z_OPT=Z_OPT"]).joined(separator: ",")
        try work.connection.run("UPDATE \(table) SET \(assignments) WHERE \(condition)")
    }

    private func checkIsOptional(_ reference: Reference, _ table: String, _ condition: String) throws {
        guard let slot = reference.slot, !slot.isOptional,
            try work.connection.firstValue("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1") != nil
        else { return }
        throw CoreDataError.make(
            NSValidationMissingMandatoryPropertyError,
            "The batch delete would leave \(slot.name) of \(slot.owner.name), which is a required value, without an object.",
            userInfo: [NSValidationKeyErrorKey: slot.name])
    }

    private func recordChanges(_ reference: Reference, _ table: String, _ condition: String) throws {
        guard let slot = reference.slot else { return }
        try work.forEachRow("SELECT Z_PK, Z_ENT FROM \(table) WHERE \(condition)") { row in
            if let owner = reference.owner { rowCache.forget(reference: row.int64(at: 0), root: owner) }
            guard let history = work.history, let entity = work.runtime.mapping.entity(number: row.int64(at: 1)),
                entity.table == reference.table
            else { return }
            try history.add(.update, entity, reference: row.int64(at: 0), names: [slot.name])
        }
    }

    private func deletePairs(_ roots: Set<EntityLayout>) throws {
        var known: Set<String> = []
        for case let entity? in work.runtime.mapping.entities {
            for relationship in entity.layout.relationships {
                guard case .join(let join) = entity.mapping(relationship) else { continue }
                let sides = [
                    (join.ownerColumn, entity.layout.root), (join.destinationColumn, relationship.destination.root),
                ]
                for (column, root) in sides
                where roots.contains(root) && known.insert("\(join.table).\(column)").inserted {
                    try work.connection.run(
                        "DELETE FROM \(SQLName.quotedIfNeeded(join.table)) "
                            + "WHERE \(SQLName.quotedIfNeeded(column)) IN \(BatchRowTable.keys(of: root))")
                }
            }
        }
    }
}
