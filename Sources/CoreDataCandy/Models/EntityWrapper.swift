import OpenCoreDataKit

/// Holds a model's managed object and keeps it out of sight.
public struct EntityWrapper<Entity: DatabaseEntity> {
    let entity: Entity

    /// Wraps a managed object.
    public init(entity: Entity) { self.entity = entity }
}
