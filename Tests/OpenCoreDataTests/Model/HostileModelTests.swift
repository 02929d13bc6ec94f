import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Damaged and malicious files: each gives a model or a typed error with a sentence, and never stops the process.
@Suite struct HostileModelTests {
    /// Runs what reads hostile data; anything but a typed error with a sentence fails the test.
    static func expectTypedError(_ context: String = "", _ body: () throws -> Void) {
        do {
            try body()
        } catch let error as CocoaError {
            let sentence = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
            #expect(sentence.hasSuffix("."), "\(context): \(error)")
        } catch {
            Issue.record("\(context): \(type(of: error)): \(error)")
        }
    }

    static func expectError(_ body: () throws -> Void, says part: String, _ location: SourceLocation = #_sourceLocation)
    {
        let error = #expect(throws: CocoaError.self, sourceLocation: location) { try body() }
        let sentence = error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        let namesIt = sentence.contains(part)
        #expect(namesIt, "\(sentence)", sourceLocation: location)
    }

    @Test func truncatedArchivesAreErrors() throws {
        let archive = try makeFullModel().encodedCompiledModel()
        let cache = try makeFullModel().encodedModelCache()
        for length in stride(from: 0, to: archive.count, by: 61) {
            #expect(throws: CocoaError.self) { try NSManagedObjectModel.decode(compiledModel: archive.prefix(length)) }
        }
        for length in stride(from: 0, to: cache.count - 1, by: 41) {
            #expect(throws: CocoaError.self) { try NSManagedObjectModel.decode(modelCache: cache.prefix(length)) }
        }
    }

    @Test func flippedBytesOfAnArchiveAreErrorsOrAModel() throws {
        let archive = try makeCompanyModel().encodedCompiledModel()
        var generator = SeededGenerator(seed: 20_260_101)
        for round in 0..<2000 {
            var damaged = archive
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            Self.expectTypedError("seed 20260101, round \(round)") {
                let model = try NSManagedObjectModel.decode(compiledModel: damaged)
                _ = model.problems()
                _ = model.entityVersionHashesByName
                _ = model.entitiesInStoreOrder
            }
        }
    }

    @Test func flippedBytesOfACacheAreErrorsOrAModel() throws {
        let cache = try makeCompanyModel().encodedModelCache()
        var generator = SeededGenerator(seed: 42)
        for round in 0..<1000 {
            var damaged = cache
            let index = Int.random(in: 0..<damaged.count, using: &generator)
            damaged[index] = UInt8.random(in: 0...255, using: &generator)
            Self.expectTypedError("seed 42, round \(round)") {
                _ = try NSManagedObjectModel.decode(modelCache: damaged)
            }
        }
    }

    @Test func flippedBytesOfSourceAreErrorsOrAModel() throws {
        let source = try ModelSourceDocument(model: makeFullModel()).data
        var generator = SeededGenerator(seed: 7)
        for round in 0..<(DamagedBytes.count ?? 300) {
            var damaged = source
            let index = Int.random(in: 0..<damaged.count, using: &generator)
            damaged[index] = round.isMultiple(of: 2) ? UInt8.random(in: 0...255, using: &generator) : UInt8(ascii: "\"")
            Self.expectTypedError("seed 7, round \(round)") {
                let model = try ModelSourceDocument(data: damaged).model()
                _ = model.problems()
                _ = try ModelSourceDocument(model: model).data
            }
        }
    }

    @Test func compressedDataThatGrowsWithoutEndIsRefused() throws {
        let zeros = Data(count: 1 << 20)
        let packed = Deflate.compress(zeros)
        #expect(packed.count < 1 << 14)
        #expect(try Inflate.decompress(packed) == zeros)
        Self.expectError({ _ = try Inflate.decompress(packed, limit: 1 << 19) }, says: "limit")
    }

    @Test func anArchiveOfAnotherClassIsRefused() throws {
        var archive = try makeCompanyModel().encodedCompiledModel()
        let name = Data("NSManagedObjectModel".utf8)
        while let range = archive.range(of: name) {
            archive.replaceSubrange(range, with: Data("NSManagedObjectEvil!".utf8))
        }
        Self.expectError({ _ = try NSManagedObjectModel.decode(compiledModel: archive) }, says: "NSManagedObjectEvil!")
    }

    @Test func sourceInUTF16IsAnErrorThatSaysSo() throws {
        for encoding: String.Encoding in [.utf16LittleEndian, .utf16BigEndian] {
            let string = try #require("\u{FEFF}<model></model>".data(using: encoding))
            Self.expectError({ _ = try ModelSourceDocument(data: string) }, says: "UTF-16")
        }
    }

    private func read(_ body: String) throws {
        _ = try ModelSourceDocument(data: Data("<model>\(body)</model>".utf8)).model()
    }

    @Test func inconsistentSourceIsNamed() {
        let cyclic = "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>"
        Self.expectError({ try read(cyclic) }, says: "'A' inherits from itself")
        let orphan = "<entity name='A' parentEntity='Nobody'/>"
        Self.expectError({ try read(orphan) }, says: "'Nobody'")
        let lost = "<entity name='A'><relationship name='r' destinationEntity='Gone'/></entity>"
        Self.expectError({ try read(lost) }, says: "'A.r' leads to the entity 'Gone'")
        let inverse = "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='s'/></entity>"
        Self.expectError({ try read(inverse) }, says: "'s' of the relationship 'A.r'")
        Self.expectError({ try read("<entity name='A'/><entity name='A'/>") }, says: "two entities named 'A'")
        let twice = "<entity name='A'><attribute name='x' attributeType='String'/><attribute name='x'/></entity>"
        Self.expectError({ try read(twice) }, says: "two properties named 'x'")
        let type = "<entity name='A'>\n<attribute name='x' attributeType='Blob'/></entity>"
        Self.expectError({ try read(type) }, says: "in line 2 of 'A' has the unknown type 'Blob'")
        Self.expectError({ try read("<entity/>") }, says: "has no name")
        let member = "<configuration name='c'><memberEntity name='Gone'/></configuration>"
        Self.expectError({ try read(member) }, says: "'Gone'")
        let composite =
            "<composite name='C'><attribute name='x' attributeType='Composite' composite='C'/></composite>"
            + "<entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity>"
        Self.expectError({ try read(composite) }, says: "contains itself")
        let predicate = "<fetchRequest name='f' entity='A' predicateString='a =='/>"
        Self.expectError({ try read(predicate) }, says: "not valid")
        let deep = String(repeating: "(", count: 100_000)
        Self.expectError({ try read("<fetchRequest name='f' predicateString='\(deep)'/>") }, says: "not valid")
    }

    @Test func compositeTypesThatMultiplyAreRefused() {
        var body = "<entity name='A'><attribute name='x' attributeType='Composite' composite='C0'/></entity>"
        for level in 0..<12 {
            let element = "attributeType='Composite' composite='C\(level + 1)'"
            let members = (0..<10).map { "<attribute name='m\($0)' \(element)/>" }.joined()
            body += "<composite name='C\(level)'>\(members)</composite>"
        }
        body += "<composite name='C12'><attribute name='x' attributeType='String'/></composite>"
        Self.expectError({ try read(body) }, says: "too large")
    }

    @Test func hostileXMLIsRefused() {
        let laughs = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
            <model><entity name="&b;"/></model>
            """
        let cases: [(String, String)] = [
            (laughs, "not accepted"), ("", "no XML element"), ("not XML at all", "no XML element"),
            (String(repeating: "<a>", count: 100_000), "nested too deeply"), ("<plist/>", "not a <model>"),
            ("<model", "does not end"), ("<model a='1' a='2'/>", "occurs twice"),
            ("<model>&unknown;</model>", "not known"),
            ("<model></entity>", "ends nothing"), ("<model/><model/>", "behind the last element"),
            ("<model a=1/>", "not in quotes"), ("<!-- ", "missing"), ("<model>&#xD800;</model>", "not known"),
        ]
        for (string, part) in cases {
            Self.expectError({ _ = try ModelSourceDocument(data: Data(string.utf8)) }, says: part)
        }
    }

    @Test func filesThatAreNoModelsAreNamedWithTheirPath() throws {
        let folder = try TemporaryFolder()
        let garbage = folder.file("Garbage.mom")
        try Data("garbage".utf8).write(to: garbage)
        let broken = folder.file("Broken.momd")
        try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
        try Data("bplist00".utf8).write(to: broken.appendingPathComponent("VersionInfo.plist"))
        let empty = folder.file("Empty.xcdatamodel")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        for url in [garbage, broken, empty, folder.file("Missing.momd")] {
            #expect(NSManagedObjectModel(contentsOf: url) == nil)
            let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(contentsOfModelFile: url) }
            let path = error?.userInfo[NSFilePathErrorKey] as? String ?? ""
            #expect(path.contains(url.lastPathComponent))
            #expect((error?.userInfo[NSLocalizedDescriptionKey] as? String)?.hasSuffix(".") == true)
        }
    }
}
