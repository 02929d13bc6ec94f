import CampaignCore
import Foundation
import OpenCoreData

/// What stands in the place of one of a store's files.
enum FileSubstitute: String, Codable, CaseIterable {
    /// A symbolic link to a file that isn't the store's.
    case link
    /// A symbolic link to nothing.
    case danglingLink
    /// A symbolic link to a pipe.
    case linkToPipe
    case pipe
    case folder
    /// A symbolic link to the file itself, which is elsewhere.
    case moved
    /// Another name of the file itself.
    case hardLink

    /// Chooses files, and what stands in their place. A file that isn't there may get a substitute, too.
    static func some(
        for files: inout [String: Data], store: String, _ random: inout SplitMix64
    ) -> [String: FileSubstitute] {
        let beside = ["-wal", "-shm", "-journal"].map { store + $0 }
        let hidden = [".\(store).lock", ".\(store)-migration/journal.json", ".\(store)-migration/lock"]
        let values = files.keys.filter { $0.contains("_EXTERNAL_DATA/") }.sorted()
        let lists = values.map { value in
            String(value.prefix(upTo: value.firstIndex(of: "/") ?? value.endIndex))
                + "/\(store).6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77.unused"
        }
        var result: [String: FileSubstitute] = [:]
        for _ in 0..<1 + random.below(2) {
            let path = random.pick(
                [[store], beside, hidden, values, values, lists].filter { !$0.isEmpty }.map { random.pick($0) })
            result[path] = random.pick(allCases)
        }
        return result
    }

    /// Puts it in the place of a file.
    func put(at url: URL, _ others: PrivateFiles) throws {
        let files = FileManager.default
        try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        switch self {
        case .moved, .hardLink:
            guard files.fileExists(atPath: url.path) else { return }
            let other = others.folder.appendingPathComponent("moved-" + url.lastPathComponent)
            if self == .hardLink { return try files.linkItem(at: url, to: other) }
            try files.moveItem(at: url, to: other)
            try files.createSymbolicLink(at: url, withDestinationURL: other)
        default:
            try? files.removeItem(at: url)
            switch self {
            case .link: try files.createSymbolicLink(at: url, withDestinationURL: others.text)
            case .danglingLink:
                let nothing = others.folder.appendingPathComponent("nothing")
                try files.createSymbolicLink(at: url, withDestinationURL: nothing)
            case .linkToPipe: try files.createSymbolicLink(at: url, withDestinationURL: others.pipe)
            case .pipe: guard mkfifo(url.path, 0o600) == 0 else { throw CampaignFailure("A pipe cannot be made") }
            default: try files.createDirectory(at: url, withIntermediateDirectories: true)
            }
        }
    }
}

/// Files that belong to no store: no store reads or writes them, whatever leads to them.
struct PrivateFiles {
    /// What a value of a store never is.
    static let content = Data("not for you, ".utf8) + Data(repeating: 7, count: ExternalData.threshold)

    let folder: URL
    let text: URL
    let pipe: URL

    init(in folder: URL) throws {
        self.folder = folder
        text = folder.appendingPathComponent("private.txt")
        pipe = folder.appendingPathComponent("pipe")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.content.write(to: text)
        guard mkfifo(pipe.path, 0o600) == 0 else { throw CampaignFailure("A pipe cannot be made") }
    }

    /// - Parameter allowsNew: Whether a file may be made where a link leads: a store may be opened through one.
    func verify(allowsNew: Bool) throws {
        guard try Data(contentsOf: text) == Self.content else {
            throw CampaignFailure("A file that isn't the store's was written")
        }
        guard allowsNew || !FileManager.default.fileExists(atPath: folder.appendingPathComponent("nothing").path) else {
            throw CampaignFailure("A file was made where a link of somebody else leads")
        }
    }
}
