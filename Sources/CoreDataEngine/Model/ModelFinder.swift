package import Foundation

/// Knows where programs keep their resources, and what files of models are called.
package enum ModelFinder {
    package static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The bundles of the program: its own, those it has loaded, and those that the package manager puts beside it.
    static func bundles() -> [Bundle] {
        let executable = Bundle.main.executableURL?.deletingLastPathComponent()
        let beside = executable.map { resourceBundles(in: $0) } ?? []
        var seen: Set<String> = []
        return ([Bundle.main] + Bundle.allBundles + beside.compactMap { Bundle(url: $0) })
            .filter { seen.insert($0.bundleURL.standardizedFileURL.path).inserted }
    }

    /// The folders where programs keep their resources, in the order in which they are searched.
    package static func searchFolders() -> [URL] {
        let executable = Bundle.main.executableURL?.deletingLastPathComponent()
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        var folders = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap(\.self)
        for bundle in Bundle.allBundles { folders += [bundle.resourceURL, bundle.bundleURL].compactMap(\.self) }
        if let executable {
            folders.append(executable)
            folders += resourceBundles(in: executable)
        }
        folders += [current, current.appendingPathComponent("Models")]
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    /// The models of a name, one at most in each folder.
    package static func files(named name: String, in folders: [URL]) -> [URL] {
        folders.compactMap { folder in
            extensions.lazy.map { folder.appendingPathComponent(name).appendingPathExtension($0) }
                .first { FileManager.default.fileExists(atPath: $0.path) }
        }
    }

    /// What is in a folder, by the names alone: what others delete in the meantime doesn't hide the rest.
    package static func items(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }
    }

    /// The resource bundles that the package manager puts next to the executable.
    package static func resourceBundles(in folder: URL) -> [URL] {
        items(in: folder).filter { ["resources", "bundle"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
            .flatMap { [$0, $0.appendingPathComponent("Contents/Resources")] }
    }
}
