import CoreDataEngine

extension ModelContext {
    /// Finds transactions of the history of the container's stores.
    ///
    /// Every store of a container records its history. Changes of entities for which the schema has no class are left
    /// out of the transactions.
    ///
    /// ```swift
    /// let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    /// ```
    ///
    /// - Parameter descriptor: The condition and the order.
    /// - Returns: The transactions; an empty array if none match.
    /// - Throws: `SwiftDataError.historyTokenExpired` if the transactions after a token of the condition are deleted,
    ///   `SwiftDataError.invalidTransactionFetchRequest` for transactions of a type that the stores don't have, or what
    ///   the store says.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "The container's stores have transactions of the type DefaultHistoryTransaction, not \(T.self).")
        }
        return try transactions(descriptor).compactMap { $0 as? T }
    }

    /// Deletes transactions of the history of the container's stores.
    ///
    /// The models stay as they are. Afterwards, `fetchHistory(_:)` throws `SwiftDataError.historyTokenExpired` for a
    /// token after which transactions are deleted.
    ///
    /// - Parameter descriptor: The transactions to delete.
    /// - Throws: As `fetchHistory(_:)` does.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        var numbers: [String: [Int64]] = [:]
        for transaction in try fetchHistory(descriptor) {
            guard let transaction = transaction as? DefaultHistoryTransaction else { continue }
            numbers[transaction.storeIdentifier, default: []].append(transaction.transactionIdentifier)
        }
        try stack.coordinator.deleteHistory(numbers)
    }

    private func transactions(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        let lower = (descriptor.predicate?.expression as? any TokenBound)?.lowerToken
        var found = try transactions(after: lower)
        if let predicate = descriptor.predicate { found = try found.filter { try predicate.evaluate($0) } }
        if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
        let limit = Int(clamping: descriptor.fetchLimit)
        return limit > 0 ? Array(found.prefix(limit)) : found
    }

    /// The position of the last transaction, or `nil` for stores without any.
    func newestHistoryToken() throws -> DefaultHistoryToken? {
        stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
            .map { DefaultHistoryToken($0.transactionByStore) }
    }

    func transactions(after token: DefaultHistoryToken?) throws -> [DefaultHistoryTransaction] {
        let start = token?.tokenValue.map { NSPersistentHistoryToken($0) }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: start)
        do {
            let result = try stack.coordinator.execute(request) as NSPersistentHistoryResult
            return (result.result as? [NSPersistentHistoryTransaction] ?? []).map(transaction)
        } catch let error as CocoaError where error.code.rawValue == NSPersistentHistoryTokenExpiredError {
            throw SwiftDataError(.historyTokenExpired, error.localizedDescription)
        }
    }

    /// The transactions after the numbers by store. Where some of them are deleted, or the numbers are those of other
    /// stores, the ones that are left.
    func remainingTransactions(after known: [String: Int64]) throws -> [DefaultHistoryTransaction] {
        if known.isEmpty { return try transactions(after: nil) }
        do {
            return try transactions(after: DefaultHistoryToken(known))
        } catch let error as SwiftDataError where error == .historyTokenExpired {
            return try transactions(after: nil).filter { $0.transactionIdentifier > known[$0.storeIdentifier] ?? 0 }
        }
    }

    private func transaction(_ transaction: NSPersistentHistoryTransaction) -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            timestamp: transaction.timestamp,
            changes: (transaction.changes ?? []).compactMap { change($0, in: transaction) },
            token: DefaultHistoryToken(transaction.token.transactionByStore),
            transactionIdentifier: transaction.transactionNumber, storeIdentifier: transaction.storeID,
            author: transaction.author, bundleIdentifier: transaction.bundleID,
            processIdentifier: transaction.processID)
    }

    private func change(
        _ change: NSPersistentHistoryChange, in transaction: NSPersistentHistoryTransaction
    ) -> HistoryChange? {
        // An entity of another configuration, or of an older version, may have no class.
        guard let name = change.changedObjectID.entity.name, let type = stack.schema.types[name] else { return nil }
        return self.change(change, transaction.transactionNumber, of: type)
    }

    private func change<Model: PersistentModel>(
        _ change: NSPersistentHistoryChange, _ transaction: Int64, of type: Model.Type
    ) -> HistoryChange {
        let identifier = PersistentIdentifier(change.changedObjectID)
        switch change.changeType {
        case .insert:
            return .insert(
                DefaultHistoryInsert<Model>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier))
        case .update:
            let names = Set(change.updatedProperties?.map(\.name) ?? [])
            return .update(
                DefaultHistoryUpdate<Model>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier,
                    updatedAttributes: ModelDescriptor.of(type).slots.filter { names.contains($0.name) }
                        .compactMap { keyPath(of: $0.name, type) }))
        case .delete:
            return .delete(
                DefaultHistoryDelete<Model>(
                    changeIdentifier: change.changeID, transactionIdentifier: transaction,
                    changedPersistentIdentifier: identifier, tombstone: tombstone(change, type)))
        }
    }

    private func tombstone<Model: PersistentModel>(
        _ change: NSPersistentHistoryChange, _ type: Model.Type
    ) -> HistoryTombstone<Model> {
        let values = change.tombstone ?? [:]
        let descriptor = ModelDescriptor.of(type)
        var byName: [String: any Sendable] = [:]
        for slot in descriptor.slots {
            guard let stored = values[slot.name], let keyPath = descriptor.keyPaths[slot.name] else { continue }
            byName[slot.name] = Self.sendable(stored, valueType(of: keyPath))
        }
        return HistoryTombstone(
            byName.compactMap { name, value in keyPath(of: name, type).map { ($0, value) } }, byName: byName)
    }

    private func valueType(of keyPath: AnyKeyPath) -> Any.Type { type(of: keyPath).valueType }

    /// A value that outlived a model, with the type that the property has.
    private static func sendable(_ stored: Any, _ type: Any.Type) -> (any Sendable)? {
        func open<Value>(_ type: Value.Type) -> (any Sendable)? {
            ScalarTypes.value(stored, as: type).flatMap { value in
                switch value as Any {
                case let value as any (FixedWidthInteger & Sendable): value
                case let value as any BinaryFloatingPoint & Sendable: value
                case let value as Bool: value
                case let value as String: value
                case let value as Date: value
                case let value as Data: value
                case let value as UUID: value
                case let value as URL: value
                case let value as Decimal: value
                default: nil
                }
            }
        }
        let wrapped: Any.Type = (type as? any OptionalType.Type)?.wrapped ?? type
        return _openExistential(wrapped, do: open)
    }

    private func keyPath<Model: PersistentModel>(
        of name: String, _ type: Model.Type
    ) -> (any PartialKeyPath<Model> & Sendable)? {
        guard let keyPath = ModelDescriptor.of(type).ownKeyPaths[name] as? PartialKeyPath<Model> else { return nil }
        // Key paths of properties capture nothing, which the type can't say.
        return unsafeBitCast(keyPath, to: (any PartialKeyPath<Model> & Sendable).self)
    }
}
