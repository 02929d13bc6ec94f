#if CommandLineTool
import ArgumentParser
import Foundation
import ModelCodeGeneration
import OpenCoreData
import StoreTools

/// `opencoredata model port`
struct ModelPortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "Changes model classes so that they also build outside Apple's platforms.",
        discussion: """
            Puts @objc between '#if canImport(ObjectiveC)' and '#endif', removes 'private' from @NSManaged \
            members and overriding initializers, moves overrides from extensions into their class, makes \
            init(context:) of a class 'required', turns #keyPath, NSStringFromSelector(#selector(getter: …)) and \
            the #selector of a comparison into strings, and casts between fetch requests into conversions, and \
            adds 'import CoreData' to files that use its types without it. Prints the changes to standard output, \
            and what has to be changed by hand, with its line, to standard error.
            """)

    @Argument(help: "Swift files, or folders with Swift files.", completion: .file(extensions: ["swift"]))
    var sources: [String]

    @Flag(help: "Print the changes, but don't write them.")
    var dryRun = false

    func run() throws {
        let output = OutputSink()
        var packages = PluginCheck()
        var keys: Set<String> = []
        var keyed: [(file: String, property: PortedSource.KeyedProperty)] = []
        let files = try sources.flatMap(Self.files)
        // Whether something was printed.
        var hasSpoken = false
        func warn(_ line: String) {
            hasSpoken = true
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        for url in files {
            guard let data = FileManager.default.contents(atPath: try InputFile.url(url.path).path) else {
                throw ToolFailure("The file \(url.path) cannot be read.")
            }
            guard let old = String(data: data, encoding: .utf8) else {
                throw ToolFailure("The file \(url.path) is not UTF-8 text.")
            }
            let ported = SourcePort.port(old, file: url.path)
            for leftover in ported.leftovers {
                warn("\(url.relativePath):\(leftover.line): warning: \(leftover.sentence)")
            }
            if ported.hasManagedMembers || !ported.keyedProperties.isEmpty { packages.record(url) }
            keys.formUnion(ported.keys)
            keyed += ported.keyedProperties.map { (url.relativePath, $0) }
            let new = ported.text
            guard new != old else { continue }
            hasSpoken = true
            try output.write(
                lines: String(UnifiedDiff.text(from: old, to: new, file: url.relativePath).dropLast()), end: "\n")
            if dryRun { continue }
            do {
                try OutputFile.write(Data(new.utf8), to: url)
            } catch {
                let reason = SystemFailure(error).map(String.init(describing:)) ?? Sentence.clause(of: error)
                throw ToolFailure("The file \(url.path) cannot be written: \(reason).")
            }
        }
        try output.finish()
        // The key may stand in another file than the property.
        for (file, property) in keyed {
            guard let sentence = property.sentence(for: keys) else { continue }
            warn("\(file):\(property.line): warning: \(sentence)")
        }
        for package in packages.withoutPlugin {
            warn(
                "\(package.path): warning: no target uses the plugin GenerateModels, which supplies what @NSManaged "
                    + "promises; without it the linker finds no definition of the properties' accessors")
        }
        if !hasSpoken { StandardError.writeLine(Self.unchanged(files.count)) }
    }

    private static func unchanged(_ count: Int) -> String {
        switch count {
        case 0: "There are no Swift files."
        case 1: "Nothing needs to be changed in 1 Swift file."
        default: "Nothing needs to be changed in \(count) Swift files."
        }
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
