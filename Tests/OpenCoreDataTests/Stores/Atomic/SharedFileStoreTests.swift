import CoreDataEngine
import OpenCoreData
import TestSupport
import Testing

/// Several stores on one binary or XML file, in one process or in many: a save that was not refused is in the file.
@Suite struct SharedFileStoreTests {
    static let types = [NSXMLStoreType, NSBinaryStoreType]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Library.store") }

    /// One who saves to the file: alone among the threads of its process, but not among those who use the file.
    struct Writer {
        let url: URL
        let type: String

        func open() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
            return coordinator
        }

        func inContext<T>(
            _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
        ) rethrows -> T {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return try context.performAndWait { try body(context) }
        }

        func add(_ name: String, to coordinator: NSPersistentStoreCoordinator) throws {
            try inContext(coordinator) { context in
                Author(context: context).name = name
                try context.save()
            }
        }

        func names() throws -> [String] {
            try inContext(try open()) { try $0.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name) }
        }

        /// Saves authors one by one. After a save that is refused, the file is read and the author saved again.
        ///
        /// - Returns: How many saves were refused.
        @discardableResult
        func addAuthors(_ count: Int, prefix: String) throws -> Int {
            var coordinator = try open()
            var refused = 0
            for number in 0..<count {
                while true {
                    do {
                        try add("\(prefix)\(number)", to: coordinator)
                        break
                    } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreSaveError {
                        refused += 1
                        coordinator = try open()
                    }
                }
            }
            return refused
        }
    }

    private func expectOnlyTheStore(_ more: String...) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == (["Library.store"] + more).sorted())
    }

    // MARK: Two at once

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "this build has no locks among processes"), arguments: types)
    func noSaveOfTwoProcessesIsLost(_ type: String) async throws {
        let writer = Writer(url: url, type: type)
        try writer.add("first", to: try writer.open())
        await withTaskGroup(of: Void.self) { group in
            for prefix in ["a", "b"] {
                group.addTask { [url] in
                    await #expect(processExitsWith: .success) {
                        [url = url as URL, type = type as String, prefix = prefix as String] in
                        try Writer(url: url, type: type).addAuthors(60, prefix: prefix)
                    }
                }
            }
        }
        let expected = ["first"] + (0..<60).flatMap { ["a\($0)", "b\($0)"] }
        #expect(try writer.names().sorted() == expected.sorted())
        try expectOnlyTheStore()
    }

    @Test(arguments: types) func noSaveOfTwoThreadsIsLost(_ type: String) async throws {
        let writer = Writer(url: url, type: type)
        let refusals = try await withThrowingTaskGroup(of: Int.self) { group in
            for prefix in ["a", "b", "c"] {
                group.addTask { try writer.addAuthors(25, prefix: prefix) }
            }
            return try await group.reduce(0, +)
        }
        let names = try writer.names()
        #expect(names.sorted() == ["a", "b", "c"].flatMap { prefix in (0..<25).map { "\(prefix)\($0)" } }.sorted())
        #expect(refusals >= 0)
        try expectOnlyTheStore()
    }

    @Test(arguments: types) func aFileThatSeveralMakeAtOnceIsMadeOnce(_ type: String) async throws {
        for round in 0..<5 {
            let location = folder.file("Round\(round).store")
            let writer = Writer(url: location, type: type)
            let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
                for name in 0..<4 {
                    group.addTask {
                        let coordinator = try writer.open()
                        let identifier = coordinator.persistentStores[0].identifier ?? ""
                        try writer.addAuthors(1, prefix: "\(name)-")
                        return identifier
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(identifiers.count == 1)
            #expect(try writer.names().sorted() == ["0-0", "1-0", "2-0", "3-0"])
        }
    }

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "this build has no locks among processes"), arguments: types)
    func twoProcessesMakeOneFile(_ type: String) async throws {
        await withTaskGroup(of: Void.self) { group in
            for prefix in ["a", "b"] {
                group.addTask { [url] in
                    await #expect(processExitsWith: .success) {
                        [url = url as URL, type = type as String, prefix = prefix as String] in
                        try Writer(url: url, type: type).addAuthors(1, prefix: prefix)
                    }
                }
            }
        }
        #expect(try Writer(url: url, type: type).names().sorted() == ["a0", "b0"])
    }

    @Test(arguments: types) func aRefusedSaveHasWrittenNothingAndKeepsItsChanges(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let first = try writer.open()
        try writer.add("Ada", to: first)
        try writer.add("Bo", to: try writer.open())
        let before = try Data(contentsOf: url)
        writer.inContext(first) { context in
            let author = Author(context: context)
            author.name = "Cy"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSPersistentStoreSaveError)
            #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
            #expect(context.hasChanges && author.name == "Cy")
        }
        #expect(try Data(contentsOf: url) == before)
        try expectOnlyTheStore()
    }

    // MARK: Metadata

    @Test(arguments: types) func metadataThatAnotherSetStayWhenTheStoreIsSaved(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let coordinator = try writer.open()
        try writer.add("Ada", to: coordinator)
        try NSPersistentStoreCoordinator.setMetadata(["mine": "yes"], forPersistentStoreOfType: type, at: url)
        try writer.add("Bo", to: coordinator)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(metadata["mine"] as? String == "yes")
        #expect(metadata[NSStoreUUIDKey] as? String == coordinator.persistentStores[0].identifier)
        #expect(coordinator.metadata(for: coordinator.persistentStores[0])["mine"] as? String == "yes")
        #expect(try writer.names().sorted() == ["Ada", "Bo"])
    }

    @Test(arguments: types) func metadataAreSetWhileOthersSave(_ type: String) async throws {
        let writer = Writer(url: url, type: type)
        _ = try writer.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try writer.addAuthors(40, prefix: "a") }
            group.addTask { [url] in
                for number in 1...40 {
                    try NSPersistentStoreCoordinator.setMetadata(
                        ["number": number], forPersistentStoreOfType: type, at: url)
                }
            }
            try await group.waitForAll()
        }
        #expect(try writer.names().count == 40)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(metadata["number"] as? Int == 40)
    }

    // MARK: Accidents

    @Test(arguments: types) func aFileThatWasDeletedMeanwhileIsMadeAgain(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let (first, second) = (try writer.open(), try writer.open())
        try FileManager.default.removeItem(at: url)
        try writer.add("Ada", to: first)
        #expect(try writer.names() == ["Ada"])
        let error = #expect(throws: CocoaError.self) { try writer.add("Bo", to: second) }
        #expect(error?.code.rawValue == NSPersistentStoreSaveError)
        #expect(try writer.names() == ["Ada"])
    }

    @Test(arguments: types) func anotherStoreInTheSamePlaceIsNotOverwritten(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let first = try writer.open()
        try FileManager.default.removeItem(at: url)
        let second = try writer.open()
        #expect(throws: CocoaError.self) { try writer.add("Ada", to: first) }
        try writer.add("Bo", to: second)
        #expect(try writer.names() == ["Bo"])
        #expect(try writer.open().persistentStores[0].identifier == second.persistentStores[0].identifier)
    }

    @Test(arguments: types) func anotherFileInTheSamePlaceIsNotOverwritten(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let coordinator = try writer.open()
        let other = Data("something else".utf8)
        try other.write(to: url)
        #expect(throws: CocoaError.self) { try writer.add("Ada", to: coordinator) }
        #expect(try Data(contentsOf: url) == other)
    }

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "this build has no locks among processes"), arguments: types)
    func aWriterThatIsKilledLeavesNoLockAndNoDraft(_ type: String) async throws {
        let writer = Writer(url: url, type: type)
        try writer.addAuthors(200, prefix: "a")
        for time in stride(from: UInt32(500), through: 20_000, by: 1_500) {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL, type = type as String, time = time as UInt32] in
                let writer = Writer(url: url, type: type)
                let coordinator = try writer.open()
                try SuddenDeath.within(microseconds: time) {
                    for number in 0..<1_000 { try writer.add("b\(number)", to: coordinator) }
                }
            }
            #expect(try writer.names().filter { $0.hasPrefix("a") }.count == 200)
        }
        // As if they had died at the worst moments.
        try Data("half".utf8).write(to: folder.file(".Library.store.\(UUID().uuidString).new"))
        try Data().write(to: folder.file(".Library.store.lock"))
        try Data("mine".utf8).write(to: folder.file(".Library.store.mine.new"))
        try writer.add("last", to: try writer.open())
        #expect(try writer.names().contains("last"))
        try expectOnlyTheStore(".Library.store.mine.new")
    }

    @Test(.enabled(if: FileLock.isSharedAmongProcesses, "this build has no locks among processes"))
    func aLockThatIsNotGivenBackEndsInATimeout() async throws {
        let writer = Writer(url: url, type: NSXMLStoreType)
        _ = try writer.open()
        let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.2]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url, options: options)
        let before = try Data(contentsOf: url)
        let lock = open(folder.file(".Library.store.lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        let error = #expect(throws: CocoaError.self) { try writer.add("Ada", to: coordinator) }
        #expect(error?.code.rawValue == NSPersistentStoreTimeoutError)
        #expect(try Data(contentsOf: url) == before)
        // A process that is being started may have the descriptor for a moment.
        #expect(flock(lock, LOCK_UN) == 0)
        close(lock)
        try writer.add("Ada", to: coordinator)
        #expect(try writer.names() == ["Ada"])
        try expectOnlyTheStore()
    }

    @Test(arguments: types) func aStoreBehindASymbolicLinkIsOneWithItsFile(_ type: String) throws {
        let direct = Writer(url: url, type: type)
        let first = try direct.open()
        let link = folder.file("Link.store")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let linked = Writer(url: link, type: type)
        try linked.add("Ada", to: try linked.open())
        #expect(throws: CocoaError.self) { try direct.add("Bo", to: first) }
        #expect(try direct.names() == ["Ada"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    }

    @Test(arguments: types) func aFileKeepsItsPermissions(_ type: String) throws {
        let writer = Writer(url: url, type: type)
        let coordinator = try writer.open()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        try writer.add("Ada", to: coordinator)
        let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
    }

    @Test(arguments: types) func aLongNameLeavesRoomForTheFilesBesideIt(_ type: String) throws {
        for name in [
            String(repeating: "n", count: 255), String(repeating: "長", count: 84), String(repeating: "n", count: 201),
        ] {
            let location = folder.file(name)
            let writer = Writer(url: location, type: type)
            try writer.addAuthors(2, prefix: "a")
            #expect(try writer.names().sorted() == ["a0", "a1"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
            try FileManager.default.removeItem(at: location)
        }
    }

    /// Equal values are in the file once, so there is much more to read than there are values.
    @Test(arguments: types) func manyEqualValuesAreReadAgain(_ type: String) throws {
        func open() throws -> NSPersistentStoreCoordinator {
            let entity = NSEntityDescription()
            entity.name = "Wide"
            entity.properties = (0..<60).map { LibraryModel.attribute("a\($0)", .integer64AttributeType, default: 7) }
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
            return coordinator
        }
        let writer = Writer(url: url, type: type)
        try writer.inContext(try open()) { context in
            for _ in 0..<1_500 { _ = NSEntityDescription.insertNewObject(forEntityName: "Wide", into: context) }
            try context.save()
        }
        let values = try writer.inContext(try open()) { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Wide")).map {
                $0.value(forKey: "a59") as? Int
            }
        }
        #expect(values == Array(repeating: 7, count: 1_500))
    }

    // MARK: Numbers

    /// The text of an XML store with one author, changed.
    private func changeXML(_ change: (String) -> String) throws -> Writer {
        let writer = Writer(url: url, type: NSXMLStoreType)
        try writer.add("Ada", to: try writer.open())
        let string = try String(contentsOf: url, encoding: .utf8)
        let changed = change(string)
        #expect(changed != string)
        try changed.write(to: url, atomically: true, encoding: .utf8)
        return writer
    }

    @Test(arguments: ["id=\"z102\"", "<nextObjectID>102"]) func afterTheLastNumberNothingIsInserted(_ string: String)
        throws
    {
        let writer = try changeXML {
            $0.replacingOccurrences(of: string, with: string.replacingOccurrences(of: "102", with: "\(Int64.max)"))
        }
        #expect(try writer.names() == ["Ada"])
        let before = try Data(contentsOf: url)
        let error = #expect(throws: CocoaError.self) { try writer.add("Bo", to: try writer.open()) }
        #expect(error?.localizedDescription.contains("Library.store") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(arguments: ["z-1", "z0", "z9223372036854775808", "z1.5", "z", "102"]) func anIdThatIsNoneIsAnError(
        _ id: String
    ) throws {
        let writer = try changeXML { $0.replacingOccurrences(of: "id=\"z102\"", with: "id=\"\(id)\"") }
        let error = #expect(throws: CocoaError.self) { try writer.names() }
        #expect(error?.localizedDescription.contains("Library.store") == true)
    }

    /// A binary store of one author, whose objects are changed as a property list.
    private func changeBinary(_ change: (inout [String: Any], inout [String: Any]) -> Void) throws -> Writer {
        let writer = Writer(url: url, type: NSBinaryStoreType)
        try writer.add("Ada", to: try writer.open())
        let data = [UInt8](try Data(contentsOf: url))
        func length(_ offset: Int) -> Int { (0..<8).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) } }
        let metadata = Data(data[64..<64 + length(16)])
        var list = try #require(
            try PropertyListSerialization.propertyList(from: Data(data[(64 + length(16))...]), format: nil)
                as? [String: Any])
        var objects = try #require(list["objects"] as? [[String: Any]])
        change(&list, &objects[0])
        list["objects"] = objects
        let body = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        var head = Data(data[..<24])
        for byte in 0..<8 { head.append(UInt8(truncatingIfNeeded: body.count >> (8 * byte))) }
        try (head + SHA256.hash(metadata + body) + metadata + body).write(to: url)
        return writer
    }

    @Test(arguments: [false, true]) func afterTheLastNumberOfABinaryStoreNothingIsInserted(_ inObject: Bool) throws {
        let writer = try changeBinary { list, object in
            if inObject { object["id"] = Int64.max } else { list["lastNumber"] = Int64.max }
        }
        #expect(try writer.names() == ["Ada"])
        let before = try Data(contentsOf: url)
        let error = #expect(throws: CocoaError.self) { try writer.add("Bo", to: try writer.open()) }
        #expect(error?.localizedDescription.contains("Library.store") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(arguments: [-1, 0, 1.5, 1e300, -1e300, Double.infinity]) func aNumberThatIsNoneIsAnErrorOfABinaryStore(
        _ number: Double
    ) throws {
        for key in ["id", "lastNumber"] {
            if key == "lastNumber", number == 0 { continue }
            let writer = try changeBinary { list, object in
                let value: Any = Int64(exactly: number).map { $0 as Any } ?? number
                if key == "id" { object["id"] = value } else { list["lastNumber"] = value }
            }
            let error = #expect(throws: CocoaError.self) { try writer.names() }
            #expect(error?.localizedDescription.contains("Library.store") == true)
            try FileManager.default.removeItem(at: url)
        }
    }
}
