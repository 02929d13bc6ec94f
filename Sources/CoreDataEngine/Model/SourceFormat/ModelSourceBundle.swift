package import Foundation

/// The source of a model with all its versions: an `.xcdatamodeld` folder.
package struct ModelSourceBundle {
    /// One version of the model.
    package struct Version {
        /// The name without the extension `.xcdatamodel`.
        package let name: String
        package var document: ModelSourceDocument

        package init(name: String, document: ModelSourceDocument) {
            self.name = name
            self.document = document
        }
    }

    private static let currentFileName = ".xccurrentversion"
    private static let currentKey = "_XCCurrentVersionName"
    private static let suffix = ".xcdatamodel"

    /// The versions by name.
    package var versions: [Version]

    /// The name of the current version, without the extension; nil when the folder does not say.
    package var currentVersionName: String?

    /// Old versions that were left out because they are in the binary form of old versions of Xcode.
    package private(set) var binaryVersionNames: [String] = []

    package init(versions: [Version], currentVersionName: String?) {
        self.versions = versions
        self.currentVersionName = currentVersionName
    }

    /// Reads a folder with all versions, but for old ones in a form that isn't read.
    ///
    /// - Throws: a `CocoaError` with the path of the file that is damaged.
    package init(contentsOf url: URL) throws {
        let names = try Self.versionNames(in: url)
        let current = try Self.currentVersionName(in: url)
        let binary = names.filter { $0 != current && names.count > 1 && Self.isBinary(Self.url(of: $0, in: url)) }
        currentVersionName = current
        binaryVersionNames = binary
        versions = try names.filter { !binary.contains($0) }.map { name in
            Version(name: name, document: try ModelSourceDocument(contentsOf: Self.url(of: name, in: url)))
        }
    }

    /// Reads the current version of a folder, and nothing else.
    static func currentModel(in url: URL) throws -> NSManagedObjectModel {
        let names = try versionNames(in: url)
        let current = try currentVersionName(in: url) ?? (names.count == 1 ? names.first : nil)
        guard let current else {
            let sentence =
                "The folder '\(url.lastPathComponent)' holds \(names.count) versions "
                + "and does not say which one is current."
            throw ModelError.located(ModelError.corrupt(sentence), at: url)
        }
        let version = Self.url(of: current, in: url)
        let document = try ModelSourceDocument(contentsOf: version)
        return try ModelError.located(at: version) { try document.model() }
    }

    /// The model of the current version; `nil` if the bundle has no version.
    package func currentModel() throws -> NSManagedObjectModel? {
        let current = versions.first { $0.name == currentVersionName } ?? (versions.count == 1 ? versions.first : nil)
        return try current?.document.model()
    }

    /// Writes the folder. What was there is replaced at once, or not at all.
    ///
    /// - Throws: a `CocoaError` with the path of the file that cannot be written.
    package func write(to url: URL) throws {
        try ModelFile.replaceFolder(at: url) { folder in
            for version in versions { try version.document.write(to: Self.url(of: version.name, in: folder)) }
            var content: [String: String] = [:]
            if let currentVersionName { content[Self.currentKey] = currentVersionName + Self.suffix }
            let plist = try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
            try plist.write(to: folder.appendingPathComponent(Self.currentFileName))
        }
    }

    static func url(of name: String, in folder: URL) -> URL {
        folder.appendingPathComponent(name + suffix, isDirectory: true)
    }

    /// Whether a version is in the binary form of old versions of Xcode.
    package static func isBinary(_ version: URL) -> Bool {
        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: version.appendingPathComponent(name).path)
        }
        return exists("elements") && !exists(ModelSourceDocument.contentsName)
    }

    private static func versionNames(in url: URL) throws -> [String] {
        try ModelFile.names(in: url).filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// The current version that a folder says; the first by name where it has a file for that which names none, as Xcode
    /// leaves it in some projects.
    package static func currentVersionName(in url: URL) throws -> String? {
        let file = url.appendingPathComponent(currentFileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try ModelError.located(at: file) {
            let data = try ModelFile.data(at: file)
            let content = data.isEmpty ? [:] : try PropertyListFile.readDictionary(data)
            guard let name = content[currentKey] as? String, !name.isEmpty else {
                return try versionNames(in: url).first
            }
            guard name.hasSuffix(suffix), !name.contains("/") else {
                throw ModelError.corrupt("The name of the current version, '\(name)', is not that of an .xcdatamodel.")
            }
            return String(name.dropLast(suffix.count))
        }
    }
}
