import Foundation

/// The compiler, for what must not compile in an application.
package enum SwiftCompiler {
    /// The folder of what was built with the tests.
    private static let products =
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    private static let modules = products.appendingPathComponent("Modules")

    /// The maps of the modules that are not Swift's.
    private static var maps: [URL] {
        let root = (1...3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return [
            products.appendingPathComponent("EngineShims.build/module.modulemap"),
            products.appendingPathComponent("COpenCombineHelpers.build/module.modulemap"),
            root.appendingPathComponent("Sources/CSQLite/module.modulemap"),
        ].filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static let swiftc: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Whether programs can be compiled here.
    package static var isThere: Bool { swiftc != nil && FileManager.default.fileExists(atPath: modules.path) }

    /// The errors that the compiler finds in the source text of an application.
    package static func errors(in source: String, options: [String] = ["-swift-version", "6"]) throws -> [String] {
        try messages(in: source, options: options).filter { $0.hasPrefix("<unknown>") || $0.contains(": error: ") }
    }

    /// The errors and warnings that the compiler has for the source text of an application.
    package static func messages(in source: String, options: [String] = ["-swift-version", "6"]) throws -> [String] {
        guard let swiftc else { return [] }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
        try Data(source.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = swiftc
        process.arguments =
            ["-typecheck", "-I", modules.path] + options + [file.path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let string = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return string.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("<unknown>")
                || $0.contains(".swift:") && ($0.contains(": error: ") || $0.contains(": warning: "))
        }
    }
}
