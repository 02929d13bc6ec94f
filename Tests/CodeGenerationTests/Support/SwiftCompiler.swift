import Foundation
import Testing

/// The compiler and the tool that lists symbols, as tests use them.
enum SwiftCompiler {
    static let compiler = find("swiftc")
    static let nm = find("nm") ?? find("llvm-nm")
    static var canListSymbols: Bool { compiler != nil && nm != nil }

    /// A program on the search path.
    private static func find(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Compiles sources into an object file and lists the symbols that it lacks.
    static func undefinedSymbols(of sources: [URL], module: String, in folder: URL) throws -> Set<String> {
        let object = folder.appendingPathComponent("\(module).o")
        _ = try run(
            compiler,
            ["-swift-version", "6", "-parse-as-library", "-emit-object", "-wmo", "-module-name", module]
                + ["-I", folder.path, "-o", object.path] + sources.map(\.path), in: folder)
        let lines = try run(nm, ["-u", object.path], in: folder).split(separator: "\n")
        return Set(lines.compactMap { $0.split(separator: " ").last.map(String.init) })
    }

    /// Makes a module that others can import.
    static func emitModule(_ name: String, source: URL, in folder: URL) throws {
        _ = try run(
            compiler,
            [
                "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", name, "-I", folder.path,
                "-o",
                folder.appendingPathComponent("\(name).swiftmodule").path, source.path,
            ], in: folder)
    }

    /// Type-checks sources; fails with what the compiler says.
    static func check(_ sources: [URL], options: [String] = [], in folder: URL) throws {
        _ = try run(
            compiler,
            ["-swift-version", "6", "-parse-as-library", "-typecheck", "-I", folder.path] + options
                + sources.map(\.path),
            in: folder)
    }

    private static func run(_ program: URL?, _ arguments: [String], in folder: URL) throws -> String {
        let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        let string = try String(contentsOf: output, encoding: .utf8)
        guard process.terminationStatus == 0 else { throw Failure(description: string) }
        return string
    }
}
