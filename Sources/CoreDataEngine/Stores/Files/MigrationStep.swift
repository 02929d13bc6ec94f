/// The points of a migration at which a process may die; for tests that look at the files there.
package enum MigrationStep: Sendable, CaseIterable {
    /// The folder for the migration is there, and the store is locked.
    case begun
    /// The new store is there, without objects.
    case created
    /// The new store has all objects.
    case copied
    /// The journal says that the new store is whole.
    case ready
    /// New files with large values are beside the store.
    case filesMoved
    /// The new store is in the place of the old one.
    case exchanged
    /// Files that are no longer needed are gone.
    case swept

    /// Called on the way through a migration.
    @TaskLocal package static var observer: (@Sendable (MigrationStep) -> Void)?

    static func reached(_ step: MigrationStep) { observer?(step) }
}
