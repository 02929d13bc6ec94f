import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A library whose store records its history, and short ways to ask for it.
struct HistoryStack {
    let stack: TestStack

    static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    init(
        model: NSManagedObjectModel = LibraryModel.make(), folder: TemporaryFolder? = nil,
        options: [AnyHashable: Any] = [:]
    ) throws {
        stack = try TestStack(
            model: model, folder: folder, options: Self.options.merging(options) { _, given in given })
    }

    /// A second coordinator on the same file.
    func another(options: [AnyHashable: Any] = [:]) throws -> HistoryStack {
        try HistoryStack(folder: stack.folder, options: options)
    }

    var coordinator: NSPersistentStoreCoordinator { stack.coordinator }
    var token: NSPersistentHistoryToken? { coordinator.currentPersistentHistoryToken(fromStores: nil) }

    func store() throws -> NSPersistentStore { try #require(coordinator.persistentStores.first) }

    /// Saves as an author, and returns what the block returned.
    @discardableResult
    func save<T>(
        as author: String? = nil, context name: String? = nil, _ change: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        try stack.inContext { context in
            context.transactionAuthor = author
            context.name = name
            let result = try change(context)
            try context.save()
            return result
        }
    }

    /// Saves a new author of books.
    @discardableResult
    func addAuthor(_ name: String, as author: String? = nil, context: String? = nil) throws -> NSManagedObjectID {
        try save(as: author, context: context) { context in
            let object = Author(context: context)
            object.name = name
            try context.obtainPermanentIDs(for: [object])
            return object.objectID
        }
    }

    func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        try stack.inContext { context in
            try #require(try context.execute(request) as? NSPersistentHistoryResult)
        }
    }

    func transactions(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
        try #require(try execute(request).result as? [NSPersistentHistoryTransaction])
    }

    func allTransactions() throws -> [NSPersistentHistoryTransaction] {
        try transactions(.fetchHistory(after: .distantPast))
    }

    /// Whether the store is a file, whose transactions are numbered without gaps.
    var isFile: Bool { stack.isFile }

    /// Which transactions a predicate matches, counted from 1. The numbers that a server gives have gaps.
    func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
        let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try transactions(.fetchHistory(withFetch: request)).numbers(in: allTransactions())
    }

    /// The changes that a predicate matches.
    func changes(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
        let request = try #require(NSPersistentHistoryChange.fetchRequest)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
        history.resultType = .changesOnly
        return try #require(try execute(history).result as? [NSPersistentHistoryChange])
    }
}

extension [NSPersistentHistoryTransaction] {
    /// The transactions' numbers. On a server, whose numbers have gaps: which of all transactions these are, counted from 1.
    func numbers(in all: [NSPersistentHistoryTransaction]) -> [Int64] {
        guard TestStack.isOnServer else { return map(\.transactionNumber) }
        return map { transaction in
            Int64((all.firstIndex { $0.transactionNumber == transaction.transactionNumber } ?? -1) + 1)
        }
    }
}
