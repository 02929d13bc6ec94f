import Foundation

/// Versions of a model between which mapping models can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// Creates a stage.
    ///
    /// The checksums aren't compared with any model before a store is migrated.
    ///
    /// - Parameter versionChecksums: The checksums of the versions, the oldest first; see
    ///   `NSManagedObjectModel.versionChecksum`.
    public init(_ versionChecksums: [String]) {
        checksums = versionChecksums
        super.init()
    }

    /// The checksums of the versions, the oldest first.
    open var versionChecksums: [String] { checksums }
    private let checksums: [String]
}
