public import Foundation

/// A relationship of an entity: a property that holds other objects.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// Creates an optional to-many relationship without a destination.
    ///
    /// It is a to-many relationship because ``maxCount`` is 0; set it to 1 for a to-one relationship. Set
    /// ``destinationEntity``, and ``inverseRelationship`` on both sides.
    public override init() {
        super.init()
    }

    /// Creates a description from an archive.
    ///
    /// The destination and the inverse are known by name, and linked when the entity of the relationship joins a model.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The entity of the objects that the relationship holds.
    open var destinationEntity: NSEntityDescription? {
        get { linkedDestination }
        set {
            requireEditable()
            linkedDestination = newValue
            destinationHold = newValue?.owner == nil ? newValue : nil
            explicitDestinationName = nil
            declaringEntity?.structureChanged()
        }
    }

    /// The relationship of the destination that leads back.
    ///
    /// Set it on both sides; the model is not valid otherwise.
    open var inverseRelationship: NSRelationshipDescription? {
        get { linkedInverse }
        set {
            requireEditable()
            linkedInverse = newValue
            inverseHold = newValue?.declaringEntity?.owner == nil && newValue !== self ? newValue : nil
            explicitInverseName = nil
            declaringEntity?.structureChanged()
        }
    }

    /// The largest number of objects; 0 represents any number, 1 makes a to-one relationship.
    open var maxCount: Int = 0 {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The smallest number of objects that a relationship that is not empty may have.
    open var minCount: Int = 0 {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// Whether the relationship can hold more than one object: whether ``maxCount`` is other than 1.
    open var isToMany: Bool { maxCount != 1 }

    /// Whether a to-many relationship keeps its objects in order.
    open var isOrdered: Bool = false {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// What happens to the destination when an object is deleted. The default is `.nullifyDeleteRule`.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule {
        willSet { requireEditable() }
    }

    /// The name of the destination; known before the destination itself is linked.
    package final var destinationEntityName: String? { linkedDestination?.name ?? explicitDestinationName }

    /// The name of the inverse; known before the inverse itself is linked.
    package final var inverseRelationshipName: String? { linkedInverse?.name ?? explicitInverseName }

    // The model owns its entities. Until the other end has a model, the relationship keeps it alive itself.
    private final var linkedDestination: NSEntityDescription? {
        get { destinationHandle?.object }
        set { destinationHandle = newValue?.weakHandle }
    }
    private final var destinationHandle: WeakHandle<NSEntityDescription>?
    private final weak var linkedInverse: NSRelationshipDescription?
    private final var destinationHold: NSEntityDescription?
    private final var inverseHold: NSRelationshipDescription?
    private final var explicitDestinationName: String?
    private final var explicitInverseName: String?

    /// Names the two ends that the model links when it gets its entities.
    package final func setEnds(destinationName: String?, inverseName: String?) {
        linkedDestination = nil
        linkedInverse = nil
        destinationHold = nil
        inverseHold = nil
        explicitDestinationName = destinationName
        explicitInverseName = inverseName
    }

    /// Finds both ends among the entities of the model, by name, unless they already belong to it.
    package final func link(in model: NSManagedObjectModel) {
        let destinationName = destinationEntityName
        let inverseName = inverseRelationshipName
        if linkedDestination?.owner !== model {
            linkedDestination = destinationName.flatMap { model.entitiesByName[$0] } ?? linkedDestination
        }
        if linkedInverse?.declaringEntity?.owner !== model, let inverseName {
            linkedInverse = linkedDestination?.relationshipsByName[inverseName] ?? linkedInverse
        }
        explicitDestinationName = destinationName
        explicitInverseName = inverseName
        if linkedDestination?.owner === model { destinationHold = nil }
        if linkedInverse?.declaringEntity?.owner === model { inverseHold = nil }
    }

    package override func makeEmptyCopy() -> NSPropertyDescription { NSRelationshipDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.linkedDestination = linkedDestination
        copy.linkedInverse = linkedInverse
        copy.destinationHold = destinationHold
        copy.inverseHold = inverseHold
        copy.explicitDestinationName = destinationEntityName
        copy.explicitInverseName = inverseRelationshipName
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.isOrdered = isOrdered
        copy.deleteRule = deleteRule
    }
}
