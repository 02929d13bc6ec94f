import Foundation
import OpenCoreData

/// The type of the store in a file: by its first bytes, or for a file that is yet to be made by the ending of its name.
enum StoreFileType {
    static func type(ofFileAt url: URL) -> String {
        if let start = start(of: url) {
            if start.starts(with: Data("CoreData".utf8)) { return NSBinaryStoreType }
            let string = String(decoding: start, as: UTF8.self)
            return string.contains("<!DOCTYPE database") || string.contains("<database>")
                ? NSXMLStoreType : NSSQLiteStoreType
        }
        switch url.pathExtension.lowercased() {
        case "xml": return NSXMLStoreType
        case "binary", "bin": return NSBinaryStoreType
        default: return NSSQLiteStoreType
        }
    }

    /// Pipes and devices have none that could be read twice.
    private static func start(of url: URL) -> Data? {
        guard (try? FileFacts(path: url.path))?.kind == .file, let handle = try? FileHandle(forReadingFrom: url) else {
            return nil
        }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 1_024)) ?? Data()
    }
}
