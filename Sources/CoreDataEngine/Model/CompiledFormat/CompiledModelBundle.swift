package import Foundation

/// A compiled model with all its versions: a `.momd` folder.
package struct CompiledModelBundle {
    /// One version of the model.
    package struct Version {
        package let name: String
        package let model: NSManagedObjectModel

        package init(name: String, model: NSManagedObjectModel) {
            self.name = name
            self.model = model
        }
    }

    /// The versions by name.
    package var versions: [Version]

    /// The name of the version that an application uses.
    package var currentVersionName: String?

    package init(versions: [Version], currentVersionName: String?) {
        self.versions = versions
        self.currentVersionName = currentVersionName
    }

    /// The version that an application uses.
    package var currentModel: NSManagedObjectModel? {
        versions.first { $0.name == currentVersionName }?.model ?? (versions.count == 1 ? versions.first?.model : nil)
    }

    // MARK: Reading

    /// Reads all versions of a folder.
    ///
    /// - Throws: a `CocoaError` with the path of the file that is damaged.
    package init(contentsOf url: URL) throws {
        let info = try VersionInfo(folder: url)
        currentVersionName = info.currentVersionName
        versions = try Self.modelNames(in: url).map { name in
            Version(name: name, model: try Self.model(named: name, in: url, info: info))
        }
    }

    /// Reads the version that an application uses, and nothing else.
    static func currentModel(in url: URL) throws -> NSManagedObjectModel {
        let info = try VersionInfo(folder: url)
        let names = try modelNames(in: url)
        if let current = info.currentVersionName { return try model(named: current, in: url, info: info) }
        guard let only = names.first, names.count == 1 else {
            let sentence =
                names.isEmpty
                ? "The folder '\(url.lastPathComponent)' holds no compiled model (.mom)."
                : "The folder '\(url.lastPathComponent)' holds several versions and does not say which one is current."
            throw ModelError.located(ModelError.corrupt(sentence), at: url)
        }
        return try model(named: only, in: url, info: info)
    }

    private static func modelNames(in url: URL) throws -> [String] {
        try ModelFile.names(in: url).filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(4)) }.sorted()
    }

    private static func model(named name: String, in folder: URL, info: VersionInfo) throws -> NSManagedObjectModel {
        let url = folder.appendingPathComponent(name + ".mom")
        // The plugin for code that asks its bundle for a .momd puts sources into it.
        let model = try ModelFile.modelOfFile(at: url)
        if let hashes = info.hashes[name] { model.setKnownVersionHashes(hashes) }
        return model
    }

    // MARK: Writing

    /// Writes the folder with all versions. What was there is replaced at once, or not at all.
    ///
    /// - Throws: a `CocoaError` with the path of the file that cannot be written.
    package func write(to url: URL) throws {
        try ModelFile.replaceFolder(at: url) { folder in
            for version in versions {
                let file = folder.appendingPathComponent(version.name + ".mom")
                try ModelError.located(at: url) { try version.model.encodedCompiledModel().write(to: file) }
            }
            let plist = try PropertyListSerialization.data(fromPropertyList: versionInfo, format: .binary, options: 0)
            try plist.write(to: folder.appendingPathComponent(VersionInfo.fileName))
        }
    }

    private var versionInfo: [String: Any] {
        var info: [String: Any] = [
            VersionInfo.hashesKey: Dictionary(
                versions.map { ($0.name, $0.model.entityVersionHashesByName) },
                uniquingKeysWith: { first, _ in first }),
            VersionInfo.checksumsKey: Dictionary(
                versions.map { ($0.name, $0.model.versionChecksum) }, uniquingKeysWith: { first, _ in first }),
        ]
        info[VersionInfo.currentVersionKey] = currentVersionName
        return info
    }
}

/// What `VersionInfo.plist` says.
struct VersionInfo {
    static let fileName = "VersionInfo.plist"
    static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"
    static let hashesKey = "NSManagedObjectModel_VersionHashes"
    static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    var currentVersionName: String?
    var hashes: [String: [String: Data]] = [:]
    var checksums: [String: String] = [:]

    /// Reads the file of a folder; a folder without one has no information.
    init(folder: URL) throws {
        let url = folder.appendingPathComponent(Self.fileName)
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try ModelError.located(at: url) {
            let content = try PropertyListFile.readDictionary(try ModelFile.data(at: url))
            currentVersionName = content[Self.currentVersionKey] as? String
            if let name = currentVersionName, name.contains("/") {
                throw ModelError.corrupt("The name of the current version, '\(name)', is not a name.")
            }
            for (name, value) in content[Self.hashesKey] as? [String: Any] ?? [:] {
                hashes[name] = (value as? [String: Any] ?? [:]).compactMapValues { $0 as? Data }
            }
            checksums = (content[Self.checksumsKey] as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
        }
    }
}
