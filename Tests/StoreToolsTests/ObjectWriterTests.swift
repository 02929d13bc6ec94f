import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import StoreTools

/// What is written from rows is what values are written as.
@Suite struct ObjectWriterTests {
    @Test func rowsAreWrittenAsTheirValues() throws {
        let folder = try TemporaryFolder()
        let texts = ["plain", "qu\"ote\\", "line\nend\t", "é日本😀", "\u{1B}[31m", "\u{202E}x", "👩🏽‍💻", "\u{0}", "\u{7F}é"]
        let dates: [Double] = [0, -1, 0.25, 727_531_200.123_456_7, -63_114_076_800, 300_000_000_000, .nan]
        let url = try LibraryStore.make(in: folder) { context in
            let author = LibraryStore.insert("Author", ["name": "A"], into: context)
            for (number, string) in texts.enumerated() {
                let book = LibraryStore.insert(
                    number % 2 == 0 ? "Book" : "GraphicNovel",
                    ["title": string, "pages": number * 1_000_003 - 5, "price": Double(number) / 3, "author": author],
                    into: context)
                book.setValue(Date(timeIntervalSinceReferenceDate: dates[number % dates.count]), forKey: "published")
                if number % 3 == 0 { book.setValue(nil, forKey: "inPrint") }
            }
        }
        let session = try StoreSession(path: url.path, modelPath: nil, access: .reading)
        try session.perform { context in
            for name in ["Author", "Book", "GraphicNovel"] {
                let entity = try session.entity(named: name)
                let fields = [.objectID] + Field.all(of: entity)
                let writer = ObjectWriter(entity: entity, fields: fields, in: session)
                let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
                #expect(!objects.isEmpty)
                for object in objects {
                    var bytes: [UInt8] = []
                    writer.append(object, to: &bytes)
                    let slow = JSONValue.object(fields.map { JSONMember(key: $0.title, value: $0.value(of: object)) })
                    #expect(String(decoding: bytes, as: UTF8.self) == JSONText.string(of: slow))
                    #expect(object.storedRow != nil)
                }
            }
        }
    }

    @Test(
        arguments: [[0xC3, 0x28], [0xFF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80]] as [[UInt8]])
    func bytesThatAreNoTextBecomeText(_ bytes: [UInt8]) {
        var output: [UInt8] = []
        (Array("a".utf8) + bytes + Array("\"".utf8)).withUnsafeBufferPointer { JSONBytes.appendQuoted($0, to: &output) }
        var expected = ""
        JSONText.appendQuoted(
            String(decoding: Array("a".utf8) + bytes + Array("\"".utf8), as: UTF8.self), to: &expected)
        #expect(String(decoding: output, as: UTF8.self) == expected)
        #expect(String(validating: output, as: UTF8.self) != nil)
    }

    @Test func integersAreWritten() {
        for number in [0, 7, 10, 99, 4_294_967_295, 4_294_967_296, -1, .max, .min] as [Int64] {
            var output: [UInt8] = []
            JSONBytes.append(number, to: &output)
            #expect(String(decoding: output, as: UTF8.self) == String(number))
        }
    }
}
