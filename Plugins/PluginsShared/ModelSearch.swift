import Foundation
import PackagePlugin

/// The models in a target's folder, and what the tool is told about the target.
struct ModelSearch {
    /// Each `.xcdatamodeld`, and each `.xcdatamodel` that is not a version of one.
    private(set) var models: [URL] = []
    private let target: any SourceModuleTarget

    init(_ target: any SourceModuleTarget) {
        self.target = target
        let keys: [URLResourceKey] = [.isDirectoryKey]
        let walk = FileManager.default.enumerator(
            at: target.directoryURL, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        while let url = walk?.nextObject() as? URL {
            guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else { continue }
            walk?.skipDescendants()
            models.append(url)
        }
        models.sort { $0.path < $1.path }
    }

    /// The file with the target's settings, when there is one. Files whose names begin with a dot need no mention in the
    /// package's manifest.
    var settingsFile: URL? {
        let url = target.directoryURL.appending(path: ".model-codegen.json")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// The arguments that say which module is compiled and which one of Core Data it uses.
    var arguments: [String] {
        var arguments = ["--module", target.moduleName, "--import", importedModule]
        if let settingsFile { arguments += ["--settings", settingsFile.path] }
        return arguments
    }

    /// `CoreData` for a target that depends on the product of this name, directly or by a library that brings it.
    private var importedModule: String {
        var names: [String] = []
        for dependency in target.dependencies {
            switch dependency {
            case .product(let product): names.append(product.name)
            case .target(let target): names.append(target.name)
            @unknown default: break
            }
        }
        let bringCoreData = ["CoreData", "CoreDataMonk", "THRCoreData", "CoreDataCandy", "BNRCoreDataStack", "Sticky"]
        if names.contains("OpenCoreData") || names.contains("OpenCoreDataKit") { return "OpenCoreData" }
        return names.contains(where: bringCoreData.contains) ? "CoreData" : "OpenCoreData"
    }

    /// The files that a model's code depends on.
    static func inputs(of model: URL) -> [URL] {
        var inputs: [URL] = []
        let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            if ["contents", ".xccurrentversion"].contains(url.lastPathComponent) { inputs.append(url) }
        }
        return inputs.sorted { $0.path < $1.path }
    }
}
