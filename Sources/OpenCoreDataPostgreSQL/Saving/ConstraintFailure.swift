#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLRuntime {
    /// Runs a block; what breaks a constraint of a table is a validation error that names entity and property.
    ///
    /// - Parameter end: What ends the transaction, or the part of it, in which the block failed.
    func namingConstraints<Result>(
        _ connection: PostgreSQLConnection, after end: () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as PostgreSQLError
            where schema.isExisting ? error.isAboutExistingValues : error.isAboutValues && !error.isAboutKeys
        {
            end()
            throw validationError(error, connection) ?? error
        }
    }

    private func validationError(_ error: PostgreSQLError, _ connection: PostgreSQLConnection) -> CocoaError? {
        guard let table = error.table,
            let entity = mapping.entities.lazy.compactMap({ $0 }).first(where: { $0.table == table })
        else { return nil }
        var columns = error.column.map { [$0] } ?? []
        if columns.isEmpty, let constraint = error.constraint {
            columns = (try? self.columns(of: constraint, table: table, connection)) ?? []
            // What rows the constraint is about is not what it is about.
            if columns.count > 1, !schema.isExisting { columns.removeAll(where: Self.isSystem) }
        }
        if error.isAboutDeletion { return deletionError(error, entity, columns) }
        let names = columns.map { name(of: $0, entity) }
        let layout = entity.layout.name
        let subject = names.isEmpty ? "A value of \(layout)" : "\(names.joined(separator: ", ")) of \(layout)"
        let constraint = error.constraint.map { " (\($0))" } ?? ""
        let (code, reason): (Int, String) =
            switch error.sqlState {
            case _ where error.isAboutRequirement:
                (NSValidationMissingMandatoryPropertyError, "is a required value of the table \(table)")
            case "23505", "23P01":
                (NSManagedObjectConstraintMergeError, "must differ in all rows of the table \(table)\(constraint)")
            case "23503": (NSManagedObjectValidationError, "refers to a row that isn't there\(constraint)")
            case "22003": (NSValidationNumberTooLargeError, "has more digits than the table \(table) takes")
            default: (NSManagedObjectValidationError, "breaks a rule of the table \(table)\(constraint)")
            }
        return CoreDataError.make(
            code, "\(subject) \(reason).", underlying: error,
            userInfo: names.first.map { [NSValidationKeyErrorKey: $0] } ?? [:])
    }

    /// The error of objects that rows of others refer to.
    private func deletionError(
        _ error: PostgreSQLError, _ owner: EntityMapping, _ columns: [String]
    ) -> CocoaError {
        let toOne = owner.layout.relationships.first { relationship in
            guard case .toOne(let column) = owner.mapping(relationship) else { return false }
            return columns == [column.name]
        }
        let subject = toOne?.destination.name ?? "an entity"
        let key = toOne?.inverse?.name
        return CoreDataError.make(
            NSValidationRelationshipDeniedDeleteError,
            "An object of \(subject) can't be deleted: rows of the table \(owner.table) refer to it"
                + (error.constraint.map { " (\($0))" } ?? "") + ".", underlying: error,
            userInfo: key.map { [NSValidationKeyErrorKey: $0] } ?? [:])
    }

    private static func isSystem(_ column: String) -> Bool {
        let system = PostgreSQLSchema.system
        return [system.key, system.entity, system.version].contains(column)
    }

    /// The columns that a constraint, or a unique index, is about.
    private func columns(
        of constraint: String, table: String, _ connection: PostgreSQLConnection
    ) throws -> [String] {
        guard connection.transactionState == .none || connection.transactionState == .open else { return [] }
        var columns: [String] = []
        try connection.execute(
            """
            SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = to_regclass($1::text) AND a.attnum = ANY(
                SELECT unnest(c.conkey) FROM pg_constraint c WHERE c.conrelid = a.attrelid AND c.conname = $2::text
                UNION SELECT unnest(i.indkey::int2[]) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
                    WHERE i.indrelid = a.attrelid AND x.relname = $2::text
                UNION SELECT d.attnum FROM pg_attribute d JOIN pg_constraint c ON c.contypid = d.atttypid
                    WHERE d.attrelid = a.attrelid AND c.conname = $2::text) ORDER BY a.attnum
            """, values: [.text(schema.qualified(table)), .text(constraint)], isPrepared: false
        ).forEachRow { columns.append($0.string(0)) }
        return columns
    }

    /// The property that a column represents.
    private func name(of column: String, _ entity: EntityMapping) -> String {
        for case let slot? in entity.layout.slots where entity.column(slot)?.name == column { return slot.name }
        return entity.attributeName(ofColumn: column)
    }
}

extension PostgreSQLError {
    /// Whether a row would break a constraint of its table, other than a foreign key.
    fileprivate var isAboutValues: Bool { ["23502", "23505", "23514", "23P01"].contains(sqlState) }
    /// The same in tables of others, whose foreign keys, types and domains are not the model's.
    fileprivate var isAboutExistingValues: Bool {
        isAboutValues || ["23503", "23001"].contains(sqlState) || sqlState?.hasPrefix("22") == true
    }
    /// Whether a row can't be deleted because others refer to it.
    fileprivate var isAboutDeletion: Bool {
        if sqlState == "23001" { return true }
        guard sqlState == "23503" else { return false }
        // Of constraints that are checked at the end, only the server's words say what it was.
        return isOfDeletion ?? message.hasPrefix("update or delete on table ")
    }
    /// Whether a row has no value where its entity requires one.
    fileprivate var isAboutRequirement: Bool {
        sqlState == "23502" || constraint?.hasSuffix(PostgreSQLSchema.requirementSuffix) == true
    }
    /// Whether another row has the values.
    fileprivate var isAboutKeys: Bool { ["23505", "23P01"].contains(sqlState) }
}
#endif
