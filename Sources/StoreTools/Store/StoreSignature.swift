package import Foundation
import OpenCoreData

/// Distinguishes stores, and what belongs to them, from other files.
package enum StoreSignature {
    /// What a file is that a command must not replace, as "a store"; nil for any other file.
    package static func protectedKind(ofFileAt url: URL) -> String? {
        if url.deletingLastPathComponent().lastPathComponent == "_EXTERNAL_DATA" { return "a value of a store" }
        for suffix in ["-wal", "-shm", "-journal"] where url.path.hasSuffix(suffix) {
            let store = URL(fileURLWithPath: String(url.path.dropLast(suffix.count)))
            if isStore(store) { return "a part of the store \(store.lastPathComponent)" }
        }
        return isStore(url) ? "a store" : nil
    }

    private static func isStore(_ url: URL) -> Bool {
        guard let kind = try? FileFacts(path: url.path)?.kind, kind == .file,
            let handle = try? FileHandle(forReadingFrom: url)
        else { return false }
        defer { try? handle.close() }
        let start = (try? handle.read(upToCount: 1_024)) ?? Data()
        // A store whose content is in its log still.
        if start.isEmpty { return LogState(of: url).isLive }
        if start.starts(with: Data("SQLite format 3\0".utf8)) || start.starts(with: Data("CoreData".utf8)) {
            return true
        }
        // A log or journal whose store is elsewhere.
        let logs: [[UInt8]] = [
            [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1],
        ]
        if logs.contains(where: { start.starts(with: $0) }) { return true }
        let string = String(decoding: start, as: UTF8.self)
        return string.contains("<!DOCTYPE database") || string.contains("<database>")
    }
}
