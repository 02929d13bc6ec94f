package import Foundation

/// Folders of this process, in memory where the machine has a disk in memory.
package enum Scratch {
    /// A new folder. Remove it when it is no longer needed.
    ///
    /// - Parameter root: Where it is made; `CAMPAIGN_SCRATCH`, a disk in memory or the temporary folder when left out.
    package static func folder(in root: URL? = nil) throws -> URL {
        let path = ProcessInfo.processInfo.environment["CAMPAIGN_SCRATCH"]
        let memory = "/dev/shm"
        let base =
            root
            ?? path.map { URL(fileURLWithPath: $0) }
            ?? (FileManager.default.isWritableFile(atPath: memory)
                ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory)
        let url = base.appendingPathComponent("campaign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
