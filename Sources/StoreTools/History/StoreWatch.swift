package import Foundation
import OpenCoreData

/// Follows what other processes save to a store. Nothing is changed.
package struct StoreWatch {
    /// Something that was saved.
    package enum Change: Sendable {
        case transaction(HistoryEntry)
        /// Numbers of objects by entity, before and after; none where objects were only updated.
        case counts(date: Date, [(entity: String, before: Int, after: Int)])

        package var lines: [String] {
            switch self {
            case .transaction(let entry): return entry.lines
            case .counts(let date, let counts):
                let changes = counts.map { "\($0.entity) \($0.before) → \($0.after)" }.joined(separator: ", ")
                return ["\(ISODate.string(of: date) ?? "")  \(changes.isEmpty ? "changed" : changes)"]
            }
        }

        package var json: JSONValue {
            switch self {
            case .transaction(let entry): return entry.json
            case .counts(let date, let counts):
                return [
                    "date": DynamicJSON.json(date),
                    "counts": .array(
                        counts.map {
                            [
                                "entity": .string($0.entity), "before": JSONValue($0.before),
                                "after": JSONValue($0.after),
                            ]
                        }),
                ]
            }
        }
    }

    /// What distinguishes one state of the files from another without opening them.
    private struct State: Equatable {
        var parts: [[Int64]]

        init(of url: URL) {
            parts = ["", "-wal", "-journal"].map { suffix in
                var facts = stat()
                guard stat(url.path + suffix, &facts) == 0 else { return [] }
                return [
                    Int64(truncatingIfNeeded: facts.st_ino), Int64(facts.st_size),
                    Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec),
                ]
            }
        }
    }

    /// As the user named the store.
    private let path: String
    private let url: URL
    private let modelPath: String?
    private var hasHistory: Bool
    /// Of the files before the last look; nil for a store on a server, which is queried each time.
    private var state: State?
    /// The state of the files after the last look, which may have seen what was saved in between.
    private var stateAfter: State?
    /// The open store on a server: repeated requests keep its connection.
    private let server: StoreSession?
    private var lastTransaction: Int64 = 0
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - path: The path of a file, or the URL of a store on a server.
    ///   - modelPath: The store's model; nil for its own.
    package init(path: String, modelPath: String?) throws {
        let address = try StoreAddress(existing: path)
        self.path = path
        self.modelPath = modelPath
        url = address.url
        try address.checkFile()
        hasHistory = (try? address.hasHistory()) == true
        state = address.server == nil ? State(of: url) : nil
        let session = try StoreSession(path: path, modelPath: modelPath, access: .reading)
        server = address.server == nil ? nil : session
        if hasHistory { lastTransaction = try Self.lastTransaction(session) }
        if !hasHistory { counts = try Self.counts(session) }
        stateAfter = address.server == nil ? State(of: url) : nil
    }

    /// What was saved since the last call.
    package mutating func changes() throws -> [Change] {
        if let server {
            // The first program that records its history may come later.
            if !hasHistory, (try? StoreAddress(url: url).hasHistory()) == true { hasHistory = true }
            return try changes(server)
        }
        let now = State(of: url)
        guard now != state else { return [] }
        // The store is opened again each time, because what was read without locks doesn't show later changes.
        let session = try StoreSession(path: path, modelPath: modelPath, access: .reading)
        let isChanged = now != stateAfter
        let changes = try changes(session, isChanged: isChanged)
        state = now
        stateAfter = State(of: url)
        return changes
    }

    /// - Parameter isChanged: Whether it is known that something was saved since the last look.
    private mutating func changes(_ session: StoreSession, isChanged: Bool = false) throws -> [Change] {
        if hasHistory {
            let entries = try StoreHistory(session).entries(after: lastTransaction)
            lastTransaction = entries.last?.number ?? lastTransaction
            return entries.map(Change.transaction)
        }
        let current = try Self.counts(session)
        defer { counts = current }
        let different = current.keys.sorted().filter { current[$0] != counts[$0] }
            .map { (entity: $0, before: counts[$0] ?? 0, after: current[$0] ?? 0) }
        return isChanged || !different.isEmpty ? [.counts(date: Date(), different)] : []
    }

    private static func lastTransaction(_ session: StoreSession) throws -> Int64 {
        try (session.store as? any HistoryStore)?.lastTransactionNumber()
            ?? StoreHistory(session).entries().last?.number ?? 0
    }

    private static func counts(_ session: StoreSession) throws -> [String: Int] {
        try session.perform { context in
            var result: [String: Int] = [:]
            for entity in session.model.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
                request.includesSubentities = false
                result[entity.displayName] = try context.count(for: request)
            }
            return result
        }
    }
}
