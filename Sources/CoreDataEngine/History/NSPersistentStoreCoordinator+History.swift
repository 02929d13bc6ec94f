import Foundation

extension NSPersistentStoreCoordinator {
    /// What `currentPersistentHistoryToken(fromStores:)` does.
    final func newestHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        let asked = stores.map { $0.compactMap { $0 as? NSPersistentStore } } ?? persistentStores
        var numbers: [String: Int64] = [:]
        for case let store as any HistoryStore in asked {
            guard let identifier = store.identifier, let number = try? store.lastTransactionNumber() else { continue }
            numbers[identifier] = number
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }

    /// Fetches or deletes history.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError`; `NSPersistentStoreUnsupportedRequestTypeError` when no store can
    ///   have a history; an error that names what a predicate can't use.
    package func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        let asked = persistentStores.filter { store in request.affectedStores?.contains { $0 === store } ?? true }
        let stores = asked.compactMap { $0 as? any HistoryStore }
        guard !stores.isEmpty else {
            let names = asked.map(\.shortName).joined(separator: ", ")
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                asked.isEmpty
                    ? "The coordinator has no persistent store, so it can't execute history requests."
                    : "Stores of these types have no persistent history: \(names).",
                userInfo: [NSAffectedStoresErrorKey: asked])
        }
        switch request.action {
        case .fetch: return try fetchHistory(request, stores)
        case .delete: return try deleteHistory(request, stores)
        }
    }

    // MARK: Fetching

    private func fetchHistory(
        _ request: NSPersistentHistoryChangeRequest, _ stores: [any HistoryStore]
    ) throws -> NSPersistentHistoryResult {
        let type = request.resultType
        var query = HistoryQuery()
        query.request = request.fetchRequest
        query.isAboutChanges = try isAboutChanges(request.fetchRequest)
        query.includesChanges = [.objectIDs, .changesOnly, .transactionsAndChanges].contains(type)
        query.stores = Set(stores.compactMap(\.identifier))
        var found = HistoryRecords()
        for store in stores {
            query.after = try border(request, of: store, query.stores)
            let records = try store.history(query)
            found.transactions += records.transactions
            found.changes += records.changes
        }
        if stores.count > 1, request.fetchRequest?.sortDescriptors?.isEmpty ?? true {
            found.transactions.sort { $0.timestamp < $1.timestamp }
        }
        return NSPersistentHistoryResult(result(found, type, query), type: type)
    }

    private func isAboutChanges(_ request: NSFetchRequestBase?) throws -> Bool {
        guard let request else { return false }
        if let error = request.predicate?.formatError { throw error }
        let name = request.entity?.name ?? request.entityName
        switch name {
        case HistoryModel.shared.transaction.name: return false
        case HistoryModel.shared.change.name: return true
        default:
            throw CoreDataError.make(
                NSCoreDataError,
                "A fetch request of the history is for transactions or changes, not for \(name ?? "no entity").")
        }
    }

    private func result(_ found: HistoryRecords, _ type: NSPersistentHistoryResultType, _ query: HistoryQuery) -> Any {
        switch type {
        case .statusOnly: return NSNumber(value: true)
        case .count:
            return NSNumber(value: query.isAboutChanges ? found.changes.count : found.transactions.count)
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            return found.changes.map(\.objectID).filter { known.insert($0).inserted }
        case .transactionsOnly: return found.transactions.map { NSPersistentHistoryTransaction($0) }
        case .changesOnly, .transactionsAndChanges: break
        }
        var transactions: [HistoryPosition: NSPersistentHistoryTransaction] = [:]
        let ordered = found.transactions.map { record in
            let transaction = NSPersistentHistoryTransaction(record)
            transactions[HistoryPosition(record)] = transaction
            return transaction
        }
        var changes: [HistoryPosition: [NSPersistentHistoryChange]] = [:]
        let all = found.changes.map { record in
            let position = HistoryPosition(record.transaction)
            let change = NSPersistentHistoryChange(record, in: transactions[position])
            changes[position, default: []].append(change)
            return change
        }
        if type == .changesOnly { return all }
        for (position, transaction) in transactions { transaction.adopt(changes[position] ?? []) }
        return ordered
    }

    private struct HistoryPosition: Hashable {
        let store: String
        let number: Int64

        init(_ record: HistoryTransactionRecord) {
            store = record.store
            number = record.number
        }
    }

    // MARK: Deleting

    private func deleteHistory(
        _ request: NSPersistentHistoryChangeRequest, _ stores: [any HistoryStore]
    ) throws -> NSPersistentHistoryResult {
        var deleted = 0
        for store in stores {
            let border = try border(request, of: store, nil)
            if case .beginning = border { continue }
            deleted += try store.deleteHistory(before: border)
        }
        let value = request.resultType == .count ? NSNumber(value: deleted) : NSNumber(value: true)
        return NSPersistentHistoryResult(
            value, type: request.resultType == .count ? .count : .statusOnly)
    }

    /// Deletes single transactions, wherever they are in the history.
    ///
    /// - Parameter numbers: The numbers of the transactions by the identifiers of their stores.
    package func deleteHistory(_ numbers: [String: [Int64]]) throws {
        for case let store as any HistoryStore in persistentStores {
            guard let numbers = store.identifier.flatMap({ numbers[$0] }) else { continue }
            _ = try store.deleteHistory(numbers: numbers)
        }
    }

    /// The border of a request in one store.
    ///
    /// - Parameter stores: All stores that are asked, when a token of none of them is an error.
    private func border(
        _ request: NSPersistentHistoryChangeRequest, of store: any HistoryStore, _ stores: Set<String>?
    ) throws -> HistoryBorder {
        let identifier = store.identifier ?? ""
        switch request.border {
        case .beginning: return .beginning
        case .date(let date): return .date(date)
        case .transaction(let transaction):
            return transaction.storeID == identifier
                ? .number(transaction.transactionNumber, isToken: true) : .beginning
        case .token(let token):
            if let number = token.transactionByStore[identifier] {
                return number > 0 ? .number(number, isToken: true) : .beginning
            }
            // A store that was added after the token was made is read from its beginning.
            guard let stores, !token.transactionByStore.isEmpty,
                stores.isDisjoint(with: token.transactionByStore.keys)
            else { return .beginning }
            throw HistoryError.expired(token, "None of the coordinator's stores is in it.")
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The token of transactions by the stores' identifiers.
    static func historyToken(of transactions: [String: Int64]) -> NSPersistentHistoryToken {
        NSPersistentHistoryToken(transactions)
    }
}
