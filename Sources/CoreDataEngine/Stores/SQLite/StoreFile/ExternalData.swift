package import Foundation

/// Binary values that may be kept in files of their own beside the store.
///
/// A column of such an attribute holds either `01` and the value, or `02`, the name of a file (an upper-case UUID) and
/// `00`. The file is written and flushed before the row that names it, and removed after the row that named it is gone,
/// so a crash can leave a file that nobody names, never a row whose file is missing.
///
/// Safe to use from any thread.
package struct ExternalData: Sendable {
    /// Values of this size or more go to a file.
    ///
    /// Apple's own limit is not published, and a store may use any: readers go by the prefix.
    package static let threshold = 128 * 1024

    /// `.<store>_SUPPORT`, beside the store.
    package let supportFolder: URL
    /// The folder with one file for each value.
    package let folder: URL
    private let storePath: String

    /// - Parameter storeURL: The store's main file.
    package init(storeURL: URL) {
        let name = storeURL.deletingPathExtension().lastPathComponent
        storePath = storeURL.path
        supportFolder = storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
        folder = supportFolder.appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// What the column holds for a value.
    ///
    /// A large value is written to a new file first.
    package func encode(_ value: Data) throws -> Data {
        guard value.count >= Self.threshold else { return Data([1]) + value }
        let name = UUID().uuidString
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try DurableFile.write(value, to: folder.appendingPathComponent(name))
        } catch {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteUnknown.rawValue,
                "A value of \(value.count) bytes could not be written beside the store "
                    + "“\(URL(fileURLWithPath: storePath).lastPathComponent)”.",
                path: folder.path, underlying: error)
        }
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    /// The value that a column stands for.
    ///
    /// - Throws: `CocoaError` `fileReadNoSuchFile` when the file is missing, `fileReadCorruptFile` when the column holds
    ///   neither form.
    package func decode(_ column: Data) throws -> Data {
        guard let kind = column.first else { return Data() }
        if kind == 1 { return Data(column.dropFirst()) }
        guard let name = Self.fileName(in: column) else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "A value with external storage in the store “\(URL(fileURLWithPath: storePath).lastPathComponent)” "
                    + "begins with byte \(kind).",
                path: storePath)
        }
        do {
            return try Data(contentsOf: folder.appendingPathComponent(name))
        } catch {
            throw CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "The external value “\(name)” of the store “\(URL(fileURLWithPath: storePath).lastPathComponent)” "
                    + "cannot be read.",
                path: folder.appendingPathComponent(name).path, underlying: error)
        }
    }

    /// The file that a column names; nil when the value is in the column.
    ///
    /// Anything that is not the name of a file in the folder, such as a path, is none.
    package static func fileName(in column: Data) -> String? {
        guard column.count == 38, column.first == 2, column.last == 0 else { return nil }
        let name = String(decoding: column.dropFirst().dropLast(), as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Removes files whose rows are gone.
    ///
    /// A file that is not there any more is no error.
    package func remove(_ names: some Sequence<String>) {
        for name in names where UUID(uuidString: name) != nil {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// The files that no row names.
    ///
    /// - Parameter named: The names that rows hold.
    package func orphans(besides named: Set<String>) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !named.contains($0) }.sorted()
    }
}
