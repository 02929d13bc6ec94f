import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Links of the file system on the way to a store, and links, pipes and folders in the place of its files.
@Suite struct StoreLinkTests {
    private let folder: TemporaryFolder
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        try files.createDirectory(at: folder.file("data"), withIntermediateDirectories: true)
    }

    private var url: URL { folder.file("data/Items.sqlite") }

    private func titles(_ store: ItemStore) throws -> [String?] {
        try store.inContext { context in
            try ItemStore.items(context).map { item in
                let title = item.value(forKey: "title") as? String
                #expect(item.value(forKey: "bytes") as? Data == ItemStore.value(UInt8(title ?? "") ?? 255))
                return title
            }
        }
    }

    // MARK: On the way

    @Test(arguments: ["Link.sqlite", "second/Link.sqlite", "folder/Items.sqlite"])
    func valuesAndLogAreBesideTheFileAndNotBesideTheLink(_ path: String) throws {
        let link = folder.file(path)
        try files.createDirectory(at: folder.file("second"), withIntermediateDirectories: true)
        switch path {
        case "Link.sqlite": try files.createSymbolicLink(at: link, withDestinationURL: url)
        case "second/Link.sqlite":
            try files.createSymbolicLink(
                atPath: folder.file("First.sqlite").path, withDestinationPath: "data/Items.sqlite")
            try files.createSymbolicLink(atPath: link.path, withDestinationPath: "../First.sqlite")
        default: try files.createSymbolicLink(atPath: folder.file("folder").path, withDestinationPath: "data")
        }
        // The file is made through the link, which leads to nothing at first.
        let first = try ItemStore(link)
        try first.add(1)
        let values = folder.file("data/.Items_SUPPORT/_EXTERNAL_DATA")
        #expect(try files.contentsOfDirectory(atPath: values.path).count == 1)
        // What is in the log alone is seen without opening the store, too.
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: link)
        #expect(metadata[NSStoreUUIDKey] as? String == first.store?.identifier)
        let direct = try ItemStore(url)
        #expect(try titles(direct) == ["1"])
        try direct.add(2)
        #expect(try titles(first) == ["1", "2"])
        try first.close()
        try direct.close()
        let again = try ItemStore(link)
        #expect(try titles(again) == ["1", "2"])
        try again.close()
        let beside = try files.contentsOfDirectory(atPath: link.deletingLastPathComponent().path)
        if path != "folder/Items.sqlite" {
            #expect(beside.filter { $0.hasPrefix("Link") || $0.hasPrefix(".Link") } == ["Link.sqlite"])
        }
        #expect(try StoreChecker.findings(inStoreAt: link, model: StoreReplacementTests.model()).map(\.message) == [])
    }

    @Test func aLinkAndItsFileAreTheSameStore() throws {
        let link = folder.file("Link.sqlite")
        try files.createSymbolicLink(at: link, withDestinationURL: url)
        let store = try ItemStore(link)
        #expect(throws: CocoaError.self) { try store.coordinator.addPersistentStore(type: .sqlite, at: url) }
        let hard = folder.file("data/Hard.sqlite")
        try store.close()
        try files.linkItem(at: url, to: hard)
        #expect(try ItemStore(hard).inContext { try ItemStore.items($0).count } == 0)
    }

    // MARK: In the place of values

    enum Substitute: String, CaseIterable {
        case link = "a symbolic link"
        case danglingLink = "a symbolic link "
        case pipe = "a pipe"
        case folder = "a folder"
        case linkToPipe = "a symbolic link  "
    }

    /// - Returns: The file of another owner that a link leads to.
    private func put(_ substitute: Substitute, at file: URL) throws -> URL {
        let other = folder.file("private")
        let pipe = folder.file("pipe")
        try ItemStore.value(99).write(to: other)
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try? files.removeItem(at: file)
        switch substitute {
        case .link: try files.createSymbolicLink(at: file, withDestinationURL: other)
        case .danglingLink: try files.createSymbolicLink(at: file, withDestinationURL: folder.file("nowhere"))
        case .linkToPipe: try files.createSymbolicLink(at: file, withDestinationURL: pipe)
        case .pipe: #expect(mkfifo(file.path, 0o600) == 0)
        case .folder: try files.createDirectory(at: file, withIntermediateDirectories: true)
        }
        return other
    }

    @Test(.timeLimit(.minutes(5)), arguments: Substitute.allCases)
    func whatIsNoFileIsNoValue(_ substitute: Substitute) throws {
        let store = try ItemStore(url)
        try store.add(1)
        let name = try #require(store.files.first)
        let other = try put(substitute, at: store.file(name))
        let kind = substitute.rawValue.trimmingCharacters(in: .whitespaces)
        store.inContext { context in
            let item = try? ItemStore.items(context).first
            #expect(item?.value(forKey: "bytes") as? Data == nil)
            let error = #expect(throws: CocoaError.self) { try ItemStore.items(context) }
            #expect(error?.code == .fileReadUnknown)
            #expect(
                error?.localizedDescription.contains("\(kind) is in the place of its file") == true,
                "\(String(describing: error))")
        }
        let findings = try StoreChecker.findings(inStoreAt: url, model: StoreReplacementTests.model()).map(\.message)
        #expect(findings == ["bytes is in the file \(name), but \(kind) is in its place."])
        // Nothing that the link leads to is changed when the value is replaced, or goes with the store.
        store.inContext { context in
            let item = try? ItemStore.items(context).first
            item?.setValue(ItemStore.value(2), forKey: "bytes")
            try? context.save()
        }
        try store.close()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreReplacementTests.model())
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        #expect(try Data(contentsOf: other) == ItemStore.value(99))
    }

    @Test(.timeLimit(.minutes(5)), arguments: Substitute.allCases)
    func aListOfUnusedFilesThatIsNoFileIsLeftAlone(_ substitute: Substitute) throws {
        let store = try ItemStore(url)
        try store.add(1)
        try store.close()
        let list = "Items.sqlite.6A1E3B1C-94A5-4F86-9E0E-6B1E2F1A9C77.unused"
        let other = try put(substitute, at: folder.file("data/.Items_SUPPORT").appendingPathComponent(list))
        let again = try ItemStore(url)
        #expect(try titles(again) == ["1"])
        try again.replace(with: 1)
        try again.close()
        _ = try StoreChecker.findings(inStoreAt: url, model: StoreReplacementTests.model())
        #expect(try Data(contentsOf: other) == ItemStore.value(99))
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["-wal", "-shm", "-journal"], Substitute.allCases)
    func aStoreWhoseLogIsNoFileIsRefused(suffix: String, substitute: Substitute) throws {
        let store = try ItemStore(url)
        try store.add(1)
        try store.close()
        let other = try put(substitute, at: URL(fileURLWithPath: url.path + suffix))
        let error = #expect(throws: CocoaError.self) { try ItemStore(url) }
        #expect(error?.localizedDescription.contains("Items.sqlite\(suffix)") == true)
        #expect(throws: CocoaError.self) {
            try StoreChecker.findings(inStoreAt: url, model: StoreReplacementTests.model())
        }
        #expect(try Data(contentsOf: other) == ItemStore.value(99))
        #expect(!files.fileExists(atPath: folder.file("nowhere").path))
        try files.removeItem(atPath: url.path + suffix)
        #expect(try titles(ItemStore(url)) == ["1"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: Substitute.allCases)
    func aReplacedStoreTakesNoOtherFilesAlong(_ substitute: Substitute) throws {
        let store = try ItemStore(url)
        try store.add(1)
        let name = try #require(store.files.first)
        _ = try put(substitute, at: store.file(name))
        try store.close()
        let copy = folder.file("Copy.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreReplacementTests.model())
        try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: .sqlite)
        #expect(!files.fileExists(atPath: ExternalData(storeURL: copy).folder.appendingPathComponent(name).path))
        #expect(
            (try? files.destinationOfSymbolicLink(
                atPath: ExternalData(storeURL: copy).folder.appendingPathComponent(name).path)) == nil)
    }
}
