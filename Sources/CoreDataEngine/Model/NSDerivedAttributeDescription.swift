public import Foundation

/// An attribute whose value the store computes from other properties when it saves.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// Creates a derived attribute without an expression.
    ///
    /// Set the name, the type and ``derivationExpression`` before you give it to an entity.
    ///
    /// ```swift
    /// let count = NSDerivedAttributeDescription()
    /// count.name = "bookCount"
    /// count.attributeType = .integer64AttributeType
    /// count.derivationExpression = NSExpression(format: "books.@count")
    /// ```
    public override init() {
        super.init()
    }

    /// Creates a description from an archive.
    ///
    /// The expression is read with it. The attribute belongs to no entity, so it can be given to one.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// How the value is computed: a key path, a function of one, or an aggregate over a to-many relationship.
    open var derivationExpression: NSExpression? {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// A condition on what an aggregate counts. Model files can hold one; there is no public way to set it.
    package final var filteringPredicate: NSPredicate?

    /// The expression's text, the same for every way to write it: as a key path with an operator or as a function.
    package final var derivationText: String? { derivationExpression?.withFunctionsForOperators.description }

    package override func makeEmptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivationExpression = derivationExpression
        copy.filteringPredicate = filteringPredicate
    }
}
