public import Foundation

/// The methods of a file manager that a container uses.
public protocol FileManagerProtocol {
    /// Whether there is a file or folder.
    ///
    /// Called by `deleteSQLiteStores()` for each file of a store.
    ///
    /// - Parameter path: The path.
    /// - Returns: Whether something is there.
    func fileExists(atPath path: String) -> Bool

    /// Deletes a file, or a folder with what is in it.
    ///
    /// Called only for paths that exist.
    ///
    /// - Parameter path: The path.
    /// - Throws: The error of the file system.
    func removeItem(atPath path: String) throws
}

extension FileManager: FileManagerProtocol {}
