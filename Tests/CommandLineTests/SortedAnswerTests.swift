import Foundation
import OpenCoreData
import TestSupport
import Testing

/// In which order `query` prints its rows, and what `sql` and `list` show of values that are hard to write.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct SortedAnswerTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        let days = [-1_000_000.0, 0, 3_652_060, 4_000_000_000_000]
        store = try ItemStore.make(
            in: folder,
            ["9", "10", "100.5", "-2"].enumerated().map { index, price in
                (
                    "Item",
                    [
                        "name": "i\(index)", "price": NSDecimalNumber(string: price),
                        "weight": Float(0.1) * Float(index),
                        "since": Date(timeIntervalSinceReferenceDate: days[index] * 86_400),
                        "drink": [index == 0 ? "gimlet" : "silverFizz": index == 0 ? "gimlet" : "silverFizz"],
                        "ice": ["ice": "cubed"], "place": ["street": "High"], "picture": Data([7, 8, UInt8(index)]),
                    ]
                )
            })
    }

    private func run(_ arguments: String..., status: Int32 = 0) throws -> String {
        let result = try CommandRunner.run(arguments)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        return status == 0 ? result.output : result.errors
    }

    private func column(_ arguments: String...) throws -> [String] {
        let result = try CommandRunner.run(["query", store, "Item", "--format", "csv"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test func decimalsAndDatesAreSortedAsSuch() throws {
        let prices = ["-2,1", "9,1", "10,1", "100.5,1"]
        #expect(try column("--group-by", "price") == prices)
        #expect(try column("--group-by", "price", "--sort", "price:desc") == prices.reversed())
        #expect(
            try column("--group-by", "name", "--compute", "sum:price", "--sort", "sum:price")
                == ["i3,-2", "i0,9", "i1,10", "i2,100.5"])
        #expect(
            try column("--group-by", "name", "--compute", "max:since", "--sort", "max:since")
                .map { String($0.prefix(2)) } == ["i0", "i1", "i2", "i3"])
        #expect(
            try column("--group-by", "since", "--compute", "max:name").map { String($0.suffix(2)) }
                == ["i0", "i1", "i2", "i3"])
    }

    @Test func groupsOfAnEnumerationAreItsCases() throws {
        #expect(try column("--group-by", "drink") == ["gimlet,1", "silverFizz,3"])
        #expect(try column("--group-by", "ice") == ["cubed,4"])
    }

    @Test func aConstantIsConvertedToAFloat() throws {
        #expect(try run("count", store, "Item", "--where", "weight == 0.1") == "1\n")
        #expect(try run("count", store, "Item", "--where", "weight IN {0.1, '0.2'}") == "2\n")
        #expect(try run("count", store, "Item", "--where", "weight < 1e300 AND weight >= 0.1") == "3\n")
    }

    @Test func sqlShowsEnumerationsAndValuesWithoutTheirMark() throws {
        let statement = "SELECT hex(picture), ice, \"place.street\" FROM Item ORDER BY name"
        let rows = try run("sql", store, statement, "--format", "csv")
        #expect(rows.split(whereSeparator: \.isNewline).dropFirst().first == "070800,cubed,High", "\(rows)")
        let hint = try run("sql", store, "SELECT place FROM Item", status: 1)
        #expect(hint.contains("Did you mean \"place.number\" or \"place.street\" or \"place.when\"?"), "\(hint)")
    }

    @Test func namesAreCheckedEvenIfNothingIsFound() throws {
        let unknown = try run("set", store, "Item", "--where", "FALSEPREDICATE", "cuont=3", status: 1)
        #expect(unknown.contains("has no property named cuont"), "\(unknown)")
        #expect(try run("set", store, "Item", "--where", "FALSEPREDICATE", "price=x", status: 1).contains("price"))
        let known = try run("set", store, "Item", "--where", "FALSEPREDICATE", "age=3", "place.street=x")
        #expect(known.contains("No objects of Item match."))
    }

    @Test func namesOfObjectsMayHaveSpacesBetweenThem() throws {
        _ = try run("set", store, "Item/p1", "parts=Item/p2, Item/p3")
        #expect(try run("count", store, "Item", "--where", "parent == 'Item/p1'") == "2\n")
        let csv = try run("list", store, "Item", "--where", "parts.@count == 2", "--fields", "parts", "--format", "csv")
        #expect(csv.split(whereSeparator: \.isNewline).last?.split(separator: " ").count == 2, "\(csv)")
    }
}
