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
            where error.isAboutValues && (schema.isExisting || !error.isAboutKeys)
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
        let names = columns.map { name(of: $0, entity) }
        let layout = entity.layout.name
        let subject = names.isEmpty ? "The values of \(layout)" : "\(names.joined(separator: ", ")) of \(layout)"
        let constraint = error.constraint.map { " (\($0))" } ?? ""
        let (code, reason): (Int, String) =
            switch error.sqlState {
            case _ where error.isAboutRequirement:
                (NSValidationMissingMandatoryPropertyError, "is a required value of the table \(table)")
            case "23505", "23P01":
                (NSManagedObjectConstraintMergeError, "must differ in all rows of the table \(table)\(constraint)")
            default: (NSManagedObjectValidationError, "breaks a rule of the table \(table)\(constraint)")
            }
        return CoreDataError.make(
            code, "\(subject) \(reason).", underlying: error,
            userInfo: names.first.map { [NSValidationKeyErrorKey: $0] } ?? [:])
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
                    WHERE i.indrelid = a.attrelid AND x.relname = $2::text) ORDER BY a.attnum
            """, values: [.text(schema.qualified(table)), .text(constraint)], isPrepared: false
        ).forEachRow { columns.append($0.string(0)) }
        return columns
    }

    /// The property that a column stands for.
    private func name(of column: String, _ entity: EntityMapping) -> String {
        for case let slot? in entity.layout.slots where entity.column(slot)?.name == column { return slot.name }
        return entity.attributeName(ofColumn: column)
    }
}

extension PostgreSQLError {
    /// Whether a row would break a constraint of its table, other than a foreign key.
    fileprivate var isAboutValues: Bool { ["23502", "23505", "23514", "23P01"].contains(sqlState) }
    /// Whether a row has no value where its entity requires one.
    fileprivate var isAboutRequirement: Bool {
        sqlState == "23502" || constraint?.hasSuffix(PostgreSQLSchema.requirementSuffix) == true
    }
    /// Whether another row has the values.
    fileprivate var isAboutKeys: Bool { ["23505", "23P01"].contains(sqlState) }
}
#endif
