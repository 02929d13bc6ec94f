/// Where the objects of an entity are stored.
package final class SQLEntity: Sendable {
    package let entity: NSEntityDescription
    package let name: String
    /// The number that `Z_ENT` holds.
    package let number: Int
    /// The number of the superentity, 0 for a root entity.
    package let superNumber: Int
    /// The numbers of the entity and of all that inherit from it, ascending.
    package let subtreeNumbers: [Int]
    package let table: SQLTable
    /// The stored attributes by name, inherited ones included, leaves in place of composite attributes.
    package let attributes: [SQLAttribute]
    /// The relationships by name, inherited ones included.
    package let relationships: [SQLRelationship]

    private let attributeIndex: [String: Int]
    private let relationshipIndex: [String: Int]

    init(
        entity: NSEntityDescription, number: Int, superNumber: Int, subtreeNumbers: [Int], table: SQLTable,
        attributes: [SQLAttribute], relationships: [SQLRelationship]
    ) {
        self.entity = entity
        self.name = entity.name ?? ""
        self.number = number
        self.superNumber = superNumber
        self.subtreeNumbers = subtreeNumbers
        self.table = table
        self.attributes = attributes
        self.relationships = relationships
        attributeIndex = Dictionary(
            attributes.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        relationshipIndex = Dictionary(
            relationships.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The attribute of a name; for a leaf of a composite attribute, of a path.
    package func attribute(named name: String) -> SQLAttribute? {
        attributeIndex[name].map { attributes[$0] }
    }

    package func relationship(named name: String) -> SQLRelationship? {
        relationshipIndex[name].map { relationships[$0] }
    }

    /// The column of an attribute or to-one relationship; of a composite attribute with one element that of the element.
    package func column(named name: String) -> SQLColumn? {
        if let attribute = attribute(named: name) { return attribute.column }
        if entity.propertiesByName[name] is NSCompositeAttributeDescription {
            let elements = attributes.filter { $0.name.hasPrefix(name + ".") }
            return elements.count == 1 ? elements[0].column : nil
        }
        guard case .toOne(let toOne) = relationship(named: name)?.storage else { return nil }
        return toOne.column
    }

    /// A condition that the rows of the entity satisfy, with those that inherit from it or without; nil when all rows
    /// of the table do.
    ///
    /// - Parameter alias: What stands before the column, for example `t0.`.
    package func condition(includingSubentities: Bool, alias: String = "") -> String? {
        let numbers = includingSubentities ? subtreeNumbers : [number]
        if numbers.count == table.entityNumbers.count { return nil }
        guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
            return "\(alias)Z_ENT = \(number)"
        }
        return last - first == numbers.count - 1
            ? "\(alias)Z_ENT BETWEEN \(first) AND \(last)"
            : "\(alias)Z_ENT IN (\(numbers.map(String.init).joined(separator: ",")))"
    }
}
