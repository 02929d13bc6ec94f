import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct FixturesTests {
    @Test(.enabled(if: Fixtures.available)) func aStoreIsCopiedWithItsLog() throws {
        let folder = try TemporaryFolder()
        let copy = try Fixtures.copy("duckduckgo-bookmarks/Bookmarks_V1.sqlite", into: folder)
        #expect(FileManager.default.fileExists(atPath: copy.path))
        #expect(FileManager.default.fileExists(atPath: copy.path + "-wal"))
        #expect(Fixtures.stores.count > 20)
    }
}
