import Foundation

extension SQLiteStore {
    package func fetchReferences(_ query: StoreQuery) throws -> ReferenceList {
        let runtime = try runtime()
        let statement = try runtime.builder.rows(query) { "\($0).Z_PK, \($0).Z_ENT" }
        return try runtime.pool.read { connection in
            var list = ReferenceList(entity: query.entity)
            var (number, index) = (Int64(0), query.entity.index)
            try connection.withStatement(statement.sql) { prepared in
                try prepared.bind(statement.bindings)
                while try prepared.step() {
                    if prepared.int64(at: 1) != number {
                        number = prepared.int64(at: 1)
                        index = try runtime.layoutIndex(number: number, entity: query.entity)
                    }
                    list.append(prepared.int64(at: 0), entityIndex: index)
                }
            }
            return list
        }
    }
}

extension StoreRuntime {
    /// The entity of rows with a number.
    ///
    /// - Throws: An error that names the number when the model has none of it.
    fileprivate func layoutIndex(number: Int64, entity: EntityLayout) throws -> Int {
        if let index = mapping.layoutIndex(number: number) { return index }
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "A row of \(entity.name) has the entity number \(number), which the model does not have.")
    }
}
