import OpenCoreData
import Testing

@testable import StoreTools

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("Bok", "Book"), ("book", "Book"), ("Boko", "Book"), ("Autor", "Author"), ("xyz", nil), ("B", nil),
    ])
    func namesAreFoundThatAreWrittenAlike(_ name: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: name, among: ["Author", "Book", "Tag"]) == expected)
    }

    @Test func changesAreCounted() {
        for (one, other, count) in [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3)] {
            #expect(Suggestion.distance(Array(one), Array(other)) == count)
        }
    }

    @Test func tablesFitTheTerminal() {
        var table = TextTable(columns: [.init("NAME"), .init("N", .right), .init("TEXT")])
        table.append(["a long name that is cut", "123456789", "日本語日本語日本語日本語日本語"])
        table.append(["x", "1", "y"])
        #expect(table.lines(fitting: 200) == table.lines)
        for limit in [40, 50, 60] {
            let lines = table.lines(fitting: limit)
            #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= limit }, "\(lines)")
            #expect(lines[2].contains("123456789"))
        }
    }

    @Test func columnsThatFindNoRoomAreLeftOutByTheirRank() {
        var table = TextTable(columns: [
            .init("objectID", rank: 6), .init("cover"), .init("isbn", rank: 2), .init("pages", .right, rank: 4),
            .init("title", rank: 5), .init("tags", rank: 1),
        ])
        table.append(["Book/p1", "iVBORw0KGgoAAAA", "5EED0000-0000-4000-8000", "123456789", "Momo", "2 objects"])
        var wide = table
        #expect(wide.leaveOutColumns(fitting: 200).isEmpty)
        #expect(table.leaveOutColumns(fitting: 36) == ["cover", "isbn", "tags"])
        #expect(table.lines(fitting: 36).first == "objectID      pages  title")
        #expect(table.leaveOutColumns(fitting: 1) == ["pages", "title"])
    }

    @Test func linesHangBelowTheirText() {
        #expect(HangingText.lines("Features  ", "one, two", fitting: nil) == ["Features  one, two"])
        #expect(
            HangingText.lines("Features  ", "write-ahead log, history, 日本語日本語", fitting: 30) == [
                "Features  write-ahead log,", "          history,", "          日本語日本語",
            ])
        #expect(HangingText.lines("  ", String(repeating: "x", count: 40), fitting: 22).map(\.count) == [22, 22])
        #expect(HangingText.lines("a long title  ", "a b c d e f g h i j", fitting: 20).count == 1)
    }

    @Test func commaSeparatedValuesAreRead() throws {
        var chunks: [[UInt8]] = ["a,b\r\n\"x,\"\"y\"", "\"\",\n,\"\"\nlast,é"].map { Array($0.utf8) }.reversed()
        var reader = CSVReader(chunk: { chunks.popLast() })
        var records: [[String?]] = []
        while let record = try reader.record() { records.append(record) }
        #expect(records == [["a", "b"], ["x,\"y\"", nil], [nil, ""], ["last", "é"]])
    }

    @Test func aValueOfTheWrongTypeIsShown() {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = ("pages", .integer32AttributeType)
        func said(_ value: JSONValue) -> String {
            do {
                _ = try AttributeCoding.value(value, of: attribute)
                return "nothing was thrown"
            } catch {
                return Sentence.string(of: error)
            }
        }
        #expect(said("many") == "\"many\" is not a value for the attribute pages, which is a 32-bit integer.")
        #expect(said(.string(String(repeating: "x", count: 99))).hasPrefix("A string is not a value"))
        #expect(said(.bool(true)).hasPrefix("A boolean is not a value"))
        #expect(said(99_999_999_999).hasPrefix("99999999999 is not a value"))
    }
}
