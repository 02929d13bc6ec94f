import OpenCoreDataKit

/// Holds a model's managed object and keeps it out of sight.
public struct EntityWrapper<Entity: DatabaseEntity> {
    let entity: Entity

    /// Wraps a managed object.
    ///
    /// Called in a model's initializer. The wrapper holds the object strongly.
    ///
    /// - Parameter entity: The managed object.
    public init(entity: Entity) { self.entity = entity }
}
