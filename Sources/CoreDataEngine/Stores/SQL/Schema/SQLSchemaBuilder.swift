import Foundation

/// Lays a model out: gives entities numbers, and properties tables and columns.
///
/// With a layout, names are looked for in it: first under the name that a new store would have, then under those that
/// differ in a number or suffix, as they do after migrations. What is not found is collected and reported together.
struct SQLSchemaBuilder {
    /// A property in a table.
    ///
    /// The table is part of it because entities of a configuration can inherit a property from an entity outside of it.
    struct PropertyKey: Hashable {
        var table: Int
        var property: ObjectIdentifier

        init(_ table: Int, _ property: NSPropertyDescription) {
            self.table = table
            self.property = ObjectIdentifier(property)
        }
    }

    /// A table in the making.
    struct Draft {
        var name: String
        var members: [NSEntityDescription]
        /// The plain column names of all properties; a property whose column is missing must not take one of them.
        var plainNames: Set<String>
        var claimed: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
        /// The columns by group (`ColumnGroup`).
        var groups: [[SQLColumn]] = Array(repeating: [], count: ColumnGroup.allCases.count)
    }

    /// The order of a table's columns by what they hold.
    enum ColumnGroup: Int, CaseIterable {
        case integersAndToOnes, orders, hidden, realsAndDates, decimals, strings, identifiers, locations,
            transformables, bytes
    }

    /// How the columns of composite attributes are named.
    enum CompositeNaming {
        /// After the element alone, as Apple's framework does.
        case byElement
        /// After the path to the element, as earlier versions of this engine did. Only existing stores have them.
        case byPath
    }

    typealias Parts = (entities: [SQLEntity], tables: [SQLTable], joinTables: [SQLJoinTable])

    let entities: [NSEntityDescription]
    let layout: StoredLayout?
    let naming: CompositeNaming
    let members: Set<ObjectIdentifier>
    var numbers: [ObjectIdentifier: Int] = [:]
    var drafts: [Draft] = []
    var draftIndex: [ObjectIdentifier: Int] = [:]
    var columns: [PropertyKey: SQLColumn] = [:]
    var leafColumns: [PropertyKey: [(path: String, leaf: NSAttributeDescription, column: SQLColumn)]] = [:]
    var entityColumns: [PropertyKey: SQLColumn] = [:]
    var orderColumns: [PropertyKey: SQLColumn] = [:]
    var manyToMany: [ObjectIdentifier: SQLRelationship.ManyToMany] = [:]
    var hiddenColumns: [ObjectIdentifier: (table: Int, column: SQLColumn, order: SQLColumn?)] = [:]
    var joinTables: [SQLJoinTable] = []
    var missing: [String] = []

    init(entities: [NSEntityDescription], layout: StoredLayout?, naming: CompositeNaming = .byElement) {
        self.entities = NSManagedObjectModel.storeOrder(of: entities)
        self.layout = layout
        self.naming = naming
        members = Set(entities.map(ObjectIdentifier.init))
    }

    /// The layout of an existing store, whose columns of composite attributes may have either kind of name.
    static func parts(of entities: [NSEntityDescription], in layout: StoredLayout) throws -> Parts {
        var builder = SQLSchemaBuilder(entities: entities, layout: layout)
        do {
            return try builder.build()
        } catch {
            guard !builder.missing.isEmpty, builder.hasComposites else { throw error }
            var older = SQLSchemaBuilder(entities: entities, layout: layout, naming: .byPath)
            guard let parts = try? older.build() else { throw error }
            return parts
        }
    }

    private var hasComposites: Bool {
        entities.contains { ownProperties(of: $0).contains { $0 is NSCompositeAttributeDescription } }
    }

    mutating func build() throws -> Parts {
        try assignNumbers()
        makeDrafts()
        try layOutProperties()
        layOutHiddenColumns()
        layOutJoinTables()
        if let layout, !missing.isEmpty { throw mismatch(layout) }
        let tables = drafts.map { draft in
            SQLTable(
                name: draft.name,
                columns: [.primaryKey, .entity, .version] + draft.groups.joined(),
                entityNumbers: draft.members.map(number(of:)).sorted())
        }
        let result = entities.map { describe($0, tables: tables) }
        return (result, tables, joinTables)
    }

    // MARK: Entities

    /// Numbers in store order from 1, or those of the file.
    ///
    /// - Throws: `CocoaError` that names an entity whose number in the file isn't valid.
    private mutating func assignNumbers() throws {
        let stored = layout?.entityNumbers ?? [:]
        var taken: Set<Int> = []
        for entity in entities {
            guard let name = entity.name, let number = stored[name] else { continue }
            guard number >= 1, number <= max(SQLSchema.entityNumbers.upperBound, entities.count),
                taken.insert(number).inserted
            else { throw badNumber(number, of: name) }
        }
        for (offset, entity) in entities.enumerated() {
            var number = stored[entity.name ?? ""]
            if number == nil {
                // A renamed entity of a migrated store: its row has the old name, its number is the one by order.
                var candidate = offset + 1
                while taken.contains(candidate) { candidate += 1 }
                taken.insert(candidate)
                number = candidate
            }
            numbers[ObjectIdentifier(entity)] = number
        }
    }

    private mutating func makeDrafts() {
        for entity in entities {
            if let parent = entity.superentity, let index = draftIndex[ObjectIdentifier(parent)] {
                draftIndex[ObjectIdentifier(entity)] = index
                drafts[index].members.append(entity)
                drafts[index].plainNames.formUnion(plainNames(of: entity))
            } else {
                let name = "Z" + (entity.name ?? "").uppercased()
                draftIndex[ObjectIdentifier(entity)] = drafts.count
                drafts.append(Draft(name: name, members: [entity], plainNames: plainNames(of: entity)))
                if let layout, !layout.has(table: name) {
                    missing.append("table \(name) of entity “\(entity.name ?? "")”")
                }
            }
        }
    }

    private func plainNames(of entity: NSEntityDescription) -> Set<String> {
        Set(ownProperties(of: entity).flatMap { columnNames(of: $0).map(\.name) })
    }

    /// What an entity adds to its table: the stored properties it declares, and for an entity at the top also those
    /// that it inherits from an entity outside of the store, by name.
    func ownProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let isTop = !(entity.superentity.map { members.contains(ObjectIdentifier($0)) } ?? false)
        return (isTop ? entity.properties : entity.declaredProperties)
            .filter(\.isPersistent)
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    func number(of entity: NSEntityDescription) -> Int { numbers[ObjectIdentifier(entity)] ?? 0 }

    func contains(_ entity: NSEntityDescription?) -> Bool {
        entity.map { members.contains(ObjectIdentifier($0)) } ?? false
    }

    func hasSubentities(_ entity: NSEntityDescription) -> Bool {
        entity.subentities.contains { members.contains(ObjectIdentifier($0)) }
    }

    private func badNumber(_ number: Int, of entity: String) -> CocoaError {
        let path = layout?.path ?? ""
        return CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The store “\(URL(fileURLWithPath: path).lastPathComponent)” is damaged: its table Z_PRIMARYKEY gives the "
                + "entity “\(entity)” the number \(number), which is out of range or another entity's too. Restore "
                + "the store from a backup, or correct Z_ENT.",
            path: path)
    }

    private func mismatch(_ layout: StoredLayout) -> CocoaError {
        let shown = missing.prefix(8).joined(separator: ", ")
        let more = missing.count > 8 ? " and \(missing.count - 8) more" : ""
        return CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The store “\(URL(fileURLWithPath: layout.path).lastPathComponent)” does not fit the model: it has no "
                + "\(shown)\(more).",
            path: layout.path)
    }
}
