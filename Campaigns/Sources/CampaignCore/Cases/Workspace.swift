public import Foundation

/// What a campaign finds around it.
public struct Workspace: Sendable {
    /// A folder for what lives as long as the process.
    public var folder: URL
    /// Whether the campaign shall plant a defect into its own oracle, which it must then find.
    public var isPlanted: Bool
    /// The program, which runs its actors too.
    public var program: URL

    public init(folder: URL, isPlanted: Bool, program: URL) {
        self.folder = folder
        self.isPlanted = isPlanted
        self.program = program
    }
}
