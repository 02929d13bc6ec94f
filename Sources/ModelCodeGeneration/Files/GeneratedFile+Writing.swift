package import Foundation

extension GeneratedFile {
    /// Writes the file into a folder, which is created if need be. A file that is the same already keeps its date, so
    /// that nothing is built again.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: a ``Diagnostic`` with the path.
    @discardableResult
    package func write(into folder: URL) throws(Diagnostic) -> Bool {
        try Self.write([self], into: folder).allSatisfy { $0 }
    }

    /// Writes files into a folder as `write(into:)` does: all of them, or none.
    ///
    /// - Returns: Whether each file was written.
    /// - Throws: a ``Diagnostic`` with the path of the file that could not be written.
    package static func write(_ files: [GeneratedFile], into folder: URL) throws(Diagnostic) -> [Bool] {
        let isNew = !FileManager.default.fileExists(atPath: folder.path)
        var staged: [(temporary: URL, url: URL)] = []
        var written: [Bool] = []
        var url = folder
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in files {
                url = folder.appendingPathComponent(file.name)
                let data = Data(file.content.utf8)
                let isSame = (try? Data(contentsOf: url)) == data
                written.append(!isSame)
                guard !isSame else { continue }
                // A link stays one.
                let target = url.resolvingSymlinksInPath()
                let name = ".\(file.name).\(ProcessInfo.processInfo.processIdentifier).partial"
                let temporary = target.deletingLastPathComponent().appendingPathComponent(name)
                staged.append((temporary, target))
                try data.write(to: temporary)
            }
            for file in staged {
                url = file.url
                try move(file.temporary, to: url)
            }
        } catch {
            for file in staged { try? FileManager.default.removeItem(at: file.temporary) }
            if isNew { try? FileManager.default.removeItem(at: folder) }
            throw Diagnostic(file: url.path, line: nil, "the file cannot be written: \(reason(for: error))")
        }
        return written
    }

    /// Gives a file its name, and replaces another one of that name.
    private static func move(_ file: URL, to url: URL) throws {
        #if os(Windows)
        _ = try FileManager.default.replaceItemAt(url, withItemAt: file)
        #else
        guard rename(file.path, url.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        #endif
    }

    private static func reason(for error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace: "the disk is full"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        case .fileWriteNoPermission: "permission denied"
        default: error.localizedDescription
        }
    }
}
