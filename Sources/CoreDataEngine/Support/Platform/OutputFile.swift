package import Foundation

/// What may stand where the engine or a tool is going to write a file, and how a file is replaced.
package enum OutputFile {
    /// What is at a path that no file may take the place of, as "a pipe".
    ///
    /// - Returns: Nil for a regular file, also one that a symbolic link leads to, and for nothing.
    package static func obstacle(at path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            return RegularFile.otherKind(at: path) == nil ? nil : "a link to a file that doesn't exist"
        }
        return facts.st_mode & S_IFMT == S_IFREG ? nil : RegularFile.kind(facts.st_mode)
    }

    /// Replaces what a file holds, or makes the file. The file keeps its permissions, and links to it stay links to it.
    ///
    /// After a crash there is the old file or the new one, whole; only a file that has several names is written in place.
    ///
    /// - Throws: The system's error.
    package static func write(_ data: Data, to url: URL) throws {
        let file = url.realFile
        if let kind = obstacle(at: file.path) { throw RegularFile.Other(kind: kind) }
        #if !os(Windows)
        if hasSeveralNames(file) { return try overwrite(file, data) }
        #endif
        try DurableFile.write(data, to: file)
    }

    #if !os(Windows)
    private static func hasSeveralNames(_ file: URL) -> Bool {
        var facts = stat()
        return lstat(file.path, &facts) == 0 && facts.st_nlink > 1
    }

    /// Writes a file in place; what it held comes back if that fails.
    private static func overwrite(_ file: URL, _ data: Data) throws {
        let old = try WholeFile.read(file)
        let descriptor = try RegularFile.open(file.path, O_WRONLY)
        defer { close(descriptor) }
        do {
            try DurableFile.replaceAll(data, in: descriptor)
        } catch {
            try? DurableFile.replaceAll(old, in: descriptor)
            throw error
        }
    }
    #endif
}
