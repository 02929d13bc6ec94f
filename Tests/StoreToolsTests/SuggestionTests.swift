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

    @Test func commaSeparatedValuesAreRead() throws {
        var chunks: [[UInt8]] = ["a,b\r\n\"x,\"\"y\"", "\"\",\n,\"\"\nlast,é"].map { Array($0.utf8) }.reversed()
        var reader = CSVReader(chunk: { chunks.popLast() })
        var records: [[String?]] = []
        while let record = try reader.record() { records.append(record) }
        #expect(records == [["a", "b"], ["x,\"y\"", nil], [nil, ""], ["last", "é"]])
    }
}
