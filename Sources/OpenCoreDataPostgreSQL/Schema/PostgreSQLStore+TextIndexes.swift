#if PostgreSQL
public import Foundation
import OpenCoreData

extension PostgreSQLStore {
    /// An index for texts that people search and read.
    public enum TextIndex: Sendable {
        /// For `CONTAINS`, `BEGINSWITH`, `ENDSWITH` and `==` with the options `c` and `d`, and for `LIKE[cd]`. The server
        /// needs the extension `pg_trgm`.
        case search
        /// For sort descriptors with `localizedStandardCompare:`, in the locale of this program. The server has to be built
        /// with ICU.
        case localizedOrder
    }

    /// Makes an index for the strings of an attribute.
    ///
    /// Programs go on to write while it is made. Those that have the store open use it once they have opened the store again.
    /// It is no part of the model. If there is such an index, nothing is done.
    ///
    /// - Parameters:
    ///   - index: What the index is for.
    ///   - attribute: A string attribute.
    ///   - entity: The name of its entity.
    ///   - url: The store.
    /// - Throws: When there is no such store or attribute, or the server or the user's rights don't allow the index.
    public static func makeTextIndex(
        _ index: TextIndex, of attribute: String, in entity: String, at url: URL
    ) throws {
        try StoreLocation(url, options: nil).withConnection { connection, location in
            let column = try TextIndexColumn(attribute, of: entity, location, connection)
            try column.make(index, connection)
        }
    }

    /// Removes an index that ``makeTextIndex(_:of:in:at:)`` has made. Without one, nothing is done.
    ///
    /// - Parameters:
    ///   - index: What the index is for.
    ///   - attribute: A string attribute.
    ///   - entity: The name of its entity.
    ///   - url: The store.
    /// - Throws: When there is no such store or attribute, or the user may not remove it.
    public static func removeTextIndex(
        _ index: TextIndex, of attribute: String, in entity: String, at url: URL
    ) throws {
        try StoreLocation(url, options: nil).withConnection { connection, location in
            let column = try TextIndexColumn(attribute, of: entity, location, connection)
            try connection.runScript("DROP INDEX CONCURRENTLY IF EXISTS \(column.name(of: index))")
        }
    }
}

/// The column of an attribute, for an index on its texts.
private struct TextIndexColumn {
    private let schema: PostgreSQLSchema
    private let table: String
    private let column: String
    private let subject: String

    init(
        _ attribute: String, of entity: String, _ location: StoreLocation, _ connection: PostgreSQLConnection
    ) throws {
        guard let metadata = try StoreMetadata.read(location.schema, connection, location: location.displayName) else {
            throw location.missing(connection)
        }
        schema = try location.schema(of: metadata, connection)
        let mapping = schema.mapping.entities.lazy.compactMap { $0 }.first { $0.layout.name == entity }
        guard let mapping, let slot = mapping.layout.slot(named: attribute), slot.kind == .string,
            let column = mapping.column(slot)
        else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(location.displayName) has no string attribute \(attribute) of an entity \(entity) to make an index of."
            )
        }
        (table, self.column) = (mapping.table, column.name)
        subject = "The index on \(attribute) of \(entity)"
    }

    private func plainName(of index: PostgreSQLStore.TextIndex) -> String {
        switch index {
        case .search: PostgreSQLName.fitting("\(TextIndexes.searchPrefix)\(table)_\(column)")
        case .localizedOrder: TextIndexes.orderName(table, column)
        }
    }

    func name(of index: PostgreSQLStore.TextIndex) -> String { schema.qualified(plainName(of: index)) }

    func make(_ index: PostgreSQLStore.TextIndex, _ connection: PostgreSQLConnection) throws {
        let definition: String
        switch index {
        case .search: definition = try prepareSearch(connection)
        case .localizedOrder: definition = try prepareOrder(connection)
        }
        // One whose making was interrupted is there and isn't valid; one of another program's Unicode or locale is of no use.
        let found = try connection.execute(
            "SELECT i.indisvalid AND strpos(pg_get_indexdef(i.indexrelid), $2::text) > 0 FROM pg_index i "
                + "WHERE i.indexrelid = to_regclass($1::text)",
            values: [.text(name(of: index)), .text(mark(of: index))], isPrepared: false)
        if let row = found.first {
            if try row.bool(0) { return }
            try connection.runScript("DROP INDEX CONCURRENTLY IF EXISTS \(name(of: index))")
        }
        try connection.runScript(
            "CREATE INDEX CONCURRENTLY \(SQLName.quoted(plainName(of: index))) ON \(schema.qualified(table)) \(definition)"
        )
        try connection.runScript("ANALYZE \(schema.qualified(table))")
    }

    /// What the definition of a usable index has in it.
    private func mark(of index: PostgreSQLStore.TextIndex) -> String {
        switch index {
        case .search: PostgreSQLFunctions.searchName + "("
        case .localizedOrder: (TextIndexes.collation?.name ?? "") + " "
        }
    }

    private func prepareSearch(_ connection: PostgreSQLConnection) throws -> String {
        let extensions =
            "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            + "WHERE e.extname = 'pg_trgm'"
        if try connection.execute(extensions, isPrepared: false).count == 0 {
            try requiring("the extension pg_trgm, which the server lacks or the user may not create") {
                try connection.runScript("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            }
        }
        let place = try connection.execute(extensions, isPrepared: false).first?.string(0) ?? "public"
        try connection.runScript(
            PostgreSQLFunctions.searchStatements(schema.name).joined(separator: ";\n"))
        let function = schema.qualified(PostgreSQLFunctions.searchName)
        return "USING gin ((\(function)(\(SQLName.quoted(column)))) \(place).gin_trgm_ops)"
    }

    private func prepareOrder(_ connection: PostgreSQLConnection) throws -> String {
        guard let collation = TextIndexes.collation else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(subject) isn't possible for the locale \(Locale.current.identifier), which the server doesn't support."
            )
        }
        let name = schema.qualified(collation.name)
        try requiring("a server with ICU, and a user that may create collations") {
            try connection.runScript(
                "CREATE COLLATION IF NOT EXISTS \(name) (provider = icu, locale = \(SQLName.literal(collation.locale)))"
            )
        }
        // Sorts have the key as their last term.
        let key = SQLName.quoted(PostgreSQLSchema.system.key)
        return "(\(SQLName.quoted(column)) COLLATE \(name) ASC NULLS FIRST, \(key))"
    }

    private func requiring(_ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as PostgreSQLError where error.sqlState != nil {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "\(subject) needs \(what): \(error.message)", underlying: error)
        }
    }
}
#endif
