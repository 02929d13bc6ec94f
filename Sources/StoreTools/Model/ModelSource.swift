package import Foundation
package import OpenCoreData

/// A model, and where it came from.
package struct ModelSource {
    package enum Origin {
        /// A model file that the user named.
        case file(URL)
        /// The copy that a store keeps of its model.
        case store(URL)
        /// Worked out from the tables of a store that keeps no copy; good for reading.
        case tables(URL)

        /// The store that the model was taken from.
        package var store: URL? {
            switch self {
            case .file: nil
            case .store(let url), .tables(let url): url
            }
        }
    }

    package let model: NSManagedObjectModel
    package let origin: Origin

    package init(model: NSManagedObjectModel, origin: Origin) {
        self.model = model
        self.origin = origin
    }

    /// The model for a store: the one at `modelPath`, or else the store's own.
    ///
    /// - Parameter reconstructs: Whether a store without a copy of its model gets one that is worked out from its tables.
    package init(storeURL: URL, modelPath: String?, reconstructs: Bool = false) throws {
        if let modelPath {
            self = try ModelReference(modelPath).source(reconstructs: false)
        } else {
            try self.init(store: storeURL, reconstructs: reconstructs)
        }
    }

    /// The model at `path`, which is a model file or a store that keeps its model.
    package init(path: String, reconstructs: Bool = false) throws {
        if StoreAddress.isServer(path) {
            try self.init(store: try StoreAddress(path).url, reconstructs: false)
            return
        }
        let url = try InputFile.url(path, orFolder: true)
        if StoreFacts.isDatabase(url) {
            try self.init(store: url, reconstructs: reconstructs)
            return
        }
        self.init(model: try Self.model(inFile: url), origin: .file(url))
    }

    /// The model of a file, or what stands there instead.
    static func model(inFile url: URL) throws -> NSManagedObjectModel {
        let endings = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "cdm", "omo"]
        guard endings.contains(url.pathExtension.lowercased()) else {
            let kind = FileContent.name(of: url) ?? "something else"
            throw ToolFailure(
                "\(url.path) is not a model but \(kind); a model is an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store "
                    + "that contains one.")
        }
        return try NSManagedObjectModel(contentsOfModelFile: url)
    }

    private init(store url: URL, reconstructs: Bool) throws {
        if let server = StoreAddress(url: url).server {
            self.init(model: try server.model(ofStoreAt: url, options: nil), origin: .store(url))
            return
        }
        let address = StoreAddress(url: url)
        guard address.isSQLite else {
            throw ToolFailure(
                "\(url.path) is \(address.kindName), which contains no copy of its model; name the model with --model.")
        }
        guard let cache = try StoreFacts(url: url).modelCache else {
            if reconstructs {
                self.init(model: try ModelReconstruction.model(ofStoreAt: url), origin: .tables(url))
                return
            }
            throw ToolFailure("The store \(url.path) contains no copy of its model; name the model with --model.")
        }
        let model: NSManagedObjectModel
        do {
            model = try NSManagedObjectModel.decode(modelCache: cache)
        } catch {
            throw ToolFailure(
                "The copy of the model in the store \(url.path) cannot be read (\(Sentence.clause(of: error))); "
                    + "name the model with --model.")
        }
        self.init(model: model, origin: .store(url))
    }

    /// The model with the version hashes that the store has, which also holds where they cannot be computed.
    package func adoptingHashes(ofStoreAt url: URL) throws -> ModelSource {
        guard origin.store == url, let copy = model.copy() as? NSManagedObjectModel else {
            return self
        }
        let metadata = try StoreAddress(url: url).metadata()
        copy.setKnownVersionHashes(metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:])
        return ModelSource(model: copy, origin: origin)
    }

    /// The model of a store that is to be migrated to this one: the one at `modelPath`, or the version of the store among
    /// those beside this model, which knows how things were renamed, or the store's own.
    package func formerVersion(ofStoreAt url: URL, modelPath: String?) throws -> ModelSource {
        if modelPath == nil, !model.fileURLs.isEmpty,
            let version = NSManagedObjectModel.version(
                inModelsAt: model.fileURLs, forStoreMetadata: try StoreAddress(url: url).metadata())
        {
            return ModelSource(model: version, origin: .file(model.fileURLs[0]))
        }
        return try ModelSource(storeURL: url, modelPath: modelPath).adoptingHashes(ofStoreAt: url)
    }

    /// The model with one class for all objects. The names of classes are no part of what a store and a model must agree
    /// on, and this model never reaches a file.
    package func replacingClasses(with type: NSManagedObject.Type) -> ModelSource {
        guard let copy = model.copy() as? NSManagedObjectModel else { return self }
        ManagedObjectClass.noticed(type)
        let hashes = model.entityVersionHashesByName
        // The name that stands for no class of the application's.
        let name = type == NSManagedObject.self ? "NSManagedObject" : NSStringFromClass(type)
        for entity in copy.entities { entity.managedObjectClassName = name }
        copy.setKnownVersionHashes(hashes)
        return ModelSource(model: copy, origin: origin)
    }

    /// The message for a name that isn't an entity of the model.
    package static func unknown(entity name: String, in model: NSManagedObjectModel) -> ToolFailure {
        ToolFailure(
            "The model has no entity named \(name); \(Suggestion.hint(for: name, among: model.entitiesByName.keys))")
    }

    /// What to call the model after the words "the model".
    package var name: String {
        switch origin {
        case .file(let url): url.lastPathComponent
        case .store(let url): "of \(StoreAddress(url: url).name)"
        case .tables(let url): "reconstructed from the tables of \(StoreAddress(url: url).name)"
        }
    }

    /// Where the model came from, for people.
    package var description: String {
        switch origin {
        case .file(let url): "the file \(url.path)"
        case .store(let url): "the copy in the store \(StoreAddress(url: url).name)"
        case .tables: "the store's tables: names are in lower case, relationships may be missing"
        }
    }

    package var json: JSONValue {
        switch origin {
        case .file(let url): ["kind": "file", "path": .string(url.path)]
        case .store(let url): ["kind": "store", "path": .string(StoreAddress(url: url).displayName)]
        case .tables(let url): ["kind": "tables", "path": .string(url.path)]
        }
    }
}
