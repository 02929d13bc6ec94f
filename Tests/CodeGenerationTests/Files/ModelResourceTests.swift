import Foundation
import ModelCodeGeneration
import TestSupport
import Testing

/// What a program finds that asks its bundle for a compiled model.
@Suite struct ModelResourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeVersion(_ name: String, _ content: String) throws {
        let version = folder.file("M.xcdatamodeld/\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Samples.model(content).write(to: version.appendingPathComponent("contents"))
    }

    private func makeCurrent(_ name: String) throws {
        let plist = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"], format: .xml, options: 0)
        try plist.write(to: folder.file("M.xcdatamodeld/.xccurrentversion"))
    }

    private func write() throws {
        try ModelResource(path: folder.file("M.xcdatamodeld").path).write(to: folder.file("out/M.momd"))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("out/M.momd").path).sorted()
    }

    private func current() throws -> String? {
        let data = try Data(contentsOf: folder.file("out/M.momd/VersionInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        return list?["NSManagedObjectModel_CurrentVersionName"] as? String
    }

    @Test func allVersionsAreInIt() throws {
        try makeVersion("A", "<entity name=\"Old\"/>")
        try makeVersion("A & 2", "<entity name=\"New\"/>")
        try makeCurrent("A & 2")
        try write()
        #expect(try names() == ["A & 2.mom", "A.mom", "VersionInfo.plist"])
        #expect(try current() == "A & 2")
        let content = try String(contentsOf: folder.file("out/M.momd/A.mom"), encoding: .utf8)
        #expect(content == String(decoding: Samples.model("<entity name=\"Old\"/>"), as: UTF8.self))
    }

    @Test func itFollowsTheModel() throws {
        try makeVersion("A", "")
        try write()
        let date = try folder.file("out/M.momd/A.mom").resourceValues(forKeys: [.contentModificationDateKey])
        try write()
        let same = try folder.file("out/M.momd/A.mom").resourceValues(forKeys: [.contentModificationDateKey])
        #expect(date.contentModificationDate == same.contentModificationDate)
        try FileManager.default.moveItem(
            at: folder.file("M.xcdatamodeld/A.xcdatamodel"), to: folder.file("M.xcdatamodeld/B.xcdatamodel"))
        try write()
        #expect(try names() == ["B.mom", "VersionInfo.plist"])
        #expect(try current() == "B")
    }

    @Test func aModelWithoutVersionsIsAFile() throws {
        let model = folder.file("N.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Samples.model("").write(to: model.appendingPathComponent("contents"))
        try ModelResource(path: model.path).write(to: folder.file("out/N.mom"))
        #expect(try Data(contentsOf: folder.file("out/N.mom")) == Samples.model(""))
    }

    @Test func whatIsMissingIsSaid() throws {
        #expect(throws: Diagnostic.self) { try write() }
        try makeVersion("A", "")
        try makeVersion("B", "")
        #expect(throws: Diagnostic.self) { try write() }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out").path))
    }
}
