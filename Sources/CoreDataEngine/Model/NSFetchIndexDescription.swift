public import Foundation

/// An index of an entity's table, for faster fetches.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSFetchIndexDescription: NSObject, NSCoding, NSCopying, @unchecked Sendable {
    /// Creates an index.
    ///
    /// The index becomes one of the store when its entity's ``NSEntityDescription/indexes`` have it. Elements belong to
    /// one index: copy those of another one.
    ///
    /// - Parameters:
    ///   - name: a name that no other index of the entity has.
    ///   - elements: the columns, most significant first.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    /// Creates an index from an archive.
    ///
    /// The index belongs to no entity. Its properties are found by name when an entity gets the index.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no index.
    public required init?(coder: NSCoder) {
        guard let archived = DescriptionCoding.index(from: coder) else { return nil }
        name = archived.name
        elements = archived.elements
        partialIndexPredicate = archived.partialIndexPredicate
        super.init()
        adoptElements()
    }

    /// Writes the index into an archive. Of its properties the names are kept.
    ///
    /// The elements and the condition are archived with it. It belongs to no entity when it is read again.
    ///
    /// - Parameter coder: a keyed archiver.
    open func encode(with coder: NSCoder) {
        guard let copy = copy() as? NSFetchIndexDescription else { return }
        DescriptionCoding.encode(copy, to: coder)
    }

    /// The name of the index, unique in its entity.
    open var name: String {
        willSet { requireEditable() }
    }

    /// The columns, most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { requireEditable() }
        didSet { adoptElements() }
    }

    /// The entity that the index belongs to.
    open internal(set) var entity: NSEntityDescription? {
        get { entityHandle?.object }
        set { entityHandle = newValue?.weakHandle }
    }
    private final var entityHandle: WeakHandle<NSEntityDescription>?

    /// The condition that an object must fulfil to be in the index; nil for all objects.
    open var partialIndexPredicate: NSPredicate? {
        willSet { requireEditable() }
    }

    private final func adoptElements() {
        for element in elements { element.indexDescription = self }
    }

    /// Whether another object is an index with the same name, columns and condition.
    ///
    /// Their entities aren't compared.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other
            || name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate
    }

    open override var hash: Int { name.hashValue }

    /// Returns a copy that belongs to no entity.
    ///
    /// The elements are copied as well, and the copy may be changed, also if the original is in use.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copies = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
        let copy = NSFetchIndexDescription(name: name, elements: copies)
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    final func requireEditable() {
        guard let entity, entity.isFrozen else { return }
        programmerError(
            "The index '\(name)' of entity '\(entity.name ?? "")' cannot be changed: "
                + "its model is already used by a coordinator. Change a copy of the model instead.")
    }
}
