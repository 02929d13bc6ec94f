#if PostgreSQL
import Foundation
import OpenCoreData

/// Makes a model of tables that others have made: an entity of each table whose primary key is one whole number, an attribute
/// of each column, a to-one and its inverse of each foreign key, a many-to-many of each table that does nothing but pair rows.
struct ExistingModelBuilder {
    private let catalog: ExistingCatalog
    private(set) var notes: [String] = []
    private var entities: [String: NSEntityDescription] = [:]
    private var properties: [String: [NSPropertyDescription]] = [:]
    /// By table: names of properties that are taken.
    private var names: [String: Set<String>] = [:]
    private var entityNames: Set<String> = []

    init(_ catalog: ExistingCatalog) { self.catalog = catalog }

    mutating func build() -> NSManagedObjectModel {
        let pairs = catalog.tables.filter { $0.pair != nil && self.isPairOfEntities($0) }
        let pairNames = Set(pairs.map(\.name))
        for table in catalog.tables where !pairNames.contains(table.name) { addEntity(table) }
        for table in catalog.tables where entities[table.name] != nil { addProperties(of: table) }
        for table in catalog.tables where entities[table.name] != nil { addRelationships(of: table) }
        for table in pairs { addManyToMany(table) }
        notes += catalog.views.map { "The \($0.kind) \($0.name) isn't a table: left out." }
        for (table, entity) in entities { entity.properties = properties[table] ?? [] }
        for table in catalog.tables where entities[table.name] != nil {
            addUniques(of: table)
            let attributes = entities[table.name]?.attributesByName.values.map(\.self) ?? []
            let known = Set(attributes.compactMap { $0.userInfo?["column"] as? String })
            notes += table.checks.filter { $0.columns.count != 1 || !known.contains($0.columns[0]) }
                .map { Self.note($0, of: table) }
        }
        let model = NSManagedObjectModel()
        model.entities = catalog.tables.compactMap { entities[$0.name] }
        return model
    }

    // MARK: Entities

    private func isPairOfEntities(_ table: ExistingCatalog.Table) -> Bool {
        guard let pair = table.pair else { return false }
        return [pair.first, pair.second].allSatisfy { target(of: $0) != nil }
    }

    /// The table with one whole number as its key that a foreign key leads to.
    private func target(of key: ExistingCatalog.ForeignKey) -> ExistingCatalog.Table? {
        guard key.schema == catalog.schema, key.columns.count == 1, let table = catalog.table(key.table),
            let primary = table.key, key.targets == [primary.name]
        else { return nil }
        return table
    }

    private mutating func addEntity(_ table: ExistingCatalog.Table) {
        guard let key = table.key else {
            switch table.primaryKey.count {
            case 0: notes.append("The table \(table.name) has no primary key: left out.")
            case 1:
                let type = table.column(table.primaryKey[0])?.typeName ?? "unknown"
                notes.append(
                    "The table \(table.name) has the primary key \(table.primaryKey[0]) of the type \(type), not a "
                        + "single integer: left out.")
            default:
                let columns = table.primaryKey.joined(separator: ", ")
                notes.append("The table \(table.name) has a primary key of several columns (\(columns)): left out.")
            }
            return
        }
        let entity = NSEntityDescription()
        entity.name = Self.unique(Self.entityName(table.name), in: &entityNames)
        entity.managedObjectClassName = "NSManagedObject"
        entity.userInfo = ["table": table.name, ExistingSchema.keyName: key.name]
        entities[table.name] = entity
        if key.sequence == nil {
            notes.append(
                "The primary key \(key.name) of \(table.name) has no sequence: objects can be read, changed and "
                    + "deleted, but not inserted.")
        } else if let step = key.sequence?.increment, step != 1 {
            notes.append(
                "The sequence of the primary key \(key.name) of \(table.name) has the increment \(step): objects can be "
                    + "read, changed and deleted, but not inserted.")
        }
    }

    // MARK: Attributes

    private mutating func addProperties(of table: ExistingCatalog.Table) {
        let system = PostgreSQLSchema.system
        for column in table.columns where column.name != table.key?.name {
            guard reference(column.name, of: table) == nil else { continue }
            guard ![system.key, system.entity, system.version].contains(column.name) else {
                notes.append(
                    "The column \(table.name).\(column.name) has a name that is reserved for stores: left out.")
                continue
            }
            guard let kind = column.kind, let type = Self.attributeType(kind) else {
                let isNeeded = !column.isNullable && column.defaultValue == nil && !column.isGenerated
                notes.append(
                    "The column \(table.name).\(column.name) is of the type \(column.typeName): left out"
                        + (isNeeded ? ", and objects can't be inserted, because it must have a value." : "."))
                continue
            }
            addAttribute(column, type, table)
        }
    }

    private mutating func addAttribute(
        _ column: ExistingCatalog.Column, _ type: NSAttributeType, _ table: ExistingCatalog.Table
    ) {
        let attribute = NSAttributeDescription()
        attribute.name = Self.unique(Self.propertyName(column.name), in: &names[table.name, default: []])
        attribute.attributeType = type
        attribute.userInfo = ["column": column.name]
        if let transformer = column.json?.transformer {
            attribute.valueTransformerName = transformer.name
            attribute.attributeValueClassName = transformer.valueClass
        }
        let isComputed = column.isGenerated || column.isAlwaysNumbered
        let value = isComputed ? nil : column.defaultValue.flatMap { Self.constant($0, type) }
        // What the server fills in needs no value before.
        attribute.isOptional =
            column.isNullable || isComputed || (column.defaultValue != nil && value == nil)
        attribute.defaultValue = value
        addRules(column, attribute, table)
        properties[table.name, default: []].append(attribute)
        if isComputed {
            notes.append(
                "The column \(table.name).\(column.name) is computed by the server: \(attribute.name) is read-only."
            )
        } else if let transformer = column.json?.transformer {
            notes.append(
                "The column \(table.name).\(column.name) is of the type \(column.typeName): \(attribute.name) is an "
                    + "\(transformer.valueClass).")
        } else if type == .stringAttributeType, ![25, 1043, 1042, 19].contains(column.base) {
            notes.append(
                "The column \(table.name).\(column.name) is of the type \(column.typeName): \(attribute.name) is a string, "
                    + "in the form in which the server writes it.")
        }
    }

    /// The limits of values that the server has, as validation of the attribute.
    private mutating func addRules(
        _ column: ExistingCatalog.Column, _ attribute: NSAttributeDescription, _ table: ExistingCatalog.Table
    ) {
        guard !column.isGenerated else { return }
        var rules = ExistingRules(of: attribute.attributeType)
        if attribute.attributeType == .stringAttributeType {
            if let length = column.maximumLength { rules.limit(length: length) }
            if !column.labels.isEmpty { rules.limit(values: column.labels) }
        }
        for condition in column.conditions where !rules.add(condition, of: "VALUE") {
            notes.append(
                "The type \(column.typeName) of \(table.name).\(column.name) has the condition \(condition): the server alone "
                    + "checks it.")
        }
        for check in table.checks where check.columns == [column.name] && !rules.add(check.condition, of: column.name) {
            notes.append(Self.note(check, of: table))
        }
        attribute.setValidationPredicates(rules.predicates, withValidationWarnings: rules.warnings)
    }

    private static func note(_ check: ExistingCatalog.Check, of table: ExistingCatalog.Table) -> String {
        "The condition \(check.name) of \(table.name) is \(check.condition): the server alone checks it."
    }

    private static func attributeType(_ kind: SlotKind) -> NSAttributeType? {
        switch kind {
        case .transformable: .transformableAttributeType
        case .integer16: .integer16AttributeType
        case .integer32: .integer32AttributeType
        case .integer64: .integer64AttributeType
        case .boolean: .booleanAttributeType
        case .double: .doubleAttributeType
        case .float: .floatAttributeType
        case .decimal: .decimalAttributeType
        case .date: .dateAttributeType
        case .string: .stringAttributeType
        case .uuid: .UUIDAttributeType
        case .data: .binaryDataAttributeType
        default: nil
        }
    }

    /// The value of a default that is a constant; nil for a function.
    private static func constant(_ text: String, _ type: NSAttributeType) -> Any? {
        var text = text
        if text.hasPrefix("'") {
            guard let end = text.range(of: "'", options: .backwards), end.lowerBound > text.startIndex else {
                return nil
            }
            let rest = text[end.upperBound...]
            guard rest.isEmpty || rest.hasPrefix("::") else { return nil }
            text = String(text[text.index(after: text.startIndex)..<end.lowerBound]).replacing("''", with: "'")
            if type == .stringAttributeType { return text }
        } else if type == .stringAttributeType {
            return nil
        }
        let number = text.trimmingCharacters(in: ["(", ")"])
        switch type {
        case .integer16AttributeType: return Int16(number)
        case .integer32AttributeType: return Int32(number)
        case .integer64AttributeType: return Int64(number)
        case .doubleAttributeType: return Double(number)
        case .floatAttributeType: return Float(number)
        case .decimalAttributeType:
            return Double(number) == nil ? nil : Decimal(string: number).map { $0 as NSDecimalNumber }
        case .booleanAttributeType: return number == "true" ? true : number == "false" ? false : nil
        default: return nil
        }
    }

    // MARK: Relationships

    /// The foreign key that makes a column a to-one.
    private func reference(
        _ column: String, of table: ExistingCatalog.Table
    ) -> (key: ExistingCatalog.ForeignKey, target: ExistingCatalog.Table)? {
        guard column != table.key?.name else { return nil }
        for key in table.foreignKeys where key.columns == [column] {
            if let target = target(of: key), entities[target.name] != nil { return (key, target) }
        }
        return nil
    }

    private mutating func addRelationships(of table: ExistingCatalog.Table) {
        var isMapped: Set<String> = []
        for key in table.foreignKeys {
            guard key.columns.count == 1, let column = table.column(key.columns[0]),
                let (found, target) = reference(column.name, of: table), found.name == key.name
            else {
                notes.append(reason(key, of: table))
                continue
            }
            guard isMapped.insert(column.name).inserted else { continue }
            addRelationship(column, key, table, target)
        }
    }

    private func reason(_ key: ExistingCatalog.ForeignKey, of table: ExistingCatalog.Table) -> String {
        let why: String
        if key.columns.count != 1 {
            why = "has several columns"
        } else if key.columns[0] == table.key?.name {
            why = "is on the primary key"
        } else if key.schema != catalog.schema {
            why = "refers to another schema"
        } else if entities[key.table] == nil {
            why = "refers to \(key.table), which is left out"
        } else if let target = catalog.table(key.table), key.targets != target.primaryKey {
            why = "refers to \(key.table).\(key.targets.joined(separator: ", ")), which is not its primary key"
        } else {
            why = "is on a column that another one is on"
        }
        return "The foreign key \(key.name) of \(table.name) \(why): no relationship."
    }

    private mutating func addRelationship(
        _ column: ExistingCatalog.Column, _ key: ExistingCatalog.ForeignKey, _ table: ExistingCatalog.Table,
        _ target: ExistingCatalog.Table
    ) {
        guard let owner = entities[table.name], let destination = entities[target.name] else { return }
        let toOne = NSRelationshipDescription()
        toOne.name = Self.unique(Self.referenceName(column.name, to: key), in: &names[table.name, default: []])
        toOne.destinationEntity = destination
        toOne.minCount = column.isNullable ? 0 : 1
        toOne.maxCount = 1
        toOne.isOptional = column.isNullable
        toOne.deleteRule = .nullifyDeleteRule
        toOne.userInfo = ["column": column.name]
        let others = table.foreignKeys.filter { target.name == $0.table && $0.columns.count == 1 }
        let plural = Self.plural(Self.propertyName(table.name))
        let toMany = NSRelationshipDescription()
        // Several references to the same table need several names.
        toMany.name = Self.unique(
            others.count > 1 ? plural + "By" + toOne.name.prefix(1).uppercased() + toOne.name.dropFirst() : plural,
            in: &names[target.name, default: []])
        toMany.destinationEntity = owner
        toMany.minCount = 0
        toMany.maxCount = 0
        toMany.isOptional = true
        toMany.deleteRule =
            switch key.onDelete {
            case "c": .cascadeDeleteRule
            case "n", "d": .nullifyDeleteRule
            default: column.isNullable ? .nullifyDeleteRule : .denyDeleteRule
            }
        toOne.inverseRelationship = toMany
        toMany.inverseRelationship = toOne
        properties[table.name, default: []].append(toOne)
        properties[target.name, default: []].append(toMany)
        if table.uniques.contains([column.name]) {
            notes.append(
                "Each \(destination.name ?? "") has at most one \(owner.name ?? "") (\(table.name).\(column.name) is "
                    + "unique): \(toMany.name) is to-many all the same, and the server enforces the limit.")
        }
    }

    private mutating func addManyToMany(_ table: ExistingCatalog.Table) {
        guard let pair = table.pair, let first = entities[pair.first.table],
            let second = entities[pair.second.table]
        else { return }
        func relationship(
            _ owner: ExistingCatalog.ForeignKey, to other: ExistingCatalog.ForeignKey,
            _ destination: NSEntityDescription
        ) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = Self.unique(
                Self.plural(Self.referenceName(other.columns[0], to: other)), in: &names[owner.table, default: []])
            relationship.destinationEntity = destination
            relationship.minCount = 0
            relationship.maxCount = 0
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
            relationship.userInfo = ["table": table.name, "column": other.columns[0]]
            return relationship
        }
        let forward = relationship(pair.first, to: pair.second, second)
        let back = relationship(pair.second, to: pair.first, first)
        forward.inverseRelationship = back
        back.inverseRelationship = forward
        properties[pair.first.table, default: []].append(forward)
        properties[pair.second.table, default: []].append(back)
        let columns = Set(pair.first.columns + pair.second.columns)
        for column in table.columns where !columns.contains(column.name) {
            notes.append(
                "The column \(table.name).\(column.name) belongs to a pair of rows: left out, and set by the server."
            )
        }
    }

    // MARK: Unique values

    private mutating func addUniques(of table: ExistingCatalog.Table) {
        guard let entity = entities[table.name] else { return }
        var constraints: [[String]] = []
        for columns in table.uniques {
            let attributes = columns.map { column in
                entity.attributesByName.values.first { $0.userInfo?["column"] as? String == column }?.name
            }
            let known = attributes.compactMap { $0 }
            if known.count == columns.count {
                constraints.append(known)
            } else if columns.count > 1 {
                notes.append(
                    "\(columns.joined(separator: " and ")) of \(table.name) are unique together, which a model can't declare for "
                        + "relationships: the server enforces it.")
            }
        }
        if !constraints.isEmpty { entity.uniquenessConstraints = constraints }
    }

    // MARK: Names

    /// What no property can be called.
    private static let reserved: Set<String> = [
        "awakeFromFetch", "awakeFromInsert", "classForCoder", "contextShouldIgnoreUnmodeledPropertyChanges",
        "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "faultingState", "fetchRequest",
        "hasChanges", "hash", "hashValue", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext",
        "objectID", "observationInfo", "prepareForDeletion", "self", "superclass", "willSave", "willTurnIntoFault",
        "zone",
    ]

    /// `film_actor` is `FilmActor`.
    private static func entityName(_ table: String) -> String {
        let words = table.split { !$0.isLetter && !$0.isNumber }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isLetter == true ? name : "Table" + name
    }

    /// `first_name` is `firstName`.
    private static func propertyName(_ column: String) -> String {
        let name = entityName(column)
        let isWord = name.count > 1 && name == name.uppercased()
        let lower = isWord ? name.lowercased() : name.prefix(1).lowercased() + name.dropFirst()
        guard reserved.contains(lower) else { return lower }
        return reserved.contains(lower + "Value") ? lower + "Column" : lower + "Value"
    }

    /// `author_id` is `author`, and `product_sku` is `product` where the key of products is `sku`.
    private static func referenceName(_ column: String, to key: ExistingCatalog.ForeignKey) -> String {
        let endings = key.targets.map { "_" + $0 } + ["_id", "_ID", "Id", "ID"]
        for ending in endings where column.hasSuffix(ending) && column.count > ending.count {
            return propertyName(String(column.dropLast(ending.count)))
        }
        return propertyName(column)
    }

    private static func plural(_ name: String) -> String {
        if name.hasSuffix("s") { return name }
        if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        return name.hasSuffix("x") || name.hasSuffix("ch") || name.hasSuffix("sh") ? name + "es" : name + "s"
    }

    private static func unique(_ name: String, in taken: inout Set<String>) -> String {
        var candidate = name
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = name + String(number)
        }
        return candidate
    }
}
#endif
