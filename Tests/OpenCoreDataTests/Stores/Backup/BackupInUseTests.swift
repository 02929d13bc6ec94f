import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A backup of a store that others write: the copy is one state of it.
@Suite(.serialized, .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct BackupInUseTests {
    /// Transfers between the first two accounts, by another process, each in a transaction of its own.
    private static func transfers(_ count: Int) -> String {
        String(
            repeating: """
                BEGIN IMMEDIATE; UPDATE ZACCOUNT SET ZBALANCE = ZBALANCE - 3, Z_OPT = Z_OPT + 1 WHERE ZNUMBER = 0;
                UPDATE ZACCOUNT SET ZBALANCE = ZBALANCE + 3, Z_OPT = Z_OPT + 1 WHERE ZNUMBER = 1; COMMIT;

                """, count: count)
    }

    @Test func theCopyHasOneStateWhileAThreadAndAProcessWrite() async throws {
        let bank = try Bank(options: [NSPersistentStoreTimeoutOption: 120])
        let context = bank.context()
        let thread = Repetition { round in
            let number = 2 + round % (Bank.accounts - 3)
            try bank.transfer(7, from: number, to: number + 1, in: context)
        }
        let process = Repetition { _ in
            try SQLiteShell.run("PRAGMA busy_timeout = 120000;" + Self.transfers(20), on: bank.url)
        }
        var writtenMeanwhile = 0
        for number in 0..<5 {
            let copy = bank.folder.file("Copy \(number).sqlite")
            let before = thread.rounds + process.rounds
            let summary = try await bank.coordinator.backUpPersistentStore(bank.store, to: copy) { _ in
                // The writers get their turn between two steps.
                usleep(20_000)
            }
            writtenMeanwhile += thread.rounds + process.rounds - before
            #expect(summary.databaseBytes > 4 << 20)
            #expect(try SQLiteShell.run("PRAGMA integrity_check", on: copy) == "ok")
            #expect(
                try SQLiteShell.run("SELECT sum(ZBALANCE), count(*) FROM ZACCOUNT", on: copy) == "\(Bank.total)|2000")
            // Each of the thread's transfers moves 7 one account up and leaves one entry; the process has the first two.
            let books =
                "SELECT (SELECT sum(ZNUMBER * (ZBALANCE - 100)) FROM ZACCOUNT WHERE ZNUMBER > 1) = "
                + "(SELECT count(*) * 7 FROM ZENTRY), (SELECT sum(ZBALANCE) FROM ZACCOUNT WHERE ZNUMBER < 2)"
            #expect(try SQLiteShell.run(books, on: copy) == "1|200")
            #expect(try StoreChecker.findings(inStoreAt: copy, model: Bank.model()).map(\.message) == [])
        }
        #expect(thread.stop() == [])
        #expect(process.stop() == [])
        #expect(writtenMeanwhile > 5)
    }

    @Test func valuesInFilesComeAlongWhileTheyAreReplaced() async throws {
        let bank = try Bank(accounts: 300, pictures: 30)
        let context = bank.context()
        let writer = Repetition { round in
            try context.performAndWait {
                let account = try bank.account(round % 30, in: context)
                account.setValue(Bank.picture(round % 30), forKey: "picture")
                try context.save()
            }
            usleep(50_000)
        }
        for number in 0..<5 {
            let copy = bank.folder.file("Copy \(number).sqlite")
            let summary = try await bank.coordinator.backUpPersistentStore(bank.store, to: copy) { _ in usleep(5_000) }
            #expect(summary.externalValues == 30)
            try expectPictures(30, in: copy)
            #expect(try StoreChecker.findings(inStoreAt: copy, model: Bank.model()).map(\.message) == [])
        }
        #expect(writer.stop() == [])
    }

    /// Opens a copy as a program would, and looks at each picture.
    private func expectPictures(_ count: Int, in copy: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: copy)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Account")
            request.predicate = NSPredicate(format: "number < %d", count)
            let accounts = try context.fetch(request)
            #expect(accounts.count == count)
            for account in accounts {
                let number = account.value(forKey: "number") as? Int ?? -1
                #expect(account.value(forKey: "picture") as? Data == Bank.picture(number))
            }
        }
        try coordinator.remove(store)
    }

    @Test func aStoreOpenedForReadingOnlyIsCopiedAndLeftAsItIs() async throws {
        let bank = try Bank(accounts: 100, pictures: 2)
        try bank.coordinator.remove(bank.store)
        let before = try (bank.names(), Data(contentsOf: bank.url))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: bank.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let other = try TemporaryFolder()
        let summary = try await coordinator.backUpPersistentStore(store, to: other.file("Copy.sqlite"))
        #expect(summary.externalValues == 2)
        try expectPictures(2, in: other.file("Copy.sqlite"))
        #expect(try bank.names() == before.0)
        #expect(try Data(contentsOf: bank.url) == before.1)
    }

    @Test func aFileThatIsReadWithoutLocksIsCopiedAnewWhenSomebodyWritesIt() async throws {
        let bank = try Bank(accounts: 500)
        try bank.coordinator.remove(bank.store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: bank.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let copy = bank.folder.file("Copy.sqlite")
        let url = bank.url
        let writes = Noted<Int>()
        try await coordinator.backUpPersistentStore(store, to: copy) { _ in
            guard writes.count == 0 else { return }
            writes.note(1)
            _ = try? SQLiteShell.run("UPDATE ZACCOUNT SET ZBALANCE = 1", on: url)
        }
        #expect(try SQLiteShell.run("SELECT sum(ZBALANCE) FROM ZACCOUNT", on: copy) == "500")
        #expect(try SQLiteShell.run("PRAGMA integrity_check", on: copy) == "ok")
    }

    @Test func aLogThatLiesBesideTheFileIsPartOfTheStore() async throws {
        let bank = try Bank(accounts: 20)
        try bank.transfer(5, from: 1, to: 2, in: bank.context())
        let found = bank.folder.file("Found.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: bank.url.path + suffix, toPath: found.path + suffix)
        }
        let log = try Data(contentsOf: URL(fileURLWithPath: found.path + "-wal"))
        #expect(!log.isEmpty)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: found,
            options: [NSReadOnlyPersistentStoreOption: true])
        let copy = bank.folder.file("Copy.sqlite")
        try await coordinator.backUpPersistentStore(store, to: copy)
        #expect(try SQLiteShell.run("SELECT ZBALANCE FROM ZACCOUNT WHERE ZNUMBER = 2", on: copy) == "105")
        #expect(try Data(contentsOf: URL(fileURLWithPath: found.path + "-wal")) == log)
    }

    @Test func aStoreWithoutALogIsCopied() async throws {
        let bank = try Bank(accounts: 100, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        let copy = bank.folder.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        #expect(try SQLiteShell.run("SELECT sum(ZBALANCE) FROM ZACCOUNT", on: copy) == "10000")
        try bank.transfer(5, from: 1, to: 2, in: bank.context())
        #expect(try SQLiteShell.run("PRAGMA journal_mode", on: copy) == "delete")
    }

    @Test func theCopyIsAStoreOfItsOwn() async throws {
        let bank = try Bank(accounts: 50, pictures: 3)
        let copy = bank.folder.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        let context = bank.context()
        try context.performAndWait {
            for number in 0..<3 { try context.delete(bank.account(number, in: context)) }
            try context.save()
        }
        try bank.coordinator.remove(bank.store)
        #expect(try FileManager.default.contentsOfDirectory(atPath: Bank.values(of: copy).path).count == 3)
        try expectPictures(3, in: copy)
    }
}
