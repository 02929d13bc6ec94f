public import Foundation

/// Files that Apple's frameworks wrote. Tests that need them are skipped where the folder is missing.
///
/// Paths are relative to the folder of Core Data's files; those of SwiftData begin with `swiftdata/`, whose folder is
/// beside the other.
///
///     @Test(.enabled(if: Fixtures.available)) func readsAStore() throws { ... }
public enum Fixtures {
    /// The folder of the fixtures: `OPENCOREDATA_FIXTURES`, or `shared/fixtures/apple` beside a parent of the package.
    public static let root: URL? = {
        if let path = ProcessInfo.processInfo.environment["OPENCOREDATA_FIXTURES"] {
            return existingFolder(URL(fileURLWithPath: path, isDirectory: true))
        }
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.pathComponents.count > 1 {
            if let found = existingFolder(folder.appendingPathComponent("shared/fixtures/apple", isDirectory: true)) {
                return found
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Whether the folder of the fixtures is there.
    public static var available: Bool { root != nil }

    /// A fixture that is asked for but not there.
    public struct MissingFixture: Error, CustomStringConvertible {
        /// Which fixture is missing.
        public let description: String
    }

    /// The location of a fixture. Read it only; to open a store, copy it first.
    public static func url(_ path: String) throws -> URL {
        let folder = path.hasPrefix(swiftDataPrefix) ? root?.deletingLastPathComponent() : root
        guard let url = folder?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else {
            throw MissingFixture(description: "There is no fixture '\(path)'.")
        }
        return url
    }

    /// The bytes of a fixture.
    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

    /// Copies a fixture, and the write-ahead log of a store, into a folder, and makes the copy writable.
    ///
    /// - Returns: the location of the copy.
    public static func copy(_ path: String, into folder: TemporaryFolder) throws -> URL {
        let source = try url(path)
        let target = folder.file(source.lastPathComponent)
        try FileManager.default.copyItem(at: source, to: target)
        try makeWritable(target)
        let log = URL(fileURLWithPath: source.path + "-wal")
        if FileManager.default.fileExists(atPath: log.path) {
            let logTarget = URL(fileURLWithPath: target.path + "-wal")
            try FileManager.default.copyItem(at: log, to: logTarget)
            try makeWritable(logTarget)
        }
        return target
    }

    /// The paths, below the folder of the fixtures, of all files whose names end in one of the extensions.
    public static func files(withExtensions extensions: String...) -> [String] {
        guard let root else { return [] }
        func names(in folder: URL) -> [String] {
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        }
        let others = root.deletingLastPathComponent().appendingPathComponent(swiftDataPrefix, isDirectory: true)
        return (names(in: root) + names(in: others).map { swiftDataPrefix + $0 })
            .filter { extensions.contains(($0 as NSString).pathExtension) }
            .sorted()
    }

    private static let swiftDataPrefix = "swiftdata/"

    /// A store that SwiftData wrote, with enumerations and structs in composite attributes.
    public static let cocktails = swiftDataPrefix + "PreloadedCocktails.store"

    /// Whether ``cocktails`` is there.
    public static var hasCocktails: Bool { (try? url(cocktails)) != nil }

    /// The paths of all SQLite stores.
    public static var stores: [String] {
        files(withExtensions: "sqlite", "wiredatabase", "store", "db", "graphdb", "CDBStore", "dsidx")
    }

    private static func existingFolder(_ url: URL) -> URL? {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && isFolder.boolValue ? url : nil
    }

    private static func makeWritable(_ url: URL) throws {
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        for path in [url.path] + names.map({ url.appendingPathComponent($0).path }) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder.boolValue ? 0o755 : 0o644], ofItemAtPath: path)
        }
    }
}
