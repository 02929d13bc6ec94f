#if PostgreSQL
import Foundation
import OpenCoreData

/// What the model says of the values of tables: which have to be there, their limits and defaults, and their names.
///
/// Several entities may share a table. A column that only some of them require may be NULL; a check asks for a value in their
/// rows. Columns that are filled after the rows were inserted may always be NULL: derived attributes, places in orders, and
/// to-ones, which an import or a migration links once all objects are there.
struct TableRules {
    let schema: String
    let mapping: StoreMapping
    /// Whether the server refuses rows that break the rules.
    let hasRules: Bool

    /// What of an entity stands in a column.
    private struct Use {
        var entity: EntityMapping
        var slot: SlotLayout
        /// Whether it is the column with the entity of a to-one's destination.
        var isEntity = false
        /// Whether the column has a part of the value, or what the store computes.
        var isPart = false
    }

    /// The table with what the model says of it.
    func added(to table: PostgreSQLSchema.Table) -> PostgreSQLSchema.Table {
        var table = table
        let all = mapping.entities.compactMap { $0 }.filter { $0.table == table.name }
        let members = all.filter { !$0.layout.entity.isAbstract }
        table.comment = all.map(\.layout.name).joined(separator: ", ")
        table.entityNumber = members.count == 1 ? members[0].number : nil
        let uses = self.uses(members)
        for index in table.columns.indices {
            let column = table.columns[index].name
            table.columns[index].comment = table.columns[index].comment ?? comment(on: column, all)
            guard let uses = uses[column] else { continue }
            if let fallback = fallback(uses, table.columns[index].type) { table.columns[index].fallback = fallback }
            guard hasRules else { continue }
            let required = uses.filter { use in
                !use.slot.isOptional && !use.slot.isDerivedAttribute && !use.isPart && use.slot.kind != .toOne
            }
            if required.count == members.count {
                table.columns[index].isMandatory = true
            } else if !required.isEmpty {
                table.checks.append(requirement(column, required, table.name))
            }
            if let check = limits(of: column, table.columns[index].type, uses, table.name) {
                table.checks.append(check)
            }
        }
        return table
    }

    private func uses(_ members: [EntityMapping]) -> [String: [Use]] {
        var uses: [String: [Use]] = [:]
        for entity in members {
            for case let slot? in entity.layout.slots where !slot.isTransient {
                guard let column = entity.column(slot) else { continue }
                if !column.leaves.isEmpty {
                    for leaf in column.leaves {
                        uses[leaf, default: []].append(Use(entity: entity, slot: slot, isPart: true))
                    }
                    continue
                }
                uses[column.name, default: []].append(Use(entity: entity, slot: slot))
                if let number = column.entityColumn {
                    uses[number, default: []].append(Use(entity: entity, slot: slot, isEntity: true))
                }
            }
        }
        return uses
    }

    private func comment(on column: String, _ entities: [EntityMapping]) -> String? {
        for entity in entities {
            for case let slot? in entity.layout.slots where !slot.isTransient {
                guard let mapping = entity.column(slot) else { continue }
                let name = "\(entity.layout.name).\(slot.name)"
                if let leaf = mapping.leaves.firstIndex(of: column) {
                    return "\(entity.layout.name).\(slot.leaves[leaf].name)"
                }
                if !mapping.leaves.isEmpty { continue }
                if mapping.name == column { return name }
                if mapping.entityColumn == column { return "\(name), entity" }
                if mapping.orderColumn == column { return "\(name), order" }
            }
        }
        for case let owner? in mapping.entities {
            for relationship in owner.layout.relationships {
                guard case .hidden(let table, let hidden) = owner.mapping(relationship), table == entities.first?.table
                else { continue }
                let name = "\(owner.layout.name).\(relationship.name)"
                if hidden.name == column { return name }
                if hidden.orderColumn == column { return "\(name), order" }
            }
        }
        return nil
    }

    // MARK: Checks

    private var number: String { SQLName.quoted(PostgreSQLSchema.system.entity) }

    private func numbers(_ uses: [Use]) -> String {
        uses.map { String($0.entity.number) }.joined(separator: ", ")
    }

    private func requirement(_ column: String, _ uses: [Use], _ table: String) -> PostgreSQLSchema.Check {
        PostgreSQLSchema.Check(
            name: PostgreSQLName.fitting("\(table)_\(column)\(PostgreSQLSchema.requirementSuffix)"),
            condition: "\(number) NOT IN (\(numbers(uses))) OR \(SQLName.quoted(column)) IS NOT NULL",
            comment: uses.map { "\($0.entity.layout.name).\($0.slot.name)" }.joined(separator: ", "))
    }

    private func limits(
        of column: String, _ type: PostgreSQLType, _ uses: [Use], _ table: String
    ) -> PostgreSQLSchema.Check? {
        var groups: [(limits: [ValueLimit], uses: [Use])] = []
        for use in uses where !use.isPart && !use.isEntity {
            let limits = ValueLimit.limits(of: use.slot, type)
            if let known = groups.firstIndex(where: { $0.limits == limits }) {
                groups[known].uses.append(use)
            } else {
                groups.append((limits, [use]))
            }
        }
        let limited = groups.filter { !$0.limits.isEmpty }
        guard let first = limited.first else { return nil }
        let name = PostgreSQLName.fitting("\(table)_\(column)_check")
        let isUnique = uses.contains { use in
            UniqueConstraint.all(of: use.entity.layout).contains { $0.slots.contains { $0.index == use.slot.index } }
        }
        func condition(_ limits: [ValueLimit]) -> String {
            let conditions = limits.map { $0.condition(SQLName.quoted(column), schema) }
            // Rows that exchange unique values have others for a moment.
            return conditions.joined(separator: " AND ")
                + (isUnique ? " OR \(SQLName.quoted(PostgreSQLSchema.system.version)) < 0" : "")
        }
        let comment = limited.map { group in
            let names = group.uses.map { "\($0.entity.layout.name).\($0.slot.name)" }.joined(separator: ", ")
            return "\(names): \(group.limits.map(\.text).joined(separator: ", "))"
        }.joined(separator: "; ")
        if groups.count == 1 {
            return PostgreSQLSchema.Check(name: name, condition: condition(first.limits), comment: comment)
        }
        let conditions = limited.map { group in
            "(\(number) NOT IN (\(numbers(group.uses))) OR (\(condition(group.limits))))"
        }
        return PostgreSQLSchema.Check(
            name: name, condition: conditions.joined(separator: " AND "), comment: comment)
    }

    // MARK: Defaults

    private func fallback(_ uses: [Use], _ type: PostgreSQLType) -> String? {
        guard !uses.contains(where: { $0.isPart || $0.isEntity || $0.slot.kind == .toOne }) else { return nil }
        let literals = Set(
            uses.map { use -> String? in
                guard use.slot.attribute?.defaultValue != nil, !use.slot.isDerivedAttribute,
                    use.slot.index < use.entity.layout.defaults.count
                else { return nil }
                return PostgreSQLLiteral.statement(use.entity.layout.defaults[use.slot.index], type)
            })
        return literals.count == 1 ? literals.first ?? nil : nil
    }
}

extension SlotLayout {
    /// Whether the store computes the value.
    var isDerivedAttribute: Bool { property is NSDerivedAttributeDescription }
}

extension PostgreSQLSchema {
    /// How the name of a check ends that asks for a value in the rows of some entities.
    static let requirementSuffix = "_required"
}
#endif
