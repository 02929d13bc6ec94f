/// The classes of one version of the models.
public protocol VersionedSchema {
    /// The classes.
    static var models: [any PersistentModel.Type] { get }
    /// The number of the version.
    static var versionIdentifier: Schema.Version { get }
}

/// The versions of the models, and how stores come from one to the next.
public protocol SchemaMigrationPlan {
    /// The versions from the first to the last.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The steps between them.
    static var stages: [MigrationStage] { get }
}

// @unchecked Sendable because the blocks are only called while a container is made, by the thread that makes it. Plans keep
// stages in static constants.
/// A step from one version of the models to the next.
public enum MigrationStage: @unchecked Sendable {
    /// One that the differences of the versions tell.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// One with code before, which sees the old classes, and after, which sees the new ones.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((_ context: ModelContext) throws -> Void)?,
        didMigrate: ((_ context: ModelContext) throws -> Void)?)
}

extension Schema {
    /// The schema of a version.
    ///
    /// What is wrong with a class is thrown when a container is made with the schema.
    ///
    /// - Parameter versionedSchema: The version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }
}
