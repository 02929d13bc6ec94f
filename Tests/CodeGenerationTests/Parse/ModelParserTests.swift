import Foundation
import ModelCodeGeneration
import Testing

@Suite struct ModelParserTests {
    private func failure(_ data: Data) -> String? {
        do throws(Diagnostic) {
            _ = try ModelParser.parse(data, file: "M.xml")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aModelIsRead() throws {
        let location = try ModelLocation(path: Samples.library.path)
        let document = try ModelParser.parse(try location.read(), file: "contents")
        #expect(
            document.entities.map(\.name) == ["Book", "Item", "Map", "Novel", "Author", "Chapter"])
        let book = try #require(document.entities.first)
        #expect(book.codeGeneration == .class)
        #expect(book.line == 3)
        let genre = try #require(book.attributes.first { $0.name == "genre" })
        #expect(genre.hasDefault && !genre.isOptional && genre.type == .string)
        #expect(book.relationships.map(\.isOrdered) == [false, true])
        #expect(document.entities[1].isAbstract)
        #expect(document.entities[3].parentName == "Book")
        #expect(document.entities[4].fetchedProperties.first?.destination == "Book")
        #expect(document.fetchRequests.map(\.name) == ["long books"])
    }

    @Test func whatIsNoModelIsRefused() {
        #expect(failure(Data()) == "M.xml: error: the model is empty")
        #expect(failure(Data("bplist00xxxx".utf8))?.contains("binary form of Xcode 3") == true)
        #expect(failure(Data([0xFF, 0xFE, 0x3C, 0x00])) == "M.xml: error: the model isn't valid UTF-8")
        #expect(failure(Data("<plist/>".utf8)) == "M.xml:1: error: <plist> isn't the root element of a model")
        #expect(failure(Data("hello".utf8))?.contains("damaged") == true)
    }

    @Test func damagedXMLIsRefusedWithItsLine() {
        let cut = Data("<model>\n<entity name=\"A\">\n<attribute name=".utf8)
        #expect(failure(cut) == "M.xml:3: error: the XML of the model is damaged in <entity>")
        #expect(failure(Samples.model("<entity name=\"A\"></model>"))?.contains("damaged") == true)
    }

    @Test func nothingIsExpandedOrNestedWithoutEnd() {
        let bomb = "<!DOCTYPE m [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><model>&b;</model>"
        #expect(failure(Data(bomb.utf8)) == "M.xml: error: '<!DOCTYPE' isn't allowed in a model")
        let outside = "<!DOCTYPE m SYSTEM \"file:///etc/passwd\"><model/>"
        #expect(failure(Data(outside.utf8)) == "M.xml: error: '<!DOCTYPE' isn't allowed in a model")
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(failure(Samples.model(deep))?.contains("is nested too deeply") == true)
    }

    @Test(arguments: [
        ("<entity/>", "M.xml:3: error: <entity> has no name"),
        (
            "<entity name=\"A\" isAbstract=\"maybe\"/>",
            "M.xml:3: error: <entity> 'A' has isAbstract=\"maybe\", which is neither YES nor NO"
        ),
        (
            "<entity name=\"A\" codeGenerationType=\"magic\"/>",
            "M.xml:3: error: <entity> 'A' has the unknown codeGenerationType 'magic'"
        ),
        (
            "<entity name=\"A\"><attribute name=\"b\" attributeType=\"Integer 7\"/></entity>",
            "M.xml:3: error: <attribute> 'b' has the unknown type 'Integer 7'"
        ),
        (
            "<entity name=\"A\"><attribute attributeType=\"String\"/></entity>",
            "M.xml:3: error: <attribute> has no name"
        ),
        (
            "<entity name=\"A\"><relationship name=\"b\" toMany=\"2\"/></entity>",
            "M.xml:3: error: <relationship> 'b' has toMany=\"2\", which is neither YES nor NO"
        ),
        ("<fetchRequest name=\"f\"/>", "M.xml:3: error: <fetchRequest> 'f' has no entity"),
    ])
    func aWrongElementIsNamed(_ content: String, _ message: String) {
        #expect(failure(Samples.model(content)) == message)
    }

    /// Pieces of a real model, each cut short or with a byte changed, are refused or read, and never a trap.
    @Test func noInputTraps() throws {
        let data = try ModelLocation(path: Samples.library.path).read()
        for step in stride(from: 0, to: data.count, by: 97) {
            _ = failure(data.prefix(step))
            var changed = data
            changed[step] = UInt8(truncatingIfNeeded: step)
            let result = ModelCodeGenerator.renderer(
                contents: changed, file: "M", name: "M", settings: GenerationSettings())
            _ = result.value.files()
        }
    }
}
