import CampaignCore
import Foundation
import OpenCoreData

/// The files of a sound store, as they are before damage.
struct StoreTemplate {
    /// The file's name: the same for all types.
    static let name = "Bank.store"

    /// The files by their path in the store's folder.
    private(set) var files: [String: Data] = [:]

    /// Makes a store with a few transfers.
    ///
    /// - Parameter keepsLog: Whether the files are read while the store is open, so that the log has what was saved.
    init(type: String, keepsLog: Bool, in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bank = try Bank(folder.appendingPathComponent(Self.name), type: type)
        try bank.found()
        var random = SplitMix64(seed: 3)
        try bank.context.performAndWait {
            for _ in 0..<4 {
                try bank.transfer(&random)
                try bank.context.save()
            }
            let account = try bank.fetch("Account", sortedBy: "name")[0]
            account.setValue(Bank.picture(2), forKey: "picture")
            account.setValue(2, forKey: "pictured")
            try bank.context.save()
        }
        if keepsLog { files = try Self.read(folder) }
        try bank.close()
        if !keepsLog { files = try Self.read(folder) }
    }

    static func read(_ folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        let root = folder.resolvingSymlinksInPath().path + "/"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        for name in names where !name.hasSuffix("-shm") && !name.hasSuffix(".lock") {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root + name, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            files[name] = try Data(contentsOf: URL(fileURLWithPath: root + name))
        }
        return files
    }

    static func write(_ files: [String: Data], to folder: URL) throws {
        for (name, data) in files {
            let url = folder.appendingPathComponent(name)
            if name.contains("/") {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            try data.write(to: url)
        }
    }
}
