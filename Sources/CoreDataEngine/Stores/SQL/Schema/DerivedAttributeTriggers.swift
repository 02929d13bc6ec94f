import Foundation

/// The triggers that keep derived attributes up to date.
///
/// Counts over a one-to-many relationship and values of a to-one relationship have the text of Apple's framework. The
/// others follow the same pattern: `SOURCE` triggers fire for the object itself, `PARAMETER` triggers for what it is
/// computed from.
struct DerivedAttributeTriggers {
    private let schema: SQLSchema

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    /// All triggers.
    ///
    /// Attributes whose expression is not supported have none (see `unsupported`).
    var statements: [String] {
        derivedAttributes.flatMap { entity, attribute in
            derivation(of: attribute).flatMap { triggers(for: $0, attribute, of: entity) } ?? []
        }
    }

    /// The derived attributes for which there are no triggers, as `Entity.attribute`.
    var unsupported: [String] {
        derivedAttributes.filter { entity, attribute in
            derivation(of: attribute).flatMap { triggers(for: $0, attribute, of: entity) } == nil
        }.map { "\($0.name).\($1.name)" }
    }

    /// The sums that adding to and subtracting from may leave a little beside those of all members: sums of other numbers
    /// than whole ones.
    var inexactSums: [DerivedSum.Key: DerivedSum] {
        var sums: [DerivedSum.Key: DerivedSum] = [:]
        for (entity, attribute) in derivedAttributes {
            guard case .aggregate("SUM", let name, let property)? = derivation(of: attribute)?.source,
                let destination = destination(of: name, in: entity),
                let source = destination.attribute(named: property),
                source.column.kind != .integer, let collection = collection(name, of: entity)
            else { continue }
            let target = DerivedTarget(entity: entity, attribute: attribute, hasSiblings: false)
            let statements = target.sum(column: source.column, of: destination.table, over: collection)
            for number in entity.subtreeNumbers {
                sums[DerivedSum.Key(entity: Int64(number), property: attribute.name)] = statements
            }
        }
        return sums
    }

    private var derivedAttributes: [(SQLEntity, SQLAttribute)] {
        schema.entities.flatMap { entity in
            entity.attributes.filter { $0.isDerived && isDeclared($0.attribute, by: entity) }.map { (entity, $0) }
        }
    }

    private func isDeclared(_ attribute: NSAttributeDescription, by entity: SQLEntity) -> Bool {
        attribute.declaringEntity.flatMap { schema.entity(for: $0) }.map { $0 === entity } ?? (entity.superNumber == 0)
    }

    private func derivation(of attribute: SQLAttribute) -> Derivation? {
        (attribute.attribute as? NSDerivedAttributeDescription)?.derivationExpression.flatMap(Derivation.init)
    }

    private func triggers(for derivation: Derivation, _ attribute: SQLAttribute, of entity: SQLEntity) -> [String]? {
        let target = DerivedTarget(entity: entity, attribute: attribute, hasSiblings: hasSiblings(entity))
        switch derivation.source {
        case .now:
            return target.nowTriggers
        case .own(let property):
            guard let column = entity.column(named: property) else { return nil }
            return target.ownTriggers(column: column, function: derivation.function)
        case .related(let name, let property):
            // An element of a composite attribute is in the row itself.
            if let column = entity.attribute(named: "\(name).\(property)")?.column {
                return target.ownTriggers(column: column, function: derivation.function)
            }
            guard case .toOne(let toOne)? = entity.relationship(named: name)?.storage,
                let destination = destination(of: name, in: entity), let column = destination.column(named: property)
            else { return nil }
            return target.relatedTriggers(
                key: toOne.column, table: destination.table, column: column, function: derivation.function)
        case .count(let name):
            return collection(name, of: entity).map { target.countTriggers($0) }
        case .aggregate(let function, let name, let property):
            guard let destination = destination(of: name, in: entity),
                let column = destination.column(named: property), let collection = collection(name, of: entity)
            else { return nil }
            return target.aggregateTriggers(
                function, column: column, of: destination.table, over: collection)
        }
    }

    /// Whether rows that do not have the attribute are in the same table.
    private func hasSiblings(_ entity: SQLEntity) -> Bool {
        entity.subtreeNumbers.count != entity.table.entityNumbers.count
    }

    private func destination(of relationship: String, in entity: SQLEntity) -> SQLEntity? {
        entity.relationship(named: relationship)?.destinationNumber.flatMap { schema.entity(number: $0) }
    }

    /// Where the members of a to-many relationship are: a table, the column with the owner's key, and the column with
    /// the member's key.
    private func collection(_ name: String, of entity: SQLEntity) -> DerivedTarget.Members? {
        switch entity.relationship(named: name)?.storage {
        case .toManyInverseForeignKey(let inverse):
            DerivedTarget.Members(table: inverse.table.name, owner: inverse.column, member: nil)
        case .toManyHiddenColumn(let hidden):
            DerivedTarget.Members(table: hidden.table.name, owner: hidden.column, member: nil)
        case .manyToMany(let manyToMany) where !manyToMany.isReflexive:
            DerivedTarget.Members(
                table: manyToMany.table.name, owner: manyToMany.ownColumn, member: manyToMany.otherColumn)
        default: nil
        }
    }
}
