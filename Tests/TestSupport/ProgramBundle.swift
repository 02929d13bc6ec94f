import Foundation
public import OpenCoreData

/// A bundle beside the program, where the engine looks for models, that is gone with the value's last reference.
public final class ProgramBundle {
    private let url: URL

    /// - Parameter models: What to put into it, compiled.
    public init(_ models: [NSManagedObjectModel]) throws {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        url = program.deletingLastPathComponent().appendingPathComponent("Models-\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (number, model) in models.enumerated() {
            try model.encodedCompiledModel().write(to: url.appendingPathComponent("Model\(number).mom"))
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
