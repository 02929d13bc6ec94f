/// What an entity mapping does with the objects of the source entity.
public enum NSEntityMappingType: UInt, Sendable {
    /// Undefined: the mapping is executed as a transformation.
    case undefinedEntityMappingType = 0
    /// The program's own migration policy makes the destination objects.
    case customEntityMappingType = 1
    /// The entity is new; there are no source objects.
    case addEntityMappingType = 2
    /// The entity is gone; its objects are left behind.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity changed.
    case transformEntityMappingType = 5
}
