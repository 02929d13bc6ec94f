/// How a relationship of an entity is stored.
package struct SQLRelationship: Sendable {
    package let relationship: NSRelationshipDescription
    package let storage: Storage
    /// The number of the destination entity as declared; nil when it is not in this store.
    package let destinationNumber: Int?

    package var name: String { relationship.name }

    package enum Storage: Sendable {
        case toOne(ToOne)
        case toManyInverseForeignKey(ToManyInverse)
        case manyToMany(ManyToMany)
        case toManyHiddenColumn(HiddenColumn)
        /// The other end is in no entity of this store, and nothing is stored.
        case none
    }

    /// A foreign key in the row itself.
    package struct ToOne: Sendable {
        package let column: SQLColumn
        /// Holds the entity number of the row pointed to, when the destination has subentities.
        package let entityColumn: SQLColumn?
        /// Holds the row's position in the ordered to-many relationship that is the inverse.
        package let orderColumn: SQLColumn?
    }

    /// The foreign key is in the rows of the destination, as its to-one relationship.
    package struct ToManyInverse: Sendable {
        package let table: SQLTable
        package let column: SQLColumn
        /// Beside the foreign key, when this end's entity as the inverse declares it has subentities.
        package let entityColumn: SQLColumn?
        package let orderColumn: SQLColumn?
        /// The inverse's name.
        package let inverseName: String
    }

    /// Pairs of primary keys in a table of their own.
    package struct ManyToMany: Sendable {
        package let table: SQLJoinTable
        /// Holds the primary keys of the owners.
        package let ownColumn: SQLColumn
        /// Holds the primary keys of the destinations.
        package let otherColumn: SQLColumn
        /// Orders the destinations of each owner.
        package let orderColumn: SQLColumn?
        /// Orders the owners of each destination: the order column of the inverse.
        package let inverseOrderColumn: SQLColumn?
        package var isReflexive: Bool { table.isReflexive }
    }

    /// A to-many relationship without inverse: a foreign key to the owner in the rows of the destination.
    package struct HiddenColumn: Sendable {
        package let table: SQLTable
        package let column: SQLColumn
        package let orderColumn: SQLColumn?
    }
}
