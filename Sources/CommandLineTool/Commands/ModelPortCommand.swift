#if CommandLineTool
    import ArgumentParser
    import Foundation
    import ModelCodeGeneration

    /// `opencoredata model port`
    struct ModelPortCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "port", abstract: "Changes model classes so that they build off Apple's platforms too.",
            discussion: """
                @objc goes between '#if canImport(ObjectiveC)' and '#endif', and @NSManaged members lose 'private'. \
                The difference is printed.
                """)

        @Argument(help: "Swift files, or folders with Swift files.", completion: .file(extensions: ["swift"]))
        var sources: [String]

        @Flag(help: "Print the difference and change nothing.")
        var dryRun = false

        func run() throws {
            let output = OutputSink()
            for url in try sources.flatMap(Self.files) {
                guard let data = FileManager.default.contents(atPath: try InputFile.url(url.path).path) else {
                    throw CommandFailure("The file \(url.path) cannot be read.")
                }
                guard let old = String(data: data, encoding: .utf8) else {
                    throw CommandFailure("The file \(url.path) is no text in UTF-8.")
                }
                let new = SourcePort.ported(old, file: url.path)
                guard new != old else { continue }
                try output.write(
                    lines: String(UnifiedDiff.text(from: old, to: new, file: url.relativePath).dropLast()), end: "\n")
                if dryRun { continue }
                do {
                    try Data(new.utf8).write(to: url, options: .atomic)
                } catch {
                    let reason = SystemFailure(error).map(String.init(describing:)) ?? Sentence.clause(of: error)
                    throw CommandFailure("The file \(url.path) cannot be written: \(reason).")
                }
            }
            try output.finish()
        }

        private static func files(_ path: String) throws -> [URL] {
            let url = try InputFile.url(path, orFolder: true)
            guard try FileFacts(path: path)?.kind == .folder else { return [url] }
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            return names.filter { $0.hasSuffix(".swift") }.sorted()
                .map { url.appendingPathComponent($0) }
        }
    }
#endif
