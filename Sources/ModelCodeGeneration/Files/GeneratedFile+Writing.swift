package import Foundation

extension GeneratedFile {
    /// Writes the file into a folder, which is made if need be. A file that is the same already keeps its date, so that
    /// nothing is built again.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: a ``Diagnostic`` with the path.
    @discardableResult
    package func write(into folder: URL) throws(Diagnostic) -> Bool {
        let url = folder.appendingPathComponent(name)
        let data = Data(content.utf8)
        if (try? Data(contentsOf: url)) == data { return false }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: url, options: .atomic)
        } catch {
            throw Diagnostic(file: url.path, line: nil, "the file cannot be written: \(error.localizedDescription)")
        }
        return true
    }
}
