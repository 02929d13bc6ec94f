#if CommandLineTool
import Foundation

/// Finds the packages of sources with `@NSManaged` members whose manifest doesn't name the plugin that supplies
/// them.
struct PluginCheck {
    private var manifests: Set<URL> = []

    /// Notes a source with such members.
    mutating func record(_ source: URL) {
        var folder = source.absoluteURL.standardizedFileURL.deletingLastPathComponent()
        while folder.path != "/" {
            let manifest = folder.appendingPathComponent("Package.swift")
            if FileManager.default.fileExists(atPath: manifest.path) {
                manifests.insert(manifest)
                return
            }
            folder.deleteLastPathComponent()
        }
    }

    /// The manifests that don't name the plugin. One that can't be read says nothing.
    var withoutPlugin: [URL] {
        manifests.sorted { $0.path < $1.path }.filter { manifest in
            guard let data = FileManager.default.contents(atPath: manifest.path),
                let string = String(data: data, encoding: .utf8)
            else { return false }
            return !string.contains("GenerateModels")
        }
    }
}
#endif
