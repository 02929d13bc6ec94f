import Sticky

/// A folder of resources with compiled models, as the package manager puts them beside a program; gone with the value's
/// last reference.
final class ModelFolder: Sendable {
    let url: URL
    private let outermost: URL

    /// - Parameters:
    ///   - models: What to put into it, by name.
    ///   - folder: Where the folder is; beside the program when left out.
    ///   - isNested: Whether the models are in a folder of resources of their own, in the folder.
    init(_ models: [String: NSManagedObjectModel], in folder: URL? = nil, isNested: Bool = false) throws {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let parent = folder ?? program.deletingLastPathComponent()
        outermost = parent.appendingPathComponent("Sticky-\(UUID().uuidString).resources")
        url = isNested ? outermost.appendingPathComponent("Books.resources") : outermost
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, model) in models {
            try model.encodedCompiledModel().write(to: url.appendingPathComponent("\(name).mom"))
        }
    }

    /// The outer folder as a bundle.
    var bundle: Bundle {
        get throws {
            guard let bundle = Bundle(url: outermost) else { throw CocoaError(.fileNoSuchFile) }
            return bundle
        }
    }

    deinit { try? FileManager.default.removeItem(at: outermost) }
}
