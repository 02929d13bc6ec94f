import Foundation

/// Stores whose names differ in the extension alone keep their large values in the same folder. Which of them are a
/// store's own, its rows say.
extension ExternalData {
    /// The files of this store: those that its rows name, and those that its processes left behind. Of a store that
    /// can't be read: all, or none when another store may have the same folder.
    func ownFiles() -> [String] {
        let named = try? StoreFile.reading(URL(fileURLWithPath: storePath)) { try Self.namedFiles(in: $0) }
        guard let named else { return mayBeShared ? [] : orphans(besides: []) }
        return named.union(filesLeftBehind()).sorted()
    }

    /// Removes files, and the folders and lists that are then of no use.
    func removeOwn(_ names: [String]) {
        remove(names)
        for list in UnusedFileList.leftBehind(in: supportFolder, store: storeName) {
            if list.names.contains(where: hasFile) { list.letGo() } else { list.discard() }
        }
        for directory in [folder, supportFolder] { Self.removeIfEmpty(directory) }
    }

    private func filesLeftBehind() -> Set<String> {
        UnusedFileList.leftBehind(in: supportFolder, store: storeName).reduce(into: []) { names, list in
            names.formUnion(list.names)
            list.letGo()
        }
    }

    /// Whether there is another file whose name differs in the extension alone.
    var mayBeShared: Bool {
        let store = URL(fileURLWithPath: storePath)
        let name = store.deletingPathExtension().lastPathComponent
        let files = (try? FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)) ?? []
        return files.contains { file in
            file != storeName && !file.hasPrefix(storeName + "-")
                && URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent == name
        }
    }

    private static func removeIfEmpty(_ folder: URL) {
        #if os(Windows)
        let content = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        if content?.isEmpty == true { try? FileManager.default.removeItem(at: folder) }
        #else
        // Fails if another process has just created a file in it.
        rmdir(folder.path)
        #endif
    }
}
