public import Foundation

/// One step of a staged migration; see ``NSLightweightMigrationStage`` and ``NSCustomMigrationStage``.
///
/// Not safe to use from several threads at once.
open class NSMigrationStage: NSObject {
    override init() { super.init() }

    /// What the stage does, for logs and errors.
    open var label: String! = ""

    /// The label, or what represents it.
    final var title: String {
        if let label, !label.isEmpty { return "'\(label)'" }
        return "(no label)"
    }
}
