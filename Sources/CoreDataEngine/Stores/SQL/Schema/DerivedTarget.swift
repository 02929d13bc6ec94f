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
    ///
    /// Sums, and the least and the greatest value of the members of a one-to-many, follow a change without looking at all
    /// members, unless what went was the least or the greatest.
    func aggregateTriggers(
        _ function: String, column source: SQLColumn, of destination: SQLTable, over members: Members
    ) -> [String] {
        let owner = members.owner.sql
        func value(_ key: String) -> String { aggregate(function, source, of: destination, over: members, owner: key) }
        if let member = members.member {
            return linkTriggers(function, source, of: destination, over: members, member: member, value: value)
        }
        let (new, old) = ("NEW.\(source.sql)", "OLD.\(source.sql)")
        let touched = "UPDATE OF \(owner), \(source.sql)"
        let isAverage = function == "AVG"
        let added = added(new, to: function) ?? value("NEW.\(owner)")
        let removed = removed(old, from: function, orElse: value("OLD.\(owner)"))
        return [
            trigger(
                on: members.table, "PARAMETER_INSERT", "INSERT", when: "(NEW.\(owner) NOT NULL)", set: added,
                key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_NEW", touched, when: "(NEW.\(owner) NOT NULL)", set: added,
                key: "NEW.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_UPDATE_OLD", isAverage ? "UPDATE OF \(owner)" : touched,
                when: "(OLD.\(owner) NOT NULL)", set: removed, key: "OLD.\(owner)"),
            trigger(
                on: members.table, "PARAMETER_DELETE", "DELETE", when: "(OLD.\(owner) NOT NULL)", set: removed,
                key: "OLD.\(owner)"),
            sourceInsert(set: value("NEW.Z_PK")),
        ]
    }

    /// The triggers for the members of a many-to-many relationship, which a join table holds.
    private func linkTriggers(
        _ function: String, _ source: SQLColumn, of destination: SQLTable, over members: Members, member: SQLColumn,
        value: (String) -> String
    ) -> [String] {
        let owner = members.owner.sql
        func read(_ key: String) -> String { "(SELECT \(source.sql) FROM \(destination.sql) WHERE Z_PK = \(key))" }
        let (new, old) = ("NEW.\(owner)", "OLD.\(owner)")
        let isSum = function == "SUM"
        // A row may have gone before its pairs.
        let withoutOld =
            "CASE WHEN EXISTS \(read("OLD.\(member.sql)")) THEN "
            + "IFNULL(\(column), 0) - IFNULL(\(read("OLD.\(member.sql)")), 0) ELSE \(value(old)) END"
        let changed = "IFNULL(\(column), 0) - IFNULL(OLD.\(source.sql), 0) + IFNULL(NEW.\(source.sql), 0)"
        return [
            trigger(
                on: members.table, "PARAMETER_INSERT", "INSERT", when: "(\(new) NOT NULL)",
                set: added(read("NEW.\(member.sql)"), to: function) ?? value(new), key: new),
            trigger(
                on: members.table, "PARAMETER_UPDATE_NEW", "UPDATE OF \(owner)", when: "(\(new) NOT NULL)",
                set: value(new), key: new),
            trigger(
                on: members.table, "PARAMETER_UPDATE_OLD", "UPDATE OF \(owner)", when: "(\(old) NOT NULL)",
                set: value(old), key: old),
            trigger(
                on: members.table, "PARAMETER_DELETE", "DELETE", when: "(\(old) NOT NULL)",
                set: isSum ? withoutOld : value(old), key: old),
            trigger(
                on: destination.name, "VALUE_UPDATE", "UPDATE OF \(source.sql)", when: nil,
                set: isSum ? changed : value("\(table).Z_PK"), comparison: "IN",
                key: "(SELECT \(owner) FROM \(members.sql) WHERE \(member.sql) = NEW.Z_PK)"),
            sourceInsert(set: value("NEW.Z_PK")),
        ]
    }

    /// The column with one more value; `nil` for a function that needs all of them.
    private func added(_ value: String, to function: String) -> String? {
        switch function {
        case "SUM": "IFNULL(\(column), 0) + IFNULL(\(value), 0)"
        case "MIN", "MAX": "IFNULL(\(function)(\(column), \(value)), IFNULL(\(column), \(value)))"
        default: nil
        }
    }

    /// The column without a value that was among those that it is made of.
    private func removed(_ value: String, from function: String, orElse all: String) -> String {
        switch function {
        case "SUM": "IFNULL(\(column), 0) - IFNULL(\(value), 0)"
        case "MIN", "MAX": "CASE WHEN \(column) = \(value) THEN \(all) ELSE \(column) END"
        default: all
        }
    }

    private func aggregate(
        _ function: String, _ source: SQLColumn, of destination: SQLTable, over members: Members, owner key: String
    ) -> String {
        let owner = members.owner.sql
        let call = function == "SUM" ? "IFNULL(SUM(\(source.sql)), 0)" : "\(function)(\(source.sql))"
        guard let member = members.member else {
            return "(SELECT \(call) FROM \(members.sql) WHERE \(owner) = \(key))"
        }
        return "(SELECT \(call) FROM \(destination.sql) WHERE Z_PK IN "
            + "(SELECT \(member.sql) FROM \(members.sql) WHERE \(owner) = \(key)))"
    }

    /// A query of the sum of the members of an owner, what the column has, and whether that is the same; and the statement
    /// that writes the first. The owner's key is their first parameter.
    func sum(column source: SQLColumn, of destination: SQLTable, over members: Members) -> DerivedSum {
        let all = aggregate("SUM", source, of: destination, over: members, owner: "?1")
        return DerivedSum(
            read: "SELECT a, c, a IS c FROM (SELECT \(all) AS a, \(column) AS c FROM \(table) WHERE Z_PK = ?1)",
            write: "UPDATE \(table) SET \(column) = ?2 WHERE Z_PK = ?1")
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
