import Foundation

/// A section as a cache has it.
struct CachedSection {
    let name: String
    let count: Int
}

/// The names and sizes of a controller's sections in a file, so that they need not be computed from the objects.
///
/// Valid for the same request, model and rows only: it names them by a fingerprint and by a digest of identities and row
/// versions. A file that is anything else is ignored, and replaced.
struct SectionCache {
    private let file: URL
    private let fingerprint: String

    private enum Key {
        static let fingerprint = "fingerprint"
        static let digest = "digest"
        static let names = "names"
        static let counts = "counts"
    }

    /// `nil` for a controller whose sections are not to be kept, or depend on more than the rows.
    init?(_ core: FetchedResultsCore, _ query: ResultQuery) {
        guard let name = core.cacheName, let keyPath = query.naming?.keyPath, !keyPath.contains("."), !query.isStatic,
            core.context.parent == nil, !core.context.hasChanges
        else { return nil }
        file = Self.file(name)
        let request = query.request
        let order = (request.sortDescriptors ?? []).map { "\($0)" }
        let stores = (core.context.persistentStoreCoordinator?.persistentStores ?? []).map { $0.identifier ?? "" }
        let parts: [String] = [
            query.entity.name, query.entity.entity.versionHash.base64EncodedString(), keyPath,
            request.predicate?.predicateFormat ?? "", "\(request.fetchLimit) \(request.fetchOffset)",
            "\(request.includesSubentities)",
        ]
        fingerprint = (parts + order + stores).joined(separator: "\u{1F}")
    }

    /// What the rows of objects are and which versions they have.
    static func digest(of objects: [AnyObject]) -> Data {
        var bytes = Data(capacity: objects.count * 20)
        for case let object as NSManagedObject in objects {
            withUnsafeBytes(of: (object.reference, object.version)) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: Int32(truncatingIfNeeded: object.layout.index)) { bytes.append(contentsOf: $0) }
        }
        return SHA256.hash(bytes)
    }

    // MARK: The file

    /// The sections, if the file is about the same rows.
    func read(digest: Data, count: Int) -> [CachedSection]? {
        guard let data = try? Data(contentsOf: file), let content = try? PropertyListFile.readDictionary(data),
            content[Key.fingerprint] as? String == fingerprint, content[Key.digest] as? Data == digest,
            let names = content[Key.names] as? [String], let counts = content[Key.counts] as? [Int],
            names.count == counts.count, Set(names).count == names.count, counts.allSatisfy({ $0 > 0 && $0 <= count }),
            counts.reduce(0, +) == count
        else { return nil }
        return zip(names, counts).map { CachedSection(name: $0, count: $1) }
    }

    /// Replaces the file. Where that isn't possible there is no cache.
    func write(_ content: ResultContent, digest: Data) {
        let sections = content.sections.map { $0 }
        let list: [String: Any] = [
            Key.fingerprint: fingerprint, Key.digest: digest, Key.names: sections.map(\.name),
            Key.counts: sections.map(\.numberOfObjects),
        ]
        guard let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0) else {
            return
        }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? DurableFile.write(data, to: file)
        // Others may be writing theirs at this moment.
        DurableFile.removeDrafts(of: file, olderThan: 3_600)
    }

    /// Deletes one cache, or all of this program's.
    static func delete(_ name: String?) {
        try? FileManager.default.removeItem(at: name.map { file($0).deletingLastPathComponent() } ?? folder)
    }

    /// Where a cache is: a folder by its name in the user's folder of caches.
    static func file(_ name: String) -> URL {
        let safe = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return folder.appendingPathComponent("cache-" + safe).appendingPathComponent("sectionInfo")
    }

    private static var folder: URL {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return caches.appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
            .appendingPathComponent(".CoreDataCaches").appendingPathComponent("SectionInfoCaches")
    }
}
