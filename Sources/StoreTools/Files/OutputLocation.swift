package import Foundation
import OpenCoreData

/// The location of a command's output. A store, or a file that the command reads, is never replaced; other files are
/// replaced only with `--force`.
package struct OutputLocation {
    /// As the user named it.
    package let path: String
    /// Where it is; a symbolic link stays one.
    package let url: URL
    private let force: Bool
    private let inputs: [URL]

    /// - Parameters:
    ///   - force: Whether what is there may be replaced.
    ///   - inputs: What the command reads.
    /// - Throws: `ToolFailure` where nothing may be put.
    package init(_ path: String, force: Bool, inputs: [URL], isFolder: Bool = false) throws {
        guard !StoreAddress.isServer(path) else {
            throw ToolFailure(
                "\(try StoreAddress(path).displayName) is a database on a server; files can't be written there.")
        }
        self.path = path
        self.force = force
        self.inputs = inputs
        url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        try check(isFolder: isFolder)
    }

    /// Who may read and write what is there; nil where nothing is.
    package var permissions: mode_t? { (try? FileFacts(path: url.path))?.permissions }

    /// Looks at what is there now.
    package func check(isFolder: Bool = false) throws {
        if let kind = StoreSignature.protectedKind(ofFileAt: url) { throw refusal("\(kind), which is never replaced") }
        guard let facts = try facts() else { return }
        if try inputs.contains(where: { try Self.parts(of: $0).contains(facts.identity) }) {
            throw refusal("the command's input")
        }
        if isFolder, facts.kind == .folder {
            try checkContents()
        } else if let kind = OutputFile.obstacle(at: url.path) {
            throw refusal(kind)
        }
        guard force else {
            throw ToolFailure("\(path) already exists; use --force to replace it.")
        }
    }

    /// A folder goes with everything in it.
    private func checkContents() throws {
        let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if StoreSignature.protectedKind(ofFileAt: file) != nil {
                throw refusal("a folder with the store \(file.lastPathComponent), which is never replaced")
            }
        }
        let inside = url.path + "/"
        if inputs.contains(where: { ($0.resolvingSymlinksInPath().path + "/").hasPrefix(inside) }) {
            throw refusal("the folder of the command's input")
        }
    }

    private func facts() throws -> FileFacts? {
        do throws(SystemFailure) {
            return try FileFacts(path: url.path)
        } catch {
            throw ToolFailure("The file \(path) cannot be written: \(error).")
        }
    }

    private func refusal(_ kind: String) -> ToolFailure {
        ToolFailure("\(path) is \(kind); name another file for the output.")
    }

    /// A file with the files of SQLite beside it.
    private static func parts(of url: URL) throws(SystemFailure) -> Set<FileFacts.Identity> {
        var result: Set<FileFacts.Identity> = []
        for suffix in ["", "-wal", "-shm", "-journal"] {
            if let facts = try FileFacts(path: url.path + suffix) { result.insert(facts.identity) }
        }
        return result
    }
}
