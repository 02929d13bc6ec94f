import Foundation

/// Versions of a model between which mapping models can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// Makes a stage.
    ///
    /// - Parameter versionChecksums: The checksums of the versions, the oldest first; see
    ///   `NSManagedObjectModel.versionChecksum`.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }

    /// The checksums of the versions, the oldest first.
    public let versionChecksums: [String]
}
