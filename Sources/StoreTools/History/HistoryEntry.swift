package import Foundation
import OpenCoreData

/// A transaction of a store's history, for people and programs.
package struct HistoryEntry: Sendable {
    package struct Change: Sendable {
        /// `insert`, `update` or `delete`.
        package let word: String
        /// The object, as `Book/p12`.
        package let object: String
        package let entity: String
        /// The properties that were changed, where the history has them.
        package let properties: [String]
        /// What is kept of a deleted object.
        package let tombstone: [JSONMember]
    }

    package let number: Int64
    package let date: Date
    package let author: String?
    package let contextName: String?
    package let bundle: String
    package let process: String
    package let changes: [Change]

    init(_ transaction: NSPersistentHistoryTransaction) {
        number = transaction.transactionNumber
        date = transaction.timestamp
        author = transaction.author
        contextName = transaction.contextName
        bundle = transaction.bundleID
        process = transaction.processID
        changes = (transaction.changes ?? []).map { change in
            let id = change.changedObjectID
            let word =
                switch change.changeType {
                case .insert: "insert"
                case .update: "update"
                case .delete: "delete"
                }
            return Change(
                word: word, object: ObjectName.short(id), entity: id.entity.displayName,
                properties: (change.updatedProperties ?? []).map(\.name).sorted(),
                tombstone: (change.tombstone ?? [:]).map {
                    JSONMember(key: "\($0.key)", value: DynamicJSON.json($0.value))
                }
                .sorted { $0.key < $1.key })
        }
    }

    package var json: JSONValue {
        [
            "transaction": .integer(number), "date": DynamicJSON.json(date), "author": JSONValue(author),
            "context": JSONValue(contextName), "bundle": .string(bundle), "process": .string(process),
            "changes": .array(
                changes.map { change in
                    var members: [JSONMember] = [
                        JSONMember(key: "change", value: .string(change.word)),
                        JSONMember(key: "object", value: .string(change.object)),
                    ]
                    if change.word == "update" {
                        members.append(JSONMember(key: "properties", value: JSONValue(change.properties)))
                    }
                    if !change.tombstone.isEmpty {
                        members.append(JSONMember(key: "tombstone", value: .object(change.tombstone)))
                    }
                    return .object(members)
                }),
        ]
    }

    /// A line for the transaction, and one for each of its changes.
    package var lines: [String] { lines(showing: nil) }

    /// A line for the transaction, and one for each of its changes, as far as they are shown.
    ///
    /// - Parameter limit: The most changes to show; nil for all.
    package func lines(showing limit: Int?) -> [String] {
        let who = [author.map { "by \($0)" }, contextName.map { "in \($0)" }, process.isEmpty ? nil : "(\(process))"]
        let when = ISODate.string(of: date) ?? ""
        return ["\(number)  \(when)  \(who.compactMap { $0 }.joined(separator: " "))"]
            + changes.prefix(limit ?? changes.count).map { "  " + Self.line($0) }
            + (limit.map { changes.count > $0 } == true ? ["  … and \(changes.count - (limit ?? 0)) more"] : [])
    }

    package static func line(_ change: Change) -> String {
        var line = "\(change.word) \(change.object)"
        if !change.properties.isEmpty { line += "  \(change.properties.joined(separator: ", "))" }
        if !change.tombstone.isEmpty { line += "  was \(JSONText.string(of: .object(change.tombstone)))" }
        return line
    }
}

/// The history of a store, which is read and never changed.
package struct StoreHistory {
    private let session: StoreSession

    /// - Throws: `ToolFailure` when the store keeps no history.
    package init(_ session: StoreSession) throws {
        let address = StoreAddress(url: session.url)
        guard try address.hasHistory() else {
            if address.keepsNoHistory {
                throw ToolFailure("\(session.name) is \(address.kindName), which has no history.")
            }
            throw ToolFailure(
                "The store \(session.name) has no history; a program can enable it with the option "
                    + "NSPersistentHistoryTrackingKey.")
        }
        self.session = session
    }

    /// The transactions after one, oldest first.
    ///
    /// - Parameter number: The number of the last transaction that is known; nil for all.
    package func entries(after number: Int64? = nil) throws -> [HistoryEntry] {
        let token = number.flatMap { number in
            session.store.identifier.map { NSPersistentHistoryToken([$0: number]) }
        }
        return try session.perform { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.resultType = .transactionsAndChanges
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(HistoryEntry.init)
        }
    }
}
