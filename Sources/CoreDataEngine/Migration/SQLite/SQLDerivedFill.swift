import Foundation

/// Computes derived attributes that are new or are computed otherwise than before, and fills spatial indexes.
///
/// The triggers that do this in a store are switched off while rows are copied.
struct SQLDerivedFill {
    let plan: SQLMigrationPlan

    func run() throws {
        for pair in plan.pairs {
            for attribute in pair.destination.attributes where attribute.isDerived && isNew(attribute, in: pair) {
                guard let value = value(of: attribute, in: pair.destination) else { continue }
                try plan.run(
                    "UPDATE main.\(pair.destination.table.sql) SET \(attribute.column.sql) = \(value) "
                        + "WHERE Z_ENT = \(pair.destination.number)")
            }
        }
        for statement in SpatialIndexes(plan.destination).fillStatements { try plan.run(statement) }
    }

    private func isNew(_ attribute: SQLAttribute, in pair: SQLMigrationPlan.EntityPair) -> Bool {
        guard let new = attribute.attribute as? NSDerivedAttributeDescription,
            let old = pair.match.source(of: new) as? NSDerivedAttributeDescription
        else { return true }
        return old.derivationText != new.derivationText
    }

    private func value(of attribute: SQLAttribute, in entity: SQLEntity) -> String? {
        let description = attribute.attribute as? NSDerivedAttributeDescription
        guard let derivation = description?.derivationExpression.flatMap(Derivation.init) else { return nil }
        let row = entity.table.sql
        func wrapped(_ value: String) -> String { derivation.function.map { "\($0)(\(value))" } ?? value }
        switch derivation.source {
        case .now: return "(JULIANDAY('now') - 2451910.5) * 86400.0"
        case .own(let property): return entity.column(named: property).map { wrapped("\(row).\($0.sql)") }
        case .related(let name, let property):
            guard case .toOne(let toOne)? = entity.relationship(named: name)?.storage,
                let other = destination(of: name, in: entity), let column = other.column(named: property)
            else { return nil }
            return "(SELECT \(wrapped("o.\(column.sql)")) FROM main.\(other.table.sql) AS o "
                + "WHERE o.Z_PK = \(row).\(toOne.column.sql))"
        case .count(let name):
            return members(of: name, in: entity).map { "(SELECT count(*) FROM \($0))" }
        case .aggregate(let function, let name, let property):
            guard let column = destination(of: name, in: entity)?.column(named: property),
                let members = members(of: name, in: entity)
            else { return nil }
            let call = "\(function)(o.\(column.sql))"
            return "(SELECT \(function == "SUM" ? "ifnull(\(call), 0)" : call) FROM \(members))"
        }
    }

    private func destination(of relationship: String, in entity: SQLEntity) -> SQLEntity? {
        entity.relationship(named: relationship)?.destinationNumber.flatMap { plan.destination.entity(number: $0) }
    }

    /// What comes after FROM for the members of a to-many relationship, which are called `o`.
    private func members(of name: String, in entity: SQLEntity) -> String? {
        let row = entity.table.sql
        switch entity.relationship(named: name)?.storage {
        case .toManyInverseForeignKey(let inverse):
            return "main.\(inverse.table.sql) AS o WHERE o.\(inverse.column.sql) = \(row).Z_PK"
        case .toManyHiddenColumn(let hidden):
            return "main.\(hidden.table.sql) AS o WHERE o.\(hidden.column.sql) = \(row).Z_PK"
        case .manyToMany(let manyToMany) where !manyToMany.isReflexive:
            guard let other = destination(of: name, in: entity) else { return nil }
            return "main.\(manyToMany.table.sql) AS j JOIN main.\(other.table.sql) AS o "
                + "ON o.Z_PK = j.\(manyToMany.otherColumn.sql) WHERE j.\(manyToMany.ownColumn.sql) = \(row).Z_PK"
        default: return nil
        }
    }
}
