import Dispatch
import Sticky
import TestSupport
import Testing

/// Deleting the files of containers.
@Suite struct DeletionTests {
    private func isReinitialization(_ error: any Error) -> Bool {
        if case PersistentContainer.Error.reinitializationRequired = error { true } else { false }
    }

    // Feature STICKY-22
    @Test func beforeAStartTheFilesGo() throws {
        let folder = try TemporaryFolder()
        do {
            let first = try BookStack(in: folder)
            try first.start().add("Momo")
            try Data().write(to: folder.file("Others.sqlite"))
            for ending in ["-wal", "-shm"] {
                let companion = folder.file("Books.sqlite\(ending)")
                if !FileManager.default.fileExists(atPath: companion.path) { try Data().write(to: companion) }
            }
        }
        let stack = try BookStack(in: folder)
        try stack.container.deleteSQLLiteStores()
        #expect(try stack.files == ["Others.sqlite"])
        // Again: files that are not there are no error.
        try stack.container.deleteSQLiteStores()
        let provider = try stack.start()
        #expect(try provider.titles.isEmpty)
        #expect(FileManager.default.fileExists(atPath: stack.file.path))
    }

    // Feature STICKY-22
    @Test func afterAFailedStartTheFilesGo() throws {
        let folder = try TemporaryFolder()
        try Data("no database at all".utf8).write(to: folder.file("Broken.sqlite"))
        let stack = try BookStack(in: folder, files: ["Books.sqlite", "Broken.sqlite"])
        #expect(throws: PersistentContainer.Error.self) { try stack.start() }
        #expect(try stack.files.contains("Books.sqlite"))
        try stack.container.deleteSQLiteStores()
        #expect(try stack.files.isEmpty)
        #expect(stack.spy.persistentStoreCoordinator.persistentStores.isEmpty)
        #expect(try BookStack(in: folder).start().titles.isEmpty)
    }

    // Feature STICKY-22
    @Test func largeValuesGoWithTheirStore() throws {
        let model = BookModel.make()
        let cover = LibraryModel.attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        model.entities[0].properties.append(cover)
        let folder = try TemporaryFolder()
        do {
            let provider = try BookStack(in: folder, model: model).start()
            try provider.newBackgroundContext().performAndWait { context in
                try context.create(Book.self).setValue(Data(repeating: 7, count: 1 << 20), forKey: "cover")
                try context.save()
            }
        }
        let stack = try BookStack(in: folder, model: model)
        #expect(try stack.files.contains { $0.hasPrefix(".") })
        try stack.container.deleteSQLiteStores()
        #expect(try stack.files.isEmpty)
    }

    // Feature STICKY-22
    @Test func aFileThatCantBeDeletedIsNamed() throws {
        let stack = try BookStack()
        // A file that even the superuser can't delete.
        stack.spy.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/proc/self/status"))
        ]
        #expect {
            try stack.container.deleteSQLiteStores()
        } throws: {
            String(describing: $0).contains("/proc/self/status") && !isReinitialization($0)
        }
    }

    // Feature STICKY-22
    @Test func onlyDatabasesAreDeleted() throws {
        let stack = try BookStack()
        let binary = NSPersistentStoreDescription(url: stack.folder.file("Books.binary"))
        binary.type = NSBinaryStoreType
        stack.spy.persistentStoreDescriptions = [
            binary, NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null")),
        ]
        try Data().write(to: stack.folder.file("Books.binary"))
        try stack.container.deleteSQLiteStores()
        #expect(try stack.files == ["Books.binary"])
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }

    // Feature STICKY-23, STICKY-25
    @Test func onceLoadedTheStoresAreTakenOutFirst() throws {
        let stack = try BookStack()
        let provider = try stack.start()
        try provider.add("Momo")
        let old = provider.newBackgroundContext()
        #expect(try old.performAndWait { try $0.fetch(Book.self).count } == 1)
        #expect {
            try stack.container.deleteSQLLiteStores()
        } throws: {
            isReinitialization($0) && $0.localizedDescription.contains("new container")
        }
        #expect(try stack.files.isEmpty)
        #expect(throws: (any Error).self) { try old.performAndWait { try $0.fetch(Book.self).count } }
        #expect(throws: (any Error).self) { try provider.add("Emil") }
        #expect(try stack.files.isEmpty)
        // Once more, and what the container is does not change.
        #expect { try stack.container.deleteSQLLiteStores() } throws: { isReinitialization($0) }
        #expect(throws: PersistentContainer.Error.self) { try stack.start() }
        #expect(try BookStack(in: stack.folder).start().titles.isEmpty)
    }

    // Feature STICKY-23
    @Test func filesThatSomebodyElseHasDeletedAreNoError() throws {
        let stack = try BookStack()
        let provider = try stack.start()
        try provider.add("Momo")
        for name in try stack.files { try FileManager.default.removeItem(at: stack.folder.file(name)) }
        #expect { try stack.container.deleteSQLiteStores() } throws: { isReinitialization($0) }
        #expect(throws: (any Error).self) { try provider.titles }
    }

    // Feature STICKY-23
    @Test func aStoreThatCantBeDestroyedIsToldInstead() throws {
        let stack = try BookStack()
        try stack.start()
        for name in try stack.files { try FileManager.default.removeItem(at: stack.folder.file(name)) }
        try FileManager.default.createDirectory(at: stack.file, withIntermediateDirectories: false)
        #expect {
            try stack.container.deleteSQLiteStores()
        } throws: {
            !isReinitialization($0) && String(describing: $0).contains("Books.sqlite")
        }
        #expect(try stack.files == ["Books.sqlite"])
    }

    // Feature STICKY-24, STICKY-25
    @Test func whileLoadingNothingIsDeleted() async throws {
        let folder = try TemporaryFolder()
        try await BookStack(in: folder).container.start().newBackgroundContext().perform { context in
            try context.create(Book.self).title = "Momo"
            try context.save()
        }
        let files = FileManagerSpy()
        let stack = try BookStack(in: folder, fileManager: files)
        let gate = stack.spy.holdBack()
        let titles = try await withCheckedThrowingContinuation { continuation in
            stack.container.start(queue: .global()) { result in
                continuation.resume(with: Result { try result.get().titles })
            }
            #expect {
                try stack.container.deleteSQLLiteStores()
            } throws: { error in
                if case PersistentContainer.Error.cannotDeleteSQLLiteStoresWhileLoading = error {
                    error.localizedDescription.contains("loaded")
                } else {
                    false
                }
            }
            gate.signal()
        }
        #expect(titles == ["Momo"])
        #expect(files.askedNames.isEmpty && files.removedNames.isEmpty)
    }

    // Feature STICKY-11, STICKY-22
    @Test func theFileManagerThatIsGivenDoesTheWork() throws {
        let folder = try TemporaryFolder()
        for ending in ["", "-wal", "-shm"] { try Data().write(to: folder.file("Books.sqlite\(ending)")) }
        let files = FileManagerSpy()
        try BookStack(in: folder, fileManager: files).container.deleteSQLiteStores()
        #expect(files.removedNames == ["Books.sqlite", "Books.sqlite-wal", "Books.sqlite-shm"])
        #expect(Set(files.removedNames).isSubset(of: files.askedNames))

        try Data().write(to: folder.file("Books.sqlite"))
        let refusing = try BookStack(in: folder, fileManager: FileManagerSpy(error: Refusal()))
        #expect(throws: Refusal()) { try refusing.container.deleteSQLiteStores() }
        #expect(try refusing.files == ["Books.sqlite"])
    }
}
