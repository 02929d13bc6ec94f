import Foundation

/// Finds mapping models, and reads them by what they are.
enum MappingFile {
    private static let sourceName = "xcmapping.xml"

    /// Reads the mappings of a `.cdm` file, an `.xcmappingmodel` folder or an `xcmapping.xml` file.
    ///
    /// The content decides, not the name.
    ///
    /// - Parameter models: The models that source is compiled for; nil for the ones that it names or holds.
    /// - Throws: A `CocoaError` with the path of the file, and a sentence that names what is wrong.
    static func entityMappings(at url: URL, between models: MappingModels?) throws -> [NSEntityMapping] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelError.located(
                ModelError.missing("There is no mapping model '\(url.lastPathComponent)'."), at: url)
        }
        if isFolder.boolValue {
            let file = url.appendingPathComponent(sourceName)
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw ModelError.located(
                    ModelError.corrupt("The folder '\(url.lastPathComponent)' holds no mapping model."), at: url)
            }
            return try entityMappings(at: file, between: models)
        }
        let data = try ModelFile.data(at: url)
        return try ModelError.located(at: url) {
            if data.starts(with: Data("bplist".utf8)) { return try MappingArchiveDecoder.decode(data) }
            let document = try MappingSourceDocument(data)
            let chosen = try document.models(matching: models, near: url)
            return try MappingSourceCompiler(document: document, models: chosen).entityMappings()
        }
    }

    /// The mapping models in bundles, compiled ones first.
    static func urls(in bundles: [Bundle]) -> [URL] {
        ["cdm", "xcmappingmodel"].flatMap { kind in
            bundles.flatMap { bundle in
                (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map { $0 as URL }
                    .sorted { $0.path < $1.path }
            }
        }
    }
}
