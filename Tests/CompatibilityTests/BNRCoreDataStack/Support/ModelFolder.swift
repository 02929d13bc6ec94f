import BNRCoreDataStack
import TestSupport

/// A model in a bundle, as an application has it: beside the program, or in a folder.
final class ModelFolder: Sendable {
    let url: URL

    /// - Parameters:
    ///   - name: The model's name.
    ///   - folder: Where; beside the program when left out, where `Bundle.main` finds it.
    init(_ name: String, in folder: URL? = nil) throws {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        url = (folder ?? program.deletingLastPathComponent())
            .appendingPathComponent("\(name)-\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try LibraryModel.make().encodedCompiledModel().write(to: url.appendingPathComponent("\(name).mom"))
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
