package import Foundation

/// What a campaign finds around it.
package struct Workspace: Sendable {
    /// A folder for what lives as long as the process.
    package var folder: URL
    /// Whether the campaign shall plant a defect into its own oracle, which it must then find.
    package var isPlanted: Bool
    /// The program, which runs its actors too.
    package var program: URL

    package init(folder: URL, isPlanted: Bool, program: URL) {
        self.folder = folder
        self.isPlanted = isPlanted
        self.program = program
    }
}
