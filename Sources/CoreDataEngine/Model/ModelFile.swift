import Foundation

/// Finds out what kind of model a file or folder holds, and reads and replaces files.
enum ModelFile {
    /// Reads the model of a `.momd`, `.mom`, `.omo`, `.xcdatamodeld` or `.xcdatamodel` file or folder.
    ///
    /// The content decides, not the name. Of a folder with versions, the current one is read.
    ///
    /// - Throws: a `CocoaError` with the path of the file, and a sentence that names what is wrong.
    static func model(at url: URL) throws -> NSManagedObjectModel {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelError.located(ModelError.missing("There is no model file '\(url.lastPathComponent)'."), at: url)
        }
        return isFolder.boolValue ? try modelOfFolder(at: url) : try modelOfFile(at: url)
    }

    private static func modelOfFolder(at url: URL) throws -> NSManagedObjectModel {
        let names = try names(in: url)
        if names.contains("contents") { return try ModelSourceDocument(contentsOf: url).model() }
        if names.contains(where: { $0.hasSuffix(".mom") }) || names.contains(VersionInfo.fileName) {
            return try CompiledModelBundle.currentModel(in: url)
        }
        if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) {
            return try ModelSourceBundle.currentModel(in: url)
        }
        if names.contains("elements") { return try ModelSourceDocument(contentsOf: url).model() }
        throw ModelError.located(ModelError.corrupt("The folder '\(url.lastPathComponent)' holds no model."), at: url)
    }

    /// Reads a model whose versions, if there are any, are other files.
    static func modelOfFile(at url: URL) throws -> NSManagedObjectModel {
        let start = try data(at: url).prefix(512)
        if start.starts(with: Data("bplist".utf8)) { return try compiledModel(at: url) }
        if start.starts(with: Data("momv2$".utf8)) {
            let neighbor = url.deletingPathExtension().appendingPathExtension("mom")
            if FileManager.default.fileExists(atPath: neighbor.path) { return try compiledModel(at: neighbor) }
            let sentence =
                "The optimized model '\(url.lastPathComponent)' is not read; "
                + "the .mom file that stands beside it is missing."
            throw ModelError.located(ModelError.unsupported(sentence), at: url)
        }
        guard String(decoding: start, as: UTF8.self).contains("<") else {
            throw ModelError.located(
                ModelError.corrupt("The file '\(url.lastPathComponent)' is not a model of a known kind."), at: url)
        }
        return try ModelSourceDocument(contentsOf: url).model()
    }

    /// Reads a `.mom` file.
    static func compiledModel(at url: URL) throws -> NSManagedObjectModel {
        try ModelError.located(at: url) { try NSManagedObjectModel.decode(compiledModel: try data(at: url)) }
    }

    /// The content of a file that is not too large to be a model.
    static func data(at url: URL) throws -> Data {
        try ModelError.located(at: url) {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: url.resolvingSymlinksInPath().path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw ModelError.missing("It is not a file.")
            }
            guard let size = attributes[.size] as? Int, size <= NSManagedObjectModel.largestArchive else {
                throw ModelError.corrupt("The file is too large for a model.")
            }
            return try Data(contentsOf: url)
        }
    }

    /// The names of what a folder holds.
    static func names(in url: URL) throws -> [String] {
        try ModelError.located(at: url) { try FileManager.default.contentsOfDirectory(atPath: url.path) }
    }

    /// Fills a new folder and puts it where another one may be: all of it, or nothing.
    static func replaceFolder(at url: URL, fill: (URL) throws -> Void) throws {
        try ModelError.located(at: url) {
            let manager = FileManager.default
            let parent = url.deletingLastPathComponent()
            let fresh = parent.appendingPathComponent(
                ".\(url.lastPathComponent).\(UUID().uuidString)", isDirectory: true)
            let old = parent.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)", isDirectory: true)
            try manager.createDirectory(at: fresh, withIntermediateDirectories: true)
            defer { try? manager.removeItem(at: fresh) }
            try fill(fresh)
            guard manager.fileExists(atPath: url.path) else { return try manager.moveItem(at: fresh, to: url) }
            if let permissions = FilePermissions.of(url) { FilePermissions.set(permissions, of: fresh) }
            try manager.moveItem(at: url, to: old)
            do {
                try manager.moveItem(at: fresh, to: url)
            } catch {
                try? manager.moveItem(at: old, to: url)
                throw error
            }
            try manager.removeItem(at: old)
        }
    }
}
