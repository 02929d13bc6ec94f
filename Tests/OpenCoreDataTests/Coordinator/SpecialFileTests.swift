import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Pipes and devices in the place of a store: an error that names them, and never a wait.
@Suite struct SpecialFileTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    /// The paths of what is no file, and what it is.
    private func specials(in folder: TemporaryFolder) throws -> [(url: URL, kind: String)] {
        let (pipe, link) = (folder.file("pipe"), folder.file("link"))
        try #require(mkfifo(pipe.path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
        return [
            (pipe, "a pipe"), (link, "a pipe"), (URL(fileURLWithPath: "/dev/zero"), "a device"),
            (folder.url, "a folder"),
        ]
    }

    private func expectRefusal(
        _ url: URL, _ kind: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) { try body() }
        #expect(
            error?.localizedDescription == "“\(url.lastPathComponent)” is \(kind), not a store.",
            sourceLocation: sourceLocation)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path, sourceLocation: sourceLocation)
    }

    @Test func areRefusedByAllThatOpensAStore() throws {
        let folder = try TemporaryFolder()
        for (url, kind) in try specials(in: folder) {
            expectRefusal(url, kind) { _ = try StoreChecker.findings(inStoreAt: url, model: LibraryModel.make()) }
            for type in Self.types {
                expectRefusal(url, kind) {
                    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
                }
                expectRefusal(url, kind) {
                    try NSPersistentStoreCoordinator.setMetadata([:], forPersistentStoreOfType: type, at: url)
                }
                expectRefusal(url, kind) {
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
                    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
                }
            }
            expectRefusal(url, kind) {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
            }
        }
    }

    @Test func areNeitherCopiedNorDestroyed() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        for (url, _) in try specials(in: folder) {
            #expect(throws: CocoaError.self) { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
            #expect(throws: CocoaError.self) {
                try coordinator.replacePersistentStore(
                    at: folder.file("new"), withPersistentStoreFrom: url, type: .sqlite)
            }
            #expect(FileManager.default.fileExists(atPath: url.path))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("new").path))
    }

    @Test func anXMLStoreDoesNotReplaceADevice() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let url = URL(fileURLWithPath: "/dev/null")
        for type in [NSXMLStoreType, NSBinaryStoreType] {
            expectRefusal(url, "a device") {
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            }
        }
        var facts = stat()
        #expect(stat("/dev/null", &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR)
    }
}
