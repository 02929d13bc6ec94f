/// Where an attribute of an entity is stored.
///
/// A composite attribute has one of these for each of its leaves; their `name` is the path to the leaf, as predicates
/// write it (`address.city`).
package struct SQLAttribute: Sendable {
    /// The attribute's name, or the path to a leaf of a composite attribute.
    package let name: String
    /// The attribute, or the leaf.
    package let attribute: NSAttributeDescription
    /// The composite attribute that the leaf belongs to.
    package let composite: NSCompositeAttributeDescription?
    package let column: SQLColumn
    /// Whether triggers of the store compute the value.
    package var isDerived: Bool { attribute is NSDerivedAttributeDescription }
    /// Whether the value is bytes with a prefix that says where the rest is.
    package let hasExternalStorage: Bool

    init(
        name: String, attribute: NSAttributeDescription, composite: NSCompositeAttributeDescription?, column: SQLColumn
    ) {
        self.name = name
        self.attribute = attribute
        self.composite = composite
        self.column = column
        hasExternalStorage =
            attribute.attributeType == .binaryDataAttributeType && attribute.allowsExternalBinaryDataStorage
    }
}
