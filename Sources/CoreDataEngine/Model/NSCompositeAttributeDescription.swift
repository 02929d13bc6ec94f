public import Foundation

/// An attribute that is made of several attributes, each with a name of its own.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// Creates a composite attribute without elements.
    ///
    /// Its type is `.compositeAttributeType`. Set ``elements`` before you give it to an entity.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    /// Creates a description from an archive.
    ///
    /// The elements are read with it. The attribute belongs to no entity, so it can be given to one.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The attributes that the composite is made of. They may be composite themselves.
    open var elements: [NSAttributeDescription] = [] {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The name of the composite type in the model's source, nil when it is not known.
    package final var compositeName: String?

    /// The attributes at the ends of the composite, with their paths that begin with `path`, by name.
    final func leaves(path: String) -> [(path: String, attribute: NSAttributeDescription)] {
        Self.leaves(path: path, of: elements.sorted { VersionHash.precedes($0.name, $1.name) }) {
            $0.leaves(path: $1)
        }
    }

    /// The attributes at the ends of the composite, with their paths that begin with `path`, as they are declared.
    final func declaredLeaves(path: String) -> [(path: String, attribute: NSAttributeDescription)] {
        Self.leaves(path: path, of: elements) { $0.declaredLeaves(path: $1) }
    }

    private static func leaves(
        path: String, of elements: [NSAttributeDescription],
        inner: (NSCompositeAttributeDescription, String) -> [(path: String, attribute: NSAttributeDescription)]
    ) -> [(path: String, attribute: NSAttributeDescription)] {
        elements.flatMap { element in
            let elementPath = path + "." + element.name
            return (element as? NSCompositeAttributeDescription).map { inner($0, elementPath) }
                ?? [(elementPath, element)]
        }
    }

    /// The first element that is composite itself. How a store on disk keeps such a one is not known.
    package final var nestedElement: NSCompositeAttributeDescription? {
        elements.lazy.compactMap { $0 as? NSCompositeAttributeDescription }.first
    }

    package override func makeEmptyCopy() -> NSPropertyDescription { NSCompositeAttributeDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
        copy.compositeName = compositeName
    }
}
