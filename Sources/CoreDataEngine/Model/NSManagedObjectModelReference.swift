public import Foundation

/// A model that is found when it is needed, and recognized by its checksum.
// Everything but the resolved model is immutable; that is behind a lock.
open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    private enum Source {
        case model(NSManagedObjectModel)
        case file(URL)
        case name(String, Bundle?)
        case hashes([String: Data], Bundle?)
    }

    /// The checksum that the model must have, see `NSManagedObjectModel.versionChecksum`.
    open var versionChecksum: String { checksum }
    private let checksum: String

    private let source: Source
    private let lock = NSLock()
    private var found: NSManagedObjectModel?

    /// Refers to a model that is there.
    ///
    /// The checksum is compared when ``resolvedModel`` is read.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - versionChecksum: The checksum of the version.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        source = .model(model)
        checksum = versionChecksum
        super.init()
    }

    /// Refers to a version of the model in a file.
    ///
    /// All versions in a `.momd` or `.xcdatamodeld` folder are compared. Nothing is read before ``resolvedModel`` is,
    /// and the model that is found is kept.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a model file or bundle.
    ///   - versionChecksum: The checksum of the version.
    public init(fileURL: URL, versionChecksum: String) {
        source = .file(fileURL)
        checksum = versionChecksum
        super.init()
    }

    /// Refers to a version of the model of a name in a bundle; nil for the main bundle.
    ///
    /// The name is that of the file, without its extension. All versions of the model are compared. Nothing is read
    /// before ``resolvedModel`` is, and the model that is found is kept.
    ///
    /// - Parameters:
    ///   - modelName: The name of the model.
    ///   - bundle: The bundle; `nil` for the main bundle.
    ///   - versionChecksum: The checksum of the version.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        source = .name(modelName, bundle)
        checksum = versionChecksum
        super.init()
    }

    /// Refers to the model in a bundle (nil for the main bundle) whose entities have these hashes.
    ///
    /// All versions of all models of the bundle are compared, and the entities have to be exactly these. Nothing is
    /// read before ``resolvedModel`` is, and the model that is found is kept.
    ///
    /// - Parameters:
    ///   - versionHashes: The version hashes by the names of the entities.
    ///   - bundle: The bundle; `nil` for the main bundle.
    ///   - versionChecksum: The checksum of the version.
    public init(entityVersionHashes versionHashes: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        var hashes: [String: Data] = [:]
        for (name, hash) in versionHashes { hashes["\(name.base)"] = hash as? Data }
        source = .hashes(hashes, bundle)
        checksum = versionChecksum
        super.init()
    }

    /// The model.
    ///
    /// It is a programming error if the model doesn't exist or has another checksum.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            let sentence = (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] ?? error
            programmerError("\(sentence)")
        }
    }

    /// Returns the model.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` if the model doesn't exist or has another checksum.
    package final func resolve() throws -> NSManagedObjectModel {
        lock.lock()
        defer { lock.unlock() }
        if let found { return found }
        guard let model = candidates().first(where: { $0.versionChecksum == versionChecksum }) else {
            throw CoreDataError.make(
                NSManagedObjectModelReferenceNotFoundError,
                "There is no model \(locationDescription) with the checksum '\(versionChecksum)'.")
        }
        found = model
        return model
    }

    private func candidates() -> [NSManagedObjectModel] {
        switch source {
        case .model(let model): [model]
        case .file(let url): NSManagedObjectModel.allVersions(at: url)
        case .name(let name, let bundle):
            NSManagedObjectModel.modelURLs(in: [bundle ?? .main])
                .filter { $0.deletingPathExtension().lastPathComponent == name }
                .flatMap { NSManagedObjectModel.allVersions(at: $0) }
        case .hashes(let hashes, let bundle):
            NSManagedObjectModel.modelURLs(in: [bundle ?? .main]).flatMap { NSManagedObjectModel.allVersions(at: $0) }
                .filter { $0.entityVersionHashesByName == hashes }
        }
    }

    private var locationDescription: String {
        switch source {
        case .model: "in the reference"
        case .file(let url): "at '\(url.path)'"
        case .name(let name, _): "named '\(name)'"
        case .hashes(let hashes, _): "with the entities \(hashes.keys.sorted().joined(separator: ", "))"
        }
    }
}
