import Foundation
import PackagePlugin

/// The models in a target's folder, and what the tool is told about the target.
struct ModelSearch {
    /// Each `.xcdatamodeld`, and each `.xcdatamodel` that is not a version of one.
    private(set) var models: [URL] = []
    /// The names of compiled models in the folder.
    private var compiled: Set<String> = []
    private let target: any SourceModuleTarget

    init(_ target: any SourceModuleTarget) {
        self.target = target
        let keys: [URLResourceKey] = [.isDirectoryKey]
        let walk = FileManager.default.enumerator(
            at: target.directoryURL, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        while let url = walk?.nextObject() as? URL {
            switch url.pathExtension {
            case "xcdatamodeld", "xcdatamodel":
                walk?.skipDescendants()
                models.append(url)
            case "momd", "mom":
                walk?.skipDescendants()
                compiled.insert(url.lastPathComponent)
            default: break
            }
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

    /// `CoreData` for a target that depends on the product of this name, directly or by a library that brings it. Its own
    /// dependencies come before those that it reaches through other targets.
    private var importedModule: String {
        let bringCoreData = [
            "CoreData", "CoreDataMonk", "THRCoreData", "CoreDataCandy", "BNRCoreDataStack", "CoreDataStack", "Sticky",
        ]
        var level = target.dependencies
        var seen: Set<String> = []
        while !level.isEmpty {
            var names: [String] = []
            var next: [TargetDependency] = []
            for dependency in level {
                switch dependency {
                case .product(let product):
                    names.append(product.name)
                    next += product.targets.map(TargetDependency.target)
                case .target(let target):
                    names.append(target.name)
                    if seen.insert(target.name).inserted { next += target.dependencies }
                @unknown default: break
                }
            }
            if names.contains("OpenCoreData") || names.contains("OpenCoreDataKit") { return "OpenCoreData" }
            if names.contains(where: bringCoreData.contains) { return "CoreData" }
            level = next
        }
        return "OpenCoreData"
    }

    /// The models that code asks its bundle for in compiled form, as in
    /// `url(forResource: "Library", withExtension: "momd")`, unless the target has them in that form.
    func modelsAsked(for sources: [URL]) -> [URL] {
        var kinds: Set<String> = []
        for source in sources where kinds.count < 2 {
            guard let text = try? String(contentsOf: source, encoding: .utf8), text.contains("mom") else { continue }
            for kind in ["momd", "mom"] where text.contains("\"\(kind)\"") || text.contains(".\(kind)\"") {
                kinds.insert(kind)
            }
        }
        var names: Set<String> = []
        return models.filter { model in
            let kind = Self.compiledExtension(of: model)
            let name = "\(model.deletingPathExtension().lastPathComponent).\(kind)"
            return kinds.contains(kind) && !compiled.contains(name) && names.insert(name).inserted
        }
    }

    /// The extension of what Xcode compiles a model to.
    static func compiledExtension(of model: URL) -> String { model.pathExtension == "xcdatamodeld" ? "momd" : "mom" }

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
