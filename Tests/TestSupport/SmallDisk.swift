public import Foundation

/// A disk of a few megabytes, in memory, that is gone with the value's last reference. Mounting it takes administrator
/// rights.
public final class SmallDisk: Sendable {
    public let folder: TemporaryFolder
    public var url: URL { folder.url }

    /// - Parameter kilobytes: How much it holds, rounded up to pages of memory.
    public init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", folder.url.path) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    deinit { _ = try? Self.run("umount", "-l", folder.url.path) }

    public func file(_ name: String) -> URL { folder.file(name) }

    /// Allows writing, or forbids it to all users.
    public func setWritable(_ isWritable: Bool) throws {
        guard try Self.run("mount", "-o", isWritable ? "remount,rw" : "remount,ro", folder.url.path) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Whether a disk can be mounted here.
    public static let isAvailable: Bool = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

    private static func run(_ command: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
