public import Foundation

/// How the objects of a source entity become objects of a destination entity.
///
/// Not safe to use from several threads at once.
open class NSEntityMapping: NSObject {
    /// Creates a mapping of the type `.undefinedEntityMappingType` without entities.
    ///
    /// Set the name, the type and the names of the entities, and add it to the mappings of a mapping model.
    public override init() {}

    /// The name, unique within the mapping model.
    open var name: String!

    /// What is done with the objects.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The entity of the source model; nil when the mapping adds an entity.
    open var sourceEntityName: String?

    /// The version hash of the source entity that the mapping was made for.
    open var sourceEntityVersionHash: Data?

    /// The entity of the destination model; nil when the mapping removes an entity.
    open var destinationEntityName: String?

    /// The version hash of the destination entity that the mapping was made for.
    open var destinationEntityVersionHash: Data?

    /// How attributes of the destination get their values.
    open var attributeMappings: [NSPropertyMapping]?

    /// How relationships of the destination get their objects.
    open var relationshipMappings: [NSPropertyMapping]?

    /// Gives the source objects; nil for all objects of the source entity.
    open var sourceExpression: NSExpression?

    /// The application's own values, for the migration policy.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// The class that executes the mapping, registered with ``NSEntityMigrationPolicy/register(as:)``; `nil` for
    /// `NSEntityMigrationPolicy` itself.
    open var entityMigrationPolicyClassName: String?

    /// Whether another object is a mapping with the same contents.
    ///
    /// Names, types, entities, property mappings, expressions and the user info are compared.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        return self === other || hasSameContents(as: other)
    }

    private final func hasSameContents(as other: NSEntityMapping) -> Bool {
        name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
            && destinationEntityName == other.destinationEntityName
            && sourceEntityVersionHash == other.sourceEntityVersionHash
            && destinationEntityVersionHash == other.destinationEntityVersionHash
            && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
            && sourceExpression == other.sourceExpression
            && (attributeMappings ?? []) == (other.attributeMappings ?? [])
            && (relationshipMappings ?? []) == (other.relationshipMappings ?? [])
            && ContentEquality.equal(userInfo, other.userInfo)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "<NSEntityMapping \(name ?? "(no name)"): \(sourceEntityName ?? "-") to \(destinationEntityName ?? "-")>"
    }
}
