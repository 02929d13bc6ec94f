import Foundation

/// What is in a file, found out from its first bytes.
enum FileContent {
    /// The kind of content, as "a PNG picture"; nil where it is not known.
    static func name(of url: URL) -> String? {
        guard let kind = try? FileFacts(path: url.path)?.kind else { return nil }
        guard kind == .file else { return kind.rawValue }
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        let start = [UInt8]((try? handle.read(upToCount: 1_024)) ?? Data())
        if start.isEmpty { return "an empty file" }
        let signatures: [(String, String)] = [
            ("\u{89}PNG", "a PNG picture"), ("GIF8", "a GIF picture"), ("%PDF", "a PDF document"),
            ("PK\u{3}\u{4}", "a ZIP archive"), ("bplist", "a binary property list"), ("<?xml", "an XML document"),
            ("SQLite format 3\0", "a SQLite database"), ("CoreData", "a binary Core Data store"),
        ]
        if ["mom", "omo"].contains(url.pathExtension.lowercased()), start.starts(with: Array("bplist".utf8)) {
            return "a compiled model, which schema shows"
        }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "a JPEG picture" }
        if start.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
        let string = String(decoding: start, as: UTF8.self)
        if string.contains("<!DOCTYPE database") || string.contains("<database>") { return "a Core Data store in XML" }
        for (signature, name) in signatures where start.starts(with: signature.unicodeScalars.map { UInt8($0.value) }) {
            return name
        }
        guard let first = string.first(where: { !$0.isWhitespace }) else { return "text" }
        if first == "{" || first == "[" { return "a JSON document" }
        return start.contains(0) || string.contains("\u{FFFD}") ? nil : "text"
    }
}
