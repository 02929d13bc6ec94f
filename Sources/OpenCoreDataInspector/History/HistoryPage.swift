#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// A piece of a store's history, the newest first.
struct HistoryPage {
    /// Changes of one transaction that are listed; a batch may have made millions.
    private static let mostChanges = 200

    let reader: StoreReader

    /// The transactions before a number.
    func json(before: Int64?, limit: Int) throws -> JSONValue {
        guard let newest = try newestNumber() else { return ["recorded": false, "transactions": .array([])] }
        let transactions = try self.transactions(
            NSPredicate(format: "transactionNumber < %@", argumentArray: [before ?? newest + 1]), limit: limit)
        return [
            "recorded": true, "transactions": .array(try transactions.map(transaction)),
            "more": .bool(transactions.count == limit),
        ]
    }

    /// The number of the last transaction; nil for a store without history.
    func newestNumber() throws -> Int64? {
        guard let request = NSPersistentHistoryTransaction.fetchRequest else { return nil }
        request.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        request.fetchLimit = 1
        return try? fetch(request, .transactionsOnly).first?.transactionNumber
    }

    /// The transactions after a number, oldest first, and no more than `limit` of them.
    func transactions(after number: Int64, limit: Int) throws -> [NSPersistentHistoryTransaction] {
        try transactions(NSPredicate(format: "transactionNumber > %@", argumentArray: [number]), limit: limit)
            .reversed()
    }

    private func transactions(_ predicate: NSPredicate, limit: Int) throws -> [NSPersistentHistoryTransaction] {
        guard let request = NSPersistentHistoryTransaction.fetchRequest else { return [] }
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        request.fetchLimit = limit
        return try fetch(request, .transactionsAndChanges)
    }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ type: NSPersistentHistoryResultType
    ) throws -> [NSPersistentHistoryTransaction] {
        let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
        history.resultType = type
        history.affectedStores = [reader.store]
        let result = try reader.context.execute(history) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    // MARK: Notifying

    private func transaction(_ transaction: NSPersistentHistoryTransaction) throws -> JSONValue {
        let changes = transaction.changes ?? []
        return [
            "number": .integer(transaction.transactionNumber),
            "date": JSONValue(ISODate.string(of: transaction.timestamp)),
            "author": JSONValue(transaction.author), "context": JSONValue(transaction.contextName),
            "process": .string(transaction.processID), "bundle": .string(transaction.bundleID),
            "count": JSONValue(changes.count),
            "summary": Self.summary(of: changes),
            "changes": .array(changes.prefix(Self.mostChanges).map(change)),
        ]
    }

    /// Numbers of inserts, updates and deletes by entity.
    static func summary(of changes: [NSPersistentHistoryChange]) -> JSONValue {
        var counts: [String: [Int]] = [:]
        for change in changes {
            counts[change.changedObjectID.entity.displayName, default: [0, 0, 0]][change.changeType.rawValue] += 1
        }
        return .object(
            counts.sorted { $0.key < $1.key }.map { JSONMember(key: $0, value: .array($1.map { JSONValue($0) })) })
    }

    private func change(_ change: NSPersistentHistoryChange) -> JSONValue {
        let entity = change.changedObjectID.entity
        let tombstone = (change.tombstone ?? [:]).compactMap { key, value -> JSONMember? in
            guard let name = key as? String else { return nil }
            let known = entity.attributesByName[name].map { CellValue.json(value, of: $0, longest: 200) }
            return JSONMember(key: name, value: known ?? CellValue.shortened(DynamicJSON.json(value), longest: 200))
        }
        return [
            "object": .string(change.changedObjectID.inspectorName), "entity": .string(entity.displayName),
            "type": .string(Self.name(of: change.changeType)),
            "properties": JSONValue((change.updatedProperties ?? []).map(\.name).sorted()),
            "old": .object(tombstone.sorted { $0.key < $1.key }),
        ]
    }

    static func name(of type: NSPersistentHistoryChangeType) -> String {
        switch type {
        case .insert: "insert"
        case .update: "update"
        case .delete: "delete"
        }
    }
}
#endif
