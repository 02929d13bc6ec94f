import Foundation
import Testing

@testable import StoreTools

@Suite struct TextTests {
    @Test func tablesAlignColumns() {
        var table = TextTable(columns: [.init("NAME"), .init("ROWS", .right)])
        table.append(["Book", "12"])
        table.append(["作家", "3"])
        table.append(["e\u{301}", "1000"])
        #expect(
            table.lines == [
                "NAME  ROWS",
                "────  ────",
                "Book    12",
                "作家     3",
                "e\u{301}     1000",
            ])
    }

    @Test func tablesNeverSendControlCharactersToTheTerminal() {
        var table = TextTable(columns: [.init("A")])
        table.append(["x\u{1B}[31m\ny\u{9B}"])
        #expect(table.lines.last == "x␛[31m⏎y�")
    }

    @Test func tablesCutLongCells() {
        var table = TextTable(columns: [.init("A")])
        table.append([String(repeating: "長", count: 100)])
        #expect(table.lines.last == String(repeating: "長", count: 29) + "…")
    }

    @Test(arguments: [("a", 1), ("é", 1), ("日本", 4), ("😀", 2), ("👨‍👩‍👧", 2), ("❤️", 2), ("\u{200B}", 0), ("ｱ", 1)])
    func measuresColumns(_ string: String, _ width: Int) {
        #expect(DisplayWidth.columns(of: string) == width)
    }

    @Test func csvQuotesWhatNeedsIt() {
        #expect(
            CSVText.record(["a", nil, "", "x,y", "say \"hi\"", "two\r\nlines", " b"])
                == "a,,\"\",\"x,y\",\"say \"\"hi\"\"\",\"two\r\nlines\",\" b\"")
    }

    @Test func jsonHasNoNonFiniteNumbers() {
        #expect(
            JSONText.string(of: [.number(.nan), .number(.infinity), .number(-.infinity)])
                == "[\"NaN\", \"Infinity\", \"-Infinity\"]")
    }
}
