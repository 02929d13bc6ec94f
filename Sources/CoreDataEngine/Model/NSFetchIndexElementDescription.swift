public import Foundation

/// One column of a fetch index.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSFetchIndexElementDescription: NSObject, NSCoding, NSCopying, @unchecked Sendable {
    /// Creates an element.
    ///
    /// The column is sorted upwards unless ``isAscending`` is set to `false`. The property is replaced by the one of
    /// the same name when the index gets an entity.
    ///
    /// - Parameters:
    ///   - property: an attribute, a relationship, or an `NSExpressionDescription` for a computed column.
    ///   - collationType: the kind of index.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        explicitPropertyName = property.name
        super.init()
    }

    package init(propertyName: String, collationType: NSFetchIndexElementType) {
        self.collationType = collationType
        explicitPropertyName = propertyName
        super.init()
    }

    /// Creates an element from an archive.
    ///
    /// The element belongs to no index. Its property is found by name when the index gets an entity.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no element of an index.
    public required init?(coder: NSCoder) {
        guard let archived = DescriptionCoding.index(from: coder)?.elements.first else { return nil }
        property = archived.property
        collationType = archived.collationType
        isAscending = archived.isAscending
        explicitPropertyName = archived.propertyName ?? ""
        super.init()
    }

    /// Writes the element into an archive. Of a property the name is kept.
    ///
    /// Its kind and direction are archived with it, and the expression of a computed column.
    ///
    /// - Parameter coder: a keyed archiver.
    open func encode(with coder: NSCoder) {
        guard let copy = copy() as? NSFetchIndexElementDescription else { return }
        DescriptionCoding.encode(NSFetchIndexDescription(name: "", elements: [copy]), to: coder)
    }

    /// The property whose values are indexed.
    open internal(set) var property: NSPropertyDescription?

    /// The name of the property whose values are indexed.
    open var propertyName: String? { property?.name ?? explicitPropertyName }

    /// The kind of index. The default is `.binary`.
    open var collationType: NSFetchIndexElementType {
        willSet { indexDescription?.requireEditable() }
    }

    /// Whether the column is sorted upwards. The default is true.
    open var isAscending: Bool = true {
        willSet { indexDescription?.requireEditable() }
    }

    /// The index that the element belongs to.
    open internal(set) weak var indexDescription: NSFetchIndexDescription?

    private final let explicitPropertyName: String

    /// Finds the property by its name in the entity of the index. Computed columns stay as they are.
    final func link(in entity: NSEntityDescription) {
        if property is NSExpressionDescription { return }
        property = entity.propertiesByName[propertyName ?? ""] ?? property
    }

    /// Whether another object is a column of the same property, computed in the same way, of the same kind and direction.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return self === other
            || propertyName == other.propertyName && collationType == other.collationType
                && isAscending == other.isAscending
                && (property as? NSExpressionDescription) == (other.property as? NSExpressionDescription)
    }

    open override var hash: Int { propertyName.hashValue }

    /// Returns a copy that belongs to no index.
    ///
    /// A computed column is copied with its expression; the copies share any other property.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy: NSFetchIndexElementDescription
        if let expression = property as? NSExpressionDescription,
            let property = expression.copy() as? NSExpressionDescription
        {
            copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
        } else if let property {
            copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
        } else {
            copy = NSFetchIndexElementDescription(propertyName: explicitPropertyName, collationType: collationType)
        }
        copy.isAscending = isAscending
        return copy
    }
}
