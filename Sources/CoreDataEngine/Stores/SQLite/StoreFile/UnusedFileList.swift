import Foundation

/// The names of files with large values that may belong to no row, on disk, so that they are found again when the process
/// dies.
///
/// Each open store that writes such files has a list of its own, `<store>.<UUID>.unused` beside the folder of the files, and
/// holds its lock; a list whose lock is free was left behind. A line is `+` or `-` and a name. Nothing is flushed: a line that
/// a power cut takes away leaves a file behind at worst, since names of lists that were left behind are not believed.
struct UnusedFileList: Sendable {
    private static let suffix = ".unused"

    private let url: URL
    private let descriptor: Int32
    private(set) var names: Set<String>

    /// Makes an empty list and takes its lock.
    ///
    /// - Parameters:
    ///   - folder: Where; made if it is missing.
    ///   - store: The name of the store's file.
    /// - Throws: What the system gave.
    static func make(in folder: URL, store: String) throws -> UnusedFileList {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        while true {
            let url = folder.appendingPathComponent("\(store).\(UUID().uuidString)\(suffix)")
            let descriptor = try opened(url, O_CREAT | O_EXCL)
            switch FileLock.attempt(descriptor, url.path) {
            case .taken: return UnusedFileList(url: url, descriptor: descriptor, names: [])
            // Another process that looked for abandoned lists found it before it was locked.
            case .othersHaveIt, .replaced: shut(descriptor)
            case .failed(let code):
                shut(descriptor)
                throw NSError(domain: NSPOSIXErrorDomain, code: Int(code))
            }
        }
    }

    /// Whether a store has lists, its own open ones included.
    static func exist(in folder: URL, store: String) -> Bool { !urls(in: folder, store: store).isEmpty }

    /// The lists of a store that processes left behind, locked.
    ///
    /// Each has to be released or discarded.
    static func leftBehind(in folder: URL, store: String) -> [UnusedFileList] {
        urls(in: folder, store: store).compactMap { url in
            guard let descriptor = try? opened(url, 0) else { return nil }
            guard FileLock.attempt(descriptor, url.path) == .taken,
                let contents = contents(of: url)
            else {
                shut(descriptor)
                return nil
            }
            return UnusedFileList(url: url, descriptor: descriptor, names: names(in: contents))
        }
    }

    /// What all lists of a store hold: files that belong to no row, or are about to be named by one.
    static func names(in folder: URL, store: String) -> Set<String> {
        urls(in: folder, store: store).reduce(into: []) { all, url in
            if let contents = contents(of: url) { all.formUnion(names(in: contents)) }
        }
    }

    private static func contents(of url: URL) -> String? {
        (try? WholeFile.read(url)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func urls(in folder: URL, store: String) -> [URL] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { file in
            guard file.hasPrefix(store + "."), file.hasSuffix(suffix) else { return false }
            return UUID(uuidString: String(file.dropFirst(store.count + 1).dropLast(suffix.count))) != nil
        }.map { folder.appendingPathComponent($0) }
    }

    private static func names(in contents: String) -> Set<String> {
        var names: Set<String> = []
        for line in contents.split(separator: "\n") {
            let name = String(line.dropFirst())
            guard UUID(uuidString: name) != nil else { continue }
            if line.first == "+" { names.insert(name) } else { names.remove(name) }
        }
        return names
    }

    /// Adds and removes names.
    ///
    /// - Throws: What the system gave; the names are changed all the same.
    mutating func change(adding added: [String], removing removed: [String]) throws {
        var lines = ""
        for name in removed where names.remove(name) != nil { lines += "-\(name)\n" }
        for name in added where names.insert(name).inserted { lines += "+\(name)\n" }
        #if !os(Windows)
        if names.isEmpty {
            guard ftruncate(descriptor, 0) == 0 else { throw SystemError.last() }
            return
        }
        let bytes = Array(lines.utf8)
        guard bytes.isEmpty || write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError.last()
        }
        #endif
    }

    /// Releases the list, which is removed if it is empty.
    func letGo() {
        if names.isEmpty { return discard() }
        Self.shut(descriptor)
    }

    /// Removes the list.
    func discard() {
        try? FileManager.default.removeItem(at: url)
        Self.shut(descriptor)
    }

    // MARK: The system

    private static func opened(_ url: URL, _ flags: Int32) throws -> Int32 {
        #if os(Windows)
        return -1
        #else
        return try RegularFile.open(url.path, flags | O_RDWR | O_APPEND)
        #endif
    }

    private static func shut(_ descriptor: Int32) {
        #if !os(Windows)
        FileLock.giveBack(descriptor)
        #endif
    }
}
