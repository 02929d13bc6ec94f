#if Inspector
import Foundation
import OpenCoreData
import StoreTools
import Synchronization

/// Notifies listeners of changes to the store by this program or another process.
///
/// It looks for changes only while it has listeners. For stores with a history it reports what changed, for others
/// only that something did.
actor ChangeFeed {
    private static let pause = Duration.milliseconds(150)
    /// A file shows a write before the write can be read; what was missed at the first look is there at the second.
    private static let afterthoughts = 2
    /// Transactions and objects that one message lists; more are reported as "many".
    private static let mostTransactions = 50
    private static let mostObjects = 500

    private let store: InspectedStore
    private var listeners: [UInt64: AsyncStream<Data>.Continuation] = [:]
    private var lastListener: UInt64 = 0
    private var watch: Task<Void, Never>?
    private var version = 0

    init(_ store: InspectedStore) { self.store = store }

    /// A new stream of messages, as JSON. Looking ends when the last stream does.
    ///
    /// Saves from the call on are reported, not only those after the first look.
    func messages() -> AsyncStream<Data> {
        lastListener += 1
        let number = lastListener
        let (stream, continuation) = AsyncStream<Data>.makeStream(bufferingPolicy: .bufferingNewest(64))
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.end(number) }
        }
        if watch == nil {
            let start = State(saves: SaveCounter(store), fingerprint: fingerprint)
            watch = Task { [weak self] in await self?.look(from: start) }
        }
        return stream
    }

    private func end(_ number: UInt64) {
        listeners[number] = nil
        guard listeners.isEmpty else { return }
        watch?.cancel()
        watch = nil
    }

    /// The store as it is when a stream begins.
    private struct State {
        let saves: SaveCounter
        let fingerprint: FileFingerprint?
        let count: Int

        init(saves: SaveCounter, fingerprint: FileFingerprint?) {
            (self.saves, self.fingerprint, count) = (saves, fingerprint, saves.count)
        }
    }

    private func look(from start: State) async {
        let saves = start.saves
        var (fingerprint, count) = (start.fingerprint, start.count)
        var newest = try? await newestTransaction()
        // A write that the first fingerprint shows may not have been readable yet.
        var looks = newest == nil ? 0 : Self.afterthoughts
        var isThere = true
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            let (now, saved) = (self.fingerprint, saves.count)
            if now != fingerprint || saved != count {
                (fingerprint, count, looks) = (now, saved, Self.afterthoughts + 1)
            }
            // A process that has a file open can still read it after the file is removed.
            if let now, now.isThere != isThere {
                isThere = now.isThere
                send(["removed": .bool(!isThere), "transactions": .array([])])
            }
            guard looks > 0 else { continue }
            looks -= 1
            newest = await notify(after: newest, isFirst: looks == Self.afterthoughts)
        }
    }

    private var fingerprint: FileFingerprint? {
        (try? store.databaseURL()).flatMap { $0 }.map { FileFingerprint(storeAt: $0) }
    }

    private func newestTransaction() async throws -> Int64? {
        try await store.read { try HistoryPage(reader: $0).newestNumber() }
    }

    /// Sends what happened since a transaction.
    ///
    /// - Returns: The number of the last transaction.
    private func notify(after known: Int64?, isFirst: Bool) async -> Int64? {
        let news = try? await store.read { reader -> (Int64, [JSONValue])? in
            let page = HistoryPage(reader: reader)
            guard let known else { return try page.newestNumber().map { ($0, []) } }
            let transactions = try page.transactions(after: known, limit: Self.mostTransactions)
            return (transactions.last?.transactionNumber ?? known, transactions.map(Self.message))
        }
        guard let (newest, transactions) = news ?? nil else {
            // Without history it isn't known what changed, so the page reads again what it shows.
            send(["transactions": .null])
            return nil
        }
        if !transactions.isEmpty || known == nil {
            send(["transactions": .array(transactions)])
        } else if isFirst {
            // Writes without a transaction: another program that records no history, or a checkpoint.
            send(["transactions": .null])
        }
        return newest
    }

    private static func message(_ transaction: NSPersistentHistoryTransaction) -> JSONValue {
        let changes = transaction.changes ?? []
        return [
            "number": .integer(transaction.transactionNumber), "author": JSONValue(transaction.author),
            "process": .string(transaction.processID), "summary": HistoryPage.summary(of: changes),
            "objects": .array(
                changes.prefix(mostObjects).map { change in
                    [
                        .string(change.changedObjectID.inspectorName),
                        .string(HistoryPage.name(of: change.changeType)),
                    ]
                }),
        ]
    }

    private func send(_ message: JSONValue) {
        version += 1
        let numbered: JSONValue
        if case .object(let members) = message {
            numbered = .object([JSONMember(key: "version", value: JSONValue(version))] + members)
        } else {
            numbered = message
        }
        let document = Data(JSONText.string(of: numbered).utf8)
        for listener in listeners.values { listener.yield(document) }
    }
}

/// Counts the saves of this program to a store, and those of others that the store announces, which is how changes
/// of stores without files are noticed.
private final class SaveCounter: Sendable {
    private let saves = Counter()
    private let observers: [NoticeObserver]

    private final class Counter: Sendable {
        let number = Mutex(0)
    }

    var count: Int { saves.number.withLock { $0 } }

    init(_ store: InspectedStore) {
        let own = NoticeObserver(.NSManagedObjectContextDidSave, of: nil) { [saves] notice in
            guard let context = notice.object as? NSManagedObjectContext, context.parent == nil,
                let coordinator = context.persistentStoreCoordinator,
                (try? store.currentCoordinator()) === coordinator
            else { return }
            saves.number.withLock { $0 += 1 }
        }
        let others = NoticeObserver(.NSPersistentStoreRemoteChange, of: nil) { [saves] notice in
            guard let coordinator = notice.object as? NSPersistentStoreCoordinator,
                (try? store.currentCoordinator()) === coordinator
            else { return }
            saves.number.withLock { $0 += 1 }
        }
        observers = [own, others]
    }

    deinit { for observer in observers { observer.end() } }
}
#endif
