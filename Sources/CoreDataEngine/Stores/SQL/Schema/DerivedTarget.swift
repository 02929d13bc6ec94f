/// A derived attribute's column, and the text of triggers that write it.
struct DerivedTarget {
    /// The table that holds the members of a to-many relationship.
    struct Members {
        /// The destination's table, or a join table.
        var table: String
        /// The column with the primary key of the owner.
        var owner: SQLColumn
        /// The column of a join table with the primary key of the member.
        var member: SQLColumn?
        var sql: String { SQLName.quotedIfNeeded(table) }
    }

    private let entityName: String
    private let attributeName: String
    private let tableName: String
    private let table: String
    private let column: String
    /// Restricts triggers on the own table to rows that have the attribute, when other rows are there too.
    private let rowCondition: String?

    init(entity: SQLEntity, attribute: SQLAttribute, hasSiblings: Bool) {
        entityName = entity.name
        attributeName = attribute.name
        tableName = entity.table.name
        table = entity.table.sql
        column = attribute.column.sql
        rowCondition = hasSiblings ? entity.condition(includingSubentities: true, alias: "NEW.") : nil
    }

    // MARK: Kinds

    /// The time of the save, in seconds since the beginning of 2001.
    ///
    /// Every save of a row writes `Z_OPT`.
    var nowTriggers: [String] {
        let now = "(JULIANDAY('now') - 2451910.5) * 86400.0"
        return [
            sourceInsert(set: now),
            trigger(on: tableName, "SOURCE_UPDATE", "UPDATE OF Z_OPT", when: rowCondition, set: now, key: "NEW.Z_PK"),
        ]
    }

    /// A property of the row itself.
    func ownTriggers(column source: SQLColumn, function: String?) -> [String] {
        let value = wrapped("NEW.\(source.sql)", function)
        return [
            sourceInsert(set: value),
            trigger(
                on: tableName, "SOURCE_UPDATE", "UPDATE OF \(source.sql)", when: rowCondition, set: value,
                key: "NEW.Z_PK"),
        ]
    }

    /// An attribute of the object that a to-one relationship leads to.
    func relatedTriggers(
        key: SQLColumn, table other: SQLTable, column source: SQLColumn, function: String?
    ) -> [String] {
        let read = "(SELECT \(wrapped(source.sql, function)) FROM \(other.sql) WHERE Z_PK = NEW.\(key.sql))"
        let write = wrapped("NEW.\(source.sql)", function)
        return [
            sourceInsert(set: read),
            trigger(
                on: tableName, "SOURCE_UPDATE", "UPDATE OF \(key.sql)", when: rowCondition, set: read, key: "NEW.Z_PK"),
            trigger(
                on: other.name, "PARAMETER_INSERT", "INSERT", when: nil, set: write, keyColumn: key.sql,
                key: "NEW.Z_PK", isInsert: true),
            trigger(
                on: other.name, "PARAMETER_UPDATE", "UPDATE OF \(source.sql)", when: nil, set: write,
                keyColumn: key.sql, key: "NEW.Z_PK"),
        ]
    }

    /// The number of members of a to-many relationship.
    func countTriggers(_ members: Members) -> [String] {
        let owner = members.owner.sql
        let count = "(SELECT IFNULL(COUNT(\(owner)), 0) FROM \(members.sql) WHERE \(owner) = NEW.Z_PK)"
        return [
            trigger(
                on: members.table, "PARAMETER_INSERT", "INSERT", when: "(NEW.\(owner) NOT NULL)",
                set: "IFNULL(\(column), 0) + 1", key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(owner)",
                when: "(NEW.\(owner) NOT NULL)", set: "\(column) + 1", key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(owner)",
                when: "(OLD.\(owner) NOT NULL)", set: "\(column) - 1", key: "OLD.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_DELETE", "DELETE", when: "(OLD.\(owner) NOT NULL)",
                set: "\(column) - 1", key: "OLD.\(owner)"),
            sourceInsert(set: count),
        ]
    }

    /// An aggregate of an attribute of the members of a to-many relationship.
    func aggregateTriggers(
        _ function: String, column source: SQLColumn, of destination: SQLTable, over members: Members
    ) -> [String] {
        let owner = members.owner.sql
        func value(_ key: String) -> String {
            let call = function == "SUM" ? "IFNULL(SUM(\(source.sql)), 0)" : "\(function)(\(source.sql))"
            guard let member = members.member else {
                return "(SELECT \(call) FROM \(members.sql) WHERE \(owner) = \(key))"
            }
            return "(SELECT \(call) FROM \(destination.sql) WHERE Z_PK IN "
                + "(SELECT \(member.sql) FROM \(members.sql) WHERE \(owner) = \(key)))"
        }
        let touched = members.member == nil ? "UPDATE OF \(owner), \(source.sql)" : "UPDATE OF \(owner)"
        var triggers = [
            trigger(
                on: members.table, "PARAMETER_INSERT", "INSERT", when: "(NEW.\(owner) NOT NULL)",
                set: value("NEW.\(owner)"), key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_NEW", touched, when: "(NEW.\(owner) NOT NULL)",
                set: value("NEW.\(owner)"), key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_OLD", "UPDATE OF \(owner)", when: "(OLD.\(owner) NOT NULL)",
                set: value("OLD.\(owner)"), key: "OLD.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_DELETE", "DELETE", when: "(OLD.\(owner) NOT NULL)",
                set: value("OLD.\(owner)"), key: "OLD.\(owner)"),
        ]
        if let member = members.member {
            let owners = "(SELECT \(owner) FROM \(members.sql) WHERE \(member.sql) = NEW.Z_PK)"
            triggers.append(
                trigger(
                    on: destination.name, "VALUE_UPDATE", "UPDATE OF \(source.sql)", when: nil,
                    set: value("\(table).Z_PK"), comparison: "IN", key: owners))
        }
        triggers.append(sourceInsert(set: value("NEW.Z_PK")))
        return triggers
    }

    // MARK: Text

    private func wrapped(_ value: String, _ function: String?) -> String {
        function.map { "\($0)(\(value))" } ?? value
    }

    private func sourceInsert(set value: String) -> String {
        trigger(
            on: tableName, "SOURCE_INSERT", "INSERT", when: rowCondition, set: value, key: "NEW.Z_PK", isInsert: true)
    }

    /// One trigger: it sets the column in the rows whose key column has a value, then notifies the framework.
    private func trigger(
        on firing: String, _ role: String, _ event: String, when condition: String?, set value: String,
        keyColumn: String = "Z_PK", comparison: String = "=", key: String, isInsert: Bool = false
    ) -> String {
        let name = SQLName.quotedIfNeeded("Z_DA_\(firing)_\(entityName)_\(attributeName)_\(role)")
        let report =
            isInsert
            ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue" : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        return "CREATE TRIGGER \(name) AFTER \(event) ON \(SQLName.quotedIfNeeded(firing)) FOR EACH ROW "
            + (condition.map { "WHEN \($0.hasPrefix("(") ? $0 : "(\($0))") " } ?? "")
            + "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(keyColumn) \(comparison) \(key); "
            + "SELECT \(report)(\(SQLName.literal(tableName)), Z_ENT, Z_PK, "
            + "\(SQLName.literal(attributeName)), \(column)) "
            + "FROM \(table) WHERE \(keyColumn) \(comparison) \(key); END"
    }
}
