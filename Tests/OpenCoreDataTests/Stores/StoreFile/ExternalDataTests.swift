import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct ExternalDataTests {
    private let folder: TemporaryFolder
    private let external: ExternalData

    init() throws {
        folder = try TemporaryFolder()
        external = ExternalData(storeURL: folder.file("Notes.v1.sqlite"))
    }

    @Test func aSmallValueStaysInTheColumn() throws {
        #expect(try external.encode(Data([7, 8])) == Data([1, 7, 8]))
        #expect(try external.encode(Data()) == Data([1]))
        #expect(try external.decode(Data([1, 7, 8])) == Data([7, 8]))
        #expect(!FileManager.default.fileExists(atPath: external.folder.path))
    }

    @Test func aLargeValueGoesToAFile() throws {
        #expect(ExternalData.threshold == 128 * 1_024)
        let value = Data((0..<ExternalData.threshold).map { UInt8(truncatingIfNeeded: $0) })
        let column = try external.encode(value)
        #expect(column.count == 38 && column.first == 2 && column.last == 0)
        let name = try #require(ExternalData.fileName(in: column))
        #expect(name == name.uppercased())
        let path = folder.url.path + "/.Notes.v1_SUPPORT/_EXTERNAL_DATA/" + name
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == value)
        #expect(try FileManager.default.contentsOfDirectory(atPath: external.folder.path) == [name])
        #expect(try external.decode(column) == value)
    }

    @Test func filesThatNoRowNamesAreFoundAndRemoved() throws {
        let value = Data(count: ExternalData.threshold)
        let names = try (0..<3).compactMap { _ in ExternalData.fileName(in: try external.encode(value)) }
        #expect(external.orphans(besides: [names[1]]) == [names[0], names[2]].sorted())
        external.remove([names[0], names[2], UUID().uuidString])
        #expect(external.orphans(besides: []) == [names[1]])
    }

    @Test func aPathInAColumnIsNotFollowed() throws {
        let path = "../../../../../../../../../etc/passwd"
        let column = Data([2]) + Data(path.prefix(36).utf8) + Data([0])
        #expect(ExternalData.fileName(in: column) == nil)
        let error = #expect(throws: CocoaError.self) { try external.decode(column) }
        #expect(error?.code == .fileReadCorruptFile)
        try Data().write(to: folder.file("keep"))
        external.remove(["../../keep"])
        #expect(FileManager.default.fileExists(atPath: folder.file("keep").path))
    }

    @Test func aMissingFileIsNamed() throws {
        let name = UUID().uuidString
        let error = #expect(throws: CocoaError.self) {
            try external.decode(Data([2]) + Data(name.utf8) + Data([0]))
        }
        #expect(error?.code == .fileReadNoSuchFile)
        #expect(error?.localizedDescription.contains(name) == true)
    }
}
