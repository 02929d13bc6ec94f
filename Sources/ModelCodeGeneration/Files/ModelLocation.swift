package import Foundation

/// Where the source of a model is: an `.xcdatamodeld` with its versions, or an `.xcdatamodel`.
package struct ModelLocation: Sendable {
    /// The path that was given.
    package var path: String
    /// The file with the current version.
    package var contents: URL

    /// The last part of the path.
    package var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// Finds the current version.
    ///
    /// - Throws: a ``Diagnostic`` that names what is missing.
    package init(path: String) throws(Diagnostic) {
        self.path = path
        let url = URL(fileURLWithPath: path)
        switch url.pathExtension {
        case "xcdatamodeld":
            contents = try Self.currentVersion(in: url, path).appendingPathComponent("contents")
        case "xcdatamodel": contents = url.appendingPathComponent("contents")
        default:
            guard url.lastPathComponent == "contents" else {
                throw Diagnostic(file: path, line: nil, "this is neither an .xcdatamodeld nor an .xcdatamodel")
            }
            contents = url
        }
        guard FileManager.default.fileExists(atPath: contents.path) else {
            let elements = contents.deletingLastPathComponent().appendingPathComponent("elements")
            throw Diagnostic(
                file: path, line: nil,
                FileManager.default.fileExists(atPath: elements.path)
                    ? "the model is in the binary form of Xcode 3; open it in a newer Xcode and save it"
                    : "there is no file \(contents.path)")
        }
    }

    /// The content of the current version.
    package func read() throws(Diagnostic) -> Data {
        do {
            return try Data(contentsOf: contents)
        } catch {
            throw Diagnostic(file: contents.path, line: nil, "the file cannot be read: \(error.localizedDescription)")
        }
    }

    private static func currentVersion(in url: URL, _ path: String) throws(Diagnostic) -> URL {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
                .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
        } catch {
            throw Diagnostic(file: path, line: nil, "the folder cannot be read: \(error.localizedDescription)")
        }
        let file = url.appendingPathComponent(".xccurrentversion")
        // Xcode writes it as XML. Foundation stops the program at some damaged lists of the binary form off Apple's systems.
        if let data = try? Data(contentsOf: file), !data.starts(with: Data("bplist".utf8)),
            let list = data.isEmpty
                ? [:] : try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        {
            // Of a list that names none, as Xcode leaves it in some projects, the first by name.
            let name = list["_XCCurrentVersionName"] as? String ?? names.first ?? ""
            guard names.contains(name) else {
                throw Diagnostic(file: file.path, line: nil, "the current version, '\(name)', doesn't exist")
            }
            return url.appendingPathComponent(name, isDirectory: true)
        }
        guard names.count == 1 else {
            throw Diagnostic(
                file: path, line: nil,
                names.isEmpty
                    ? "there is no version of the model in the folder"
                    : "there are \(names.count) versions and no .xccurrentversion that says which one is current")
        }
        return url.appendingPathComponent(names[0], isDirectory: true)
    }
}
