public import Foundation

/// What a container uses of a file manager.
public protocol FileManagerProtocol {
    /// Whether there is a file or folder.
    func fileExists(atPath path: String) -> Bool

    /// Deletes a file, or a folder with what is in it.
    func removeItem(atPath path: String) throws
}

extension FileManager: FileManagerProtocol {}
