import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A backup that can't be made says why, and leaves the destination as it was.
@Suite(.serialized) struct BackupFailureTests {
    private func error(_ body: () async throws -> Void) async throws -> CocoaError {
        try #require(await #expect(throws: CocoaError.self) { try await body() })
    }

    @Test func aDestinationThatIsThereIsReplacedOnlyOnRequest() async throws {
        let bank = try Bank(accounts: 50, pictures: 3)
        let copy = bank.folder.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        let first = try FileManager.default.contentsOfDirectory(atPath: Bank.values(of: copy).path).sorted()
        let bytes = try Data(contentsOf: copy)
        let error = try await error { try await bank.coordinator.backUpPersistentStore(bank.store, to: copy) }
        #expect(error.code == .fileWriteFileExists)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == copy.path)
        #expect(try Data(contentsOf: copy) == bytes)

        let context = bank.context()
        try context.performAndWait {
            try bank.account(0, in: context).setValue(Bank.picture(77), forKey: "picture")
            try context.delete(bank.account(1, in: context))
            try context.save()
        }
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy, replacesExisting: true)
        let second = try FileManager.default.contentsOfDirectory(atPath: Bank.values(of: copy).path).sorted()
        #expect(second.count == 2)
        #expect(Set(second).intersection(first).count == 1)
        #expect(try StoreChecker.findings(inStoreAt: copy, model: Bank.model()).map(\.message) == [])
    }

    @Test func whatIsNoDatabaseIsNotReplaced() async throws {
        let bank = try Bank(accounts: 5)
        let file = bank.folder.file("Notes.txt")
        try Data("precious, and longer than sixteen bytes".utf8).write(to: file)
        let error = try await error {
            try await bank.coordinator.backUpPersistentStore(bank.store, to: file, replacesExisting: true)
        }
        #expect(error.code == .fileWriteFileExists)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("precious"))
        let folder = try await self.error {
            try await bank.coordinator.backUpPersistentStore(bank.store, to: bank.folder.url, replacesExisting: true)
        }
        #expect(folder.code == .fileWriteFileExists)
    }

    @Test func theStoreItselfIsNoDestination() async throws {
        let bank = try Bank(accounts: 50, pictures: 1)
        let files = FileManager.default
        let symbolic = bank.folder.file("Symbolic.sqlite")
        try files.createSymbolicLink(at: symbolic, withDestinationURL: bank.url)
        let hard = bank.folder.file("Hard.sqlite")
        try files.linkItem(at: bank.url, to: hard)
        let inside = bank.folder.file(".Bank_SUPPORT/Copy.sqlite")
        // The last shares the folder of external values with the store.
        let locations = [
            bank.url, symbolic, hard, inside, bank.folder.file("Bank.sqlite-wal"), bank.folder.file("Bank.backup"),
        ]
        for location in locations {
            let error = try await error {
                try await bank.coordinator.backUpPersistentStore(bank.store, to: location, replacesExisting: true)
            }
            #expect(error.code == .fileWriteFileExists, "\(location.path): \(error)")
        }
        #expect(try SQLiteShell.run("SELECT count(*) FROM ZACCOUNT", on: bank.url) == "50")
        try bank.transfer(1, from: 0, to: 1, in: bank.context())
    }

    @Test func aStoreWithoutExternalValuesMayBeCopiedBesideItselfWithAnotherEnding() async throws {
        let stack = try TestStack()
        let copy = stack.folder.file("Library.backup")
        try await stack.coordinator.backUpPersistentStore(stack.coordinator.persistentStores[0], to: copy)
        #expect(
            try StoreFile.metadata(at: copy)[NSStoreUUIDKey] as? String
                == stack.coordinator.persistentStores[0].identifier)
    }

    @Test func aMissingExternalValueIsNamedAndNothingIsLeft() async throws {
        let bank = try Bank(accounts: 50, pictures: 3)
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: Bank.values(of: bank.url).path).sorted().first)
        try FileManager.default.removeItem(at: Bank.values(of: bank.url).appendingPathComponent(name))
        let before = try bank.names()
        let error = try await error {
            try await bank.coordinator.backUpPersistentStore(bank.store, to: bank.folder.file("Copy.sqlite"))
        }
        #expect(error.code == .fileReadNoSuchFile)
        #expect(error.localizedDescription.contains(name))
        #expect((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix(name) == true)
        #expect(try bank.names() == before)
    }

    @Test func aCancelledBackupLeavesNothing() async throws {
        let bank = try Bank(pictures: 2)
        let before = try bank.names()
        let copy = bank.folder.file("Copy.sqlite")
        let begun = Flag()
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await bank.coordinator.backUpPersistentStore(bank.store, to: copy) { _ in
                guard !begun.isSet else { return }
                begun.set()
                isCancelled.wait()
            }
        }
        await begun.wait()
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try bank.names() == before)
        let progress = Noted<StoreBackupProgress>()
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy) { progress.note($0) }
        let last = try #require(progress.all.last)
        #expect(last.fraction == 1 && last.completedBytes == last.totalBytes)
        #expect(progress.all.map(\.completedBytes) == progress.all.map(\.completedBytes).sorted())
        #expect(progress.count > 4)
    }

    @Test func aFolderThatIsMissingIsNamed() async throws {
        let bank = try Bank(accounts: 5)
        let error = try await error {
            try await bank.coordinator.backUpPersistentStore(bank.store, to: bank.folder.file("no/Copy.sqlite"))
        }
        #expect(error.code == .fileNoSuchFile)
        #expect(error.localizedDescription.contains("/no"))
    }

    @Test(arguments: [NSBinaryStoreType, NSInMemoryStoreType]) func otherStoresAreRefused(type: String) async throws {
        let stack = try TestStack(type: type)
        let error = try await error {
            try await stack.coordinator.backUpPersistentStore(
                stack.coordinator.persistentStores[0], to: stack.folder.file("Copy"))
        }
        #expect(error.code.rawValue == NSPersistentStoreOperationError)
    }

    @Test func aStoreOfAnotherCoordinatorIsRefused() async throws {
        let (bank, other) = try (Bank(accounts: 5), Bank(accounts: 5))
        let error = try await error {
            try await bank.coordinator.backUpPersistentStore(other.store, to: bank.folder.file("Copy.sqlite"))
        }
        #expect(error.code.rawValue == NSPersistentStoreOperationError)
    }

    @Test func theCopyMayBeReadByThoseWhoMayReadTheStore() async throws {
        let bank = try Bank(accounts: 5)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bank.url.path)
        let copy = bank.folder.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        let permissions = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
    }

    @Test func aDamagedStoreIsNotPassedOffAsACopy() async throws {
        let bank = try Bank()
        try bank.coordinator.remove(bank.store)
        let handle = try FileHandle(forWritingTo: bank.url)
        try handle.seek(toOffset: 3 << 20)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 64 << 10))
        try handle.close()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Bank.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: bank.url)
        let before = try bank.names().filter { !$0.hasPrefix("Bank.sqlite-") }
        let error = try await error {
            try await coordinator.backUpPersistentStore(store, to: bank.folder.file("Copy.sqlite"))
        }
        #expect(error.code == .fileReadCorruptFile, "\(error)")
        #expect(try bank.names().filter { !$0.hasPrefix("Bank.sqlite-") } == before)
    }
}

/// Backups to disks of their own.
@Suite(.serialized, .enabled(if: SmallDisk.isAvailable, "mounting a disk takes administrator rights"))
struct BackupToAnotherDiskTests {
    @Test func aFullDiskIsToldAndTheOldCopyStays() async throws {
        let disk = try SmallDisk(kilobytes: 1_600)
        let bank = try Bank(accounts: 50, pictures: 1)
        let copy = disk.file("Copy.sqlite")
        try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        let before = try (
            Data(contentsOf: copy), FileManager.default.subpathsOfDirectory(atPath: disk.url.path).sorted()
        )
        let large = try Bank()
        let many = try Bank(accounts: 50, pictures: 20)
        for bank in [large, many] {
            let error = try #require(
                await #expect(throws: CocoaError.self) {
                    try await bank.coordinator.backUpPersistentStore(bank.store, to: copy, replacesExisting: true)
                })
            #expect(error.code == .fileWriteOutOfSpace, "\(error)")
            #expect(error.userInfo[NSFilePathErrorKey] as? String == copy.path)
            #expect(error.localizedDescription.contains("Copy.sqlite"))
            #expect(try Data(contentsOf: copy) == before.0)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: disk.url.path).sorted() == before.1)
        }
    }

    @Test func valuesAreCopiedWhereTheyCanNotBeLinked() async throws {
        let disk = try SmallDisk(kilobytes: 8_000)
        let bank = try Bank(accounts: 50, pictures: 3)
        let copy = disk.file("Copy.sqlite")
        let summary = try await bank.coordinator.backUpPersistentStore(bank.store, to: copy)
        #expect(summary.externalValues == 3)
        #expect(summary.externalBytes == (0..<3).reduce(0) { $0 + Int64(Bank.picture($1).count) })
        for name in try FileManager.default.contentsOfDirectory(atPath: Bank.values(of: bank.url).path) {
            #expect(
                try Data(contentsOf: Bank.values(of: copy).appendingPathComponent(name))
                    == Data(contentsOf: Bank.values(of: bank.url).appendingPathComponent(name)))
        }
    }
}
