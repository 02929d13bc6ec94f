import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A backup in a process that is killed: there is the old copy or the new one, and the next backup cleans up.
@Suite(.serialized) struct KilledBackupTests {
    private static let steps: [MigrationStep] = [.begun, .copied, .ready, .filesMoved, .exchanged, .swept]

    /// Opens the store as another process would, and backs it up.
    private static func back(
        up url: URL, to copy: URL, progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try StoreBackup(of: store, to: copy, replacesExisting: true, progress: progress).run()
    }

    /// How many accounts a copy has; it is sound.
    private func accounts(of copy: URL) throws -> Int {
        // Opening a store finishes or undoes what was left of an exchange.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: copy)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Account"))
        }
        try coordinator.remove(store)
        #expect(try StoreChecker.findings(inStoreAt: copy, model: Bank.model()).map(\.message) == [])
        return count
    }

    private func prepared() async throws -> (bank: Bank, copy: URL) {
        let bank = try Bank(accounts: 600, pictures: 4)
        let copy = bank.folder.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        let context = bank.context()
        try context.performAndWait {
            try context.delete(bank.account(0, in: context))
            try bank.account(1, in: context).setValue(Bank.picture(9), forKey: "picture")
            try context.save()
        }
        return (bank, copy)
    }

    @Test(arguments: steps.indices) func atAStep(_ step: Int) async throws {
        let (bank, copy) = try await prepared()
        let url = bank.url
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as URL, copy = copy as URL, step = step as Int] in
            try SuddenDeath.at(Self.steps[step]) { try Self.back(up: url, to: copy) }
        }
        let isDone = [.exchanged, .swept].contains(Self.steps[step])
        #expect(try accounts(of: copy) == (isDone ? 599 : 600))
        try Self.back(up: url, to: copy)
        #expect(try accounts(of: copy) == 599)
        #expect(try bank.names().filter { $0.contains("-migration") } == [])
    }

    @Test func whilePagesAreCopiedToANewPlace() async throws {
        let (bank, _) = try await prepared()
        let (url, copy) = (bank.url, bank.folder.file("New.sqlite"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, copy = copy as URL] in
            try Self.back(up: url, to: copy) { if $0.fraction > 0.5 { SuddenDeath.now() } }
        }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(try bank.names().contains { $0.contains("-migration") })
        // Nothing but a second call is needed.
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        #expect(try accounts(of: copy) == 599)
        #expect(try bank.names().filter { $0.contains("-migration") } == [])
    }

    @Test func whenFilesWereMovedToANewPlace() async throws {
        let (bank, _) = try await prepared()
        let (url, copy) = (bank.url, bank.folder.file("New.sqlite"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, copy = copy as URL] in
            try SuddenDeath.at(.filesMoved) { try Self.back(up: url, to: copy) }
        }
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        #expect(try accounts(of: copy) == 599)
    }
}
