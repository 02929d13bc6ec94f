import Foundation

/// How a model's entities are laid out in a database: tables, columns, join tables and entity numbers.
///
/// A value of this class describes either the layout that a new store gets, or that of an existing store, whose tables
/// may have grown by migrations; then names come from the file. It is immutable and safe to use from any thread.
package final class SQLSchema: Sendable {
    /// The entities in number order.
    package let entities: [SQLEntity]
    /// The tables of the root entities, in number order.
    package let tables: [SQLTable]
    /// The tables of many-to-many relationships, in the order of a new store.
    package let joinTables: [SQLJoinTable]

    /// The numbers that entities of a model may have. From 16000 on they belong to services, such as the history.
    package static let entityNumbers = 1...15_999

    private let byName: [String: SQLEntity]
    private let byNumber: [Int: SQLEntity]
    private let byIdentity: [ObjectIdentifier: SQLEntity]

    init(entities: [SQLEntity], tables: [SQLTable], joinTables: [SQLJoinTable]) {
        self.entities = entities
        self.tables = tables
        self.joinTables = joinTables
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        byIdentity = Dictionary(
            entities.map { (ObjectIdentifier($0.entity), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The layout of a new store.
    ///
    /// - Parameter entities: The entities of a model or of one of its configurations.
    /// - Throws: `CocoaError` naming an attribute whose type cannot be stored.
    package convenience init(entities: [NSEntityDescription]) throws {
        var builder = SQLSchemaBuilder(entities: entities, layout: nil)
        let parts = try builder.build()
        self.init(entities: parts.entities, tables: parts.tables, joinTables: parts.joinTables)
    }

    /// The layout of an existing store.
    ///
    /// Names that depend on the store's history (numbers in names, suffixes, join tables) are taken from the file;
    /// whatever else is in the file is left alone.
    ///
    /// - Parameters:
    ///   - entities: The entities of the store's model or configuration.
    ///   - layout: What the file has.
    /// - Throws: `CocoaError` with code `NSPersistentStoreIncompatibleSchemaError` that names what is missing.
    package convenience init(entities: [NSEntityDescription], reconciledWith layout: StoredLayout) throws {
        let parts = try SQLSchemaBuilder.parts(of: entities, in: layout)
        self.init(entities: parts.entities, tables: parts.tables, joinTables: parts.joinTables)
    }

    package func entity(named name: String) -> SQLEntity? { byName[name] }

    package func entity(number: Int) -> SQLEntity? { byNumber[number] }

    package func entity(for entity: NSEntityDescription) -> SQLEntity? {
        byIdentity[ObjectIdentifier(entity)] ?? byName[entity.name ?? ""]
    }
}
