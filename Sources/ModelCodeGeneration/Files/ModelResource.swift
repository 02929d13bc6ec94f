package import Foundation

/// What a program finds that asks its bundle for a compiled model: `X.momd` with all versions, or `X.mom`.
///
/// A target whose code asks for one gets it from the plugin. It holds the sources of the versions, which
/// `NSManagedObjectModel(contentsOf:)` reads under these names as well, so nothing has to be compiled.
package struct ModelResource {
    /// The versions by the names that their files have, and the name of the current one.
    private var versions: [GeneratedFile] = []
    private var currentName: String?

    /// Reads the versions of an `.xcdatamodeld`, or an `.xcdatamodel`. Versions in a form that isn't read are left out.
    ///
    /// - Throws: a ``Diagnostic`` that names what is missing.
    package init(path: String) throws(Diagnostic) {
        let url = URL(fileURLWithPath: path)
        let location = try ModelLocation(path: path)
        guard url.pathExtension == "xcdatamodeld" else {
            versions = [Self.version(url.lastPathComponent, try location.read())]
            return
        }
        currentName = Self.name(location.contents.deletingLastPathComponent().lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where name.hasSuffix(".xcdatamodel") {
            guard let data = try? Data(contentsOf: url.appendingPathComponent(name).appendingPathComponent("contents"))
            else { continue }
            versions.append(Self.version(name, data))
        }
    }

    private static func name(_ fileName: String) -> String { (fileName as NSString).deletingPathExtension }

    private static func version(_ fileName: String, _ data: Data) -> GeneratedFile {
        GeneratedFile(name: name(fileName) + ".mom", content: String(decoding: data, as: UTF8.self))
    }

    /// Writes the folder, or the file of a model without versions, in place of what was there.
    ///
    /// - Throws: a ``Diagnostic`` with the path of the file that can't be written.
    package func write(to url: URL) throws(Diagnostic) {
        guard let currentName else {
            for version in versions {
                try GeneratedFile(name: url.lastPathComponent, content: version.content)
                    .write(into: url.deletingLastPathComponent())
            }
            return
        }
        let files = versions + [GeneratedFile(name: "VersionInfo.plist", content: Self.versionInfo(currentName))]
        let present = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in present where !files.contains(where: { $0.name == name }) {
            try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
        }
        _ = try GeneratedFile.write(files, into: url)
    }

    private static func versionInfo(_ current: String) -> String {
        let escaped = current.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>NSManagedObjectModel_CurrentVersionName</key>
            \t<string>\(escaped)</string>
            </dict>
            </plist>

            """
    }
}
