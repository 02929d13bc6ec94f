package import Foundation

/// Binary values that may be kept in external files beside the store.
///
/// A column of such an attribute contains either `01` and the value, or `02`, the name of a file (an upper-case UUID)
/// and `00`. The file is written and flushed before the row that names it, and removed when no reader can see a row
/// that names it (`UnusedFiles`). So a crash can leave an unused file, but never a row whose file is missing.
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
    let storePath: String

    /// The name of the store's main file.
    var storeName: String { URL(fileURLWithPath: storePath).lastPathComponent }

    /// - Parameter storeURL: The store's main file, or a symbolic link to it: the values are beside the file itself.
    package init(storeURL: URL) {
        let storeURL = storeURL.realFile
        let name = storeURL.deletingPathExtension().lastPathComponent
        storePath = storeURL.path
        supportFolder = storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
        folder = supportFolder.appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// What the column holds for a value.
    ///
    /// A large value is written to a new file first.
    ///
    /// - Parameter announce: Called with the name of the file before there is one.
    /// - Throws: `CocoaError` with the reason: `fileWriteOutOfSpace`, `fileWriteNoPermission`, `fileWriteVolumeReadOnly`, or
    ///   else `fileWriteUnknown`.
    package func encode(_ value: Data, announce: (String) throws -> Void = { _ in }) throws -> Data {
        guard value.count >= Self.threshold else { return Self.column(for: value) }
        let name = UUID().uuidString
        do {
            try makeFolder()
            try announce(name)
            let file = folder.appendingPathComponent(name)
            try DurableFile.write(value, to: file, draft: DurableFile.draft(of: file))
        } catch {
            throw CoreDataError.writing(
                "A value of \(value.count) bytes could not be written to a file of its own beside the store "
                    + "“\(storeName)”.", path: folder.path, cause: error)
        }
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    /// What a column holds for a value that is in the column itself.
    static func column(for value: Data) -> Data { Data([1]) + value }

    /// Makes the folder, so that it is there after a power cut.
    private func makeFolder() throws {
        if FileManager.default.fileExists(atPath: folder.path) { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        DurableFile.synchronize(folder: supportFolder)
        DurableFile.synchronize(folder: supportFolder.deletingLastPathComponent())
    }

    /// Makes the folders that are missing, with the permissions of another store's.
    func makeFolders(like other: ExternalData) throws {
        for (own, model) in [(supportFolder, other.supportFolder), (folder, other.folder)] {
            if FileManager.default.fileExists(atPath: own.path) { continue }
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            if let mode = FilePermissions.of(model) { FilePermissions.set(mode | 0o700, of: own) }
        }
    }

    /// The value that a column represents.
    ///
    /// - Throws: `CocoaError` `fileReadNoSuchFile` when the file is missing, `fileReadNoPermission` and `fileReadUnknown` when
    ///   it can't be read or is no regular file, `fileReadCorruptFile` when the column holds neither form.
    package func decode(_ column: Data) throws -> Data {
        guard let kind = column.first else { return Data() }
        if kind == 1 { return Data(column.dropFirst()) }
        guard let name = Self.fileName(in: column) else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "A value with external storage in the store “\(storeName)” begins with byte \(kind).", path: storePath)
        }
        let file = folder.appendingPathComponent(name)
        do {
            return try WholeFile.read(file)
        } catch {
            throw unreadable(file, cause: error)
        }
    }

    private func unreadable(_ file: URL, cause: any Error) -> CocoaError {
        let value = "The external value “\(file.lastPathComponent)” of the store “\(storeName)” cannot be read"
        let (code, sentence): (CocoaError.Code, String) =
            if let other = cause as? RegularFile.Other {
                (.fileReadUnknown, "\(value): \(other.kind) is in the place of its file.")
            } else if !FileManager.default.fileExists(atPath: file.path) {
                (
                    .fileReadNoSuchFile,
                    "\(value): its file is missing. Restore it from a backup, or set or delete the value."
                )
            } else if !FileManager.default.isReadableFile(atPath: file.path) {
                (.fileReadNoPermission, "\(value): there is no permission to read its file.")
            } else {
                (.fileReadUnknown, "\(value): \(SystemError.reason(of: cause)).")
            }
        return CoreDataError.make(code.rawValue, sentence, path: file.path, underlying: cause)
    }

    /// The file that a column names; `nil` if the value is in the column.
    ///
    /// Only names of files in the folder are accepted, never paths.
    package static func fileName(in column: Data) -> String? {
        guard column.count == 38, column.first == 2, column.last == 0 else { return nil }
        let name = String(decoding: column.dropFirst().dropLast(), as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Whether there is a file, or the beginning of one, or a link or a pipe in its place, which can be removed as well.
    func hasFile(_ name: String) -> Bool { files(of: name).contains { RegularFile.isRemovable(at: $0.path) } }

    /// Whether a value can be read from a file, or copied.
    func hasValue(_ name: String) -> Bool { RegularFile.isThere(at: folder.appendingPathComponent(name).path) }

    /// Removes files whose rows are gone, and what a process that died while it wrote left of them.
    ///
    /// A file that is not there any more is no error.
    package func remove(_ names: some Sequence<String>) {
        for name in names where UUID(uuidString: name) != nil {
            for file in files(of: name) { remove(file) }
        }
    }

    /// A folder in a file's place isn't the store's, and stays.
    private func remove(_ file: URL) {
        #if os(Windows)
        try? FileManager.default.removeItem(at: file)
        #else
        unlink(file.path)
        #endif
    }

    private func files(of name: String) -> [URL] {
        let file = folder.appendingPathComponent(name)
        return [file, DurableFile.draft(of: file)]
    }

    /// The files that no row names.
    ///
    /// - Parameter named: The names that rows hold.
    package func orphans(besides named: Set<String>) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !named.contains($0) }.sorted()
    }
}
