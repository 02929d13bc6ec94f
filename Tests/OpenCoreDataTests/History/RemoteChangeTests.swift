import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct RemoteChangeTests {
    private static var options: [AnyHashable: Any] { [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true] }

    /// Collects the remote-change notifications of a coordinator and lets a test wait for them.
    // @unchecked Sendable because `posted` is only touched under `lock`.
    private final class Listener: @unchecked Sendable {
        private let lock = NSLock()
        private let arrival = DispatchSemaphore(value: 0)
        private var posted: [[AnyHashable: Any]] = []
        private var observer: (any NSObjectProtocol)?

        init(_ coordinator: NSPersistentStoreCoordinator) {
            observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] notification in
                guard let self else { return }
                let info = SendableBox(notification.userInfo ?? [:])
                lock.withLock { self.posted.append(info.value) }
                arrival.signal()
            }
        }

        deinit { observer.map { NotificationCenter.default.removeObserver($0) } }

        /// Waits until so many notifications more have come.
        func wait(for count: Int) -> Bool {
            (0..<count).allSatisfy { _ in arrival.wait(timeout: .now() + 30) == .success }
        }

        var infos: [[AnyHashable: Any]] { lock.withLock { posted } }
        var tokens: [NSPersistentHistoryToken] {
            infos.compactMap { $0["historyToken"] as? NSPersistentHistoryToken }
        }
    }

    // Behaviour 1.15
    @Test func everyCoordinatorOnTheFileHearsOfEachSave() throws {
        let first = try HistoryStack(options: Self.options)
        let second = try HistoryStack(folder: first.stack.folder, options: Self.options)
        let deaf = try HistoryStack(folder: first.stack.folder)
        let listeners = [Listener(first.coordinator), Listener(second.coordinator)]
        let silence = Listener(deaf.coordinator)
        try first.addAuthor("Ada")
        try second.addAuthor("Eve")
        try deaf.addAuthor("Kim")
        for listener in listeners { #expect(listener.wait(for: 3)) }
        let identifier = try #require(first.store().identifier)
        for (listener, history) in zip(listeners, [first, second]) {
            #expect(try listener.tokens == history.allTransactions().map(\.token))
            #expect(!history.isFile || listener.tokens == (1...3).map { NSPersistentHistoryToken([identifier: $0]) })
            for info in listener.infos {
                #expect(info["NSStoreUUID"] as? String == identifier)
                #expect(info["storeURL"] as? URL == (try history.store().url))
            }
            #expect(listener.tokens.last == history.token)
        }
        #expect(silence.infos.isEmpty)
    }

    // Behaviour 1.15
    @Test func batchRequestsAreAnnounced() throws {
        let history = try HistoryStack(options: Self.options)
        let other = try HistoryStack(folder: history.stack.folder, options: Self.options)
        try history.addAuthor("Ada")
        let listeners = [Listener(history.coordinator), Listener(other.coordinator)]
        let start = try #require(history.token)
        try history.stack.inContext { context in
            context.transactionAuthor = "batch"
            let update = NSBatchUpdateRequest(entityName: "Author")
            update.propertiesToUpdate = ["country": "GB"]
            try context.execute(update)
            let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": "Eve"], ["name": "Kim"]])
            try context.execute(insert)
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Author")))
        }
        let news = try history.transactions(.fetchHistory(after: start))
        #expect(news.map(\.author) == ["batch", "batch", "batch"])
        #expect(
            news.map { $0.changes?.map(\.changeType) } == [
                [.update], [.insert, .insert], [.delete, .delete, .delete],
            ])
        for listener in listeners {
            while listener.tokens.last != history.token { try #require(listener.wait(for: 1)) }
            #expect(news.map(\.token).allSatisfy(listener.tokens.contains))
        }
    }

    @Test func anotherProcessIsHeard() throws {
        let history = try HistoryStack(options: Self.options)
        try history.addAuthor("Ada")
        let listener = Listener(history.coordinator)
        let known = history.token
        #expect(listener.wait(for: 1) || known != nil)
        let before = listener.infos.count
        _ = try history.stack.sqlite(
            """
            BEGIN;
            UPDATE ZAUTHOR SET ZCOUNTRY='GB', Z_OPT=Z_OPT+1 WHERE Z_PK=1;
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (2, 16002, 700000000);
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT 2, 16001, 1, Z_ENT, 1, 2 FROM ZAUTHOR WHERE Z_PK=1;
            COMMIT;
            """)
        #expect(listener.wait(for: 1))
        #expect(listener.infos.count == before + 1)
        #expect(listener.tokens.last == history.token)
        let news = try history.transactions(.fetchHistory(after: known))
        #expect(news.map(\.transactionNumber) == [2])
        #expect(news.first?.changes?.map(\.changeType) == [.update])
    }

    @Test func nothingIsPostedWithoutHistoryOrAfterTheStoreIsGone() throws {
        let plain = try TestStack(options: Self.options)
        let silence = Listener(plain.coordinator)
        try plain.inContext { context in
            Author(context: context).name = "Ada"
            try context.save()
        }
        let history = try HistoryStack(options: Self.options)
        let removed = Listener(history.coordinator)
        let witness = try HistoryStack(folder: history.stack.folder, options: Self.options)
        let present = Listener(witness.coordinator)
        try history.coordinator.remove(try history.store())
        try witness.addAuthor("Ada")
        #expect(present.wait(for: 1))
        #expect(removed.infos.isEmpty)
        #expect(silence.infos.isEmpty)
    }

    @Test func manyTransactionsAtOnceAreAnnouncedByTheLast() throws {
        let history = try HistoryStack(options: Self.options)
        try history.addAuthor("Ada")
        let listener = Listener(history.coordinator)
        _ = try history.stack.sqlite(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) SELECT i, 16002, 700000000 FROM n
            """)
        let identifier = try #require(history.store().identifier)
        while listener.tokens.last != NSPersistentHistoryToken([identifier: 300]) {
            try #require(listener.wait(for: 1))
        }
        #expect(listener.infos.count <= 3)
    }
}
