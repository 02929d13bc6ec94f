import OpenCoreData
import Testing

/// The page of predicates says what becomes of each.
@Suite struct PredicatesPageTests {
    private struct Author { var name: String }
    private struct Tag { var name: String }
    private struct Book {
        var title: String
        var subtitle: String?
        var pages: Int
        var author: Author?
        var tags: [Tag]
        var codes: [Int]
    }

    @Test func theFormatsAreThoseOfThePage() throws {
        let page = try #require(try Documents.all().first { $0.name.hasSuffix("Guides/Predicates.md") })
        let (name, same) = ("x", ComparisonResult.orderedSame)
        let names = ["x"]
        let rows: [(code: String, format: String, predicate: Predicate<Book>, result: String)] = [
            (
                "title.contains(\"sea\")", "title CONTAINS \"sea\"", #Predicate { $0.title.contains("sea") },
                "title CONTAINS \"sea\""
            ),
            (
                "title.starts(with: \"The\")", "title BEGINSWITH \"The\"", #Predicate { $0.title.starts(with: "The") },
                "title BEGINSWITH \"The\""
            ),
            (
                "title.localizedStandardContains(\"sea\")", "title CONTAINS[cd] \"sea\"",
                #Predicate { $0.title.localizedStandardContains("sea") }, "title CONTAINS[cd] \"sea\""
            ),
            (
                "title.caseInsensitiveCompare(name) == same", "title ==[c] name",
                #Predicate { $0.title.caseInsensitiveCompare(name) == same }, "title ==[c] \"x\""
            ),
            (
                "title.localizedCompare(name) == same", "title ==[l] name",
                #Predicate { $0.title.localizedCompare(name) == same }, "title ==[l] \"x\""
            ),
            ("names.contains($0.title)", "title IN names", #Predicate { names.contains($0.title) }, "title IN {\"x\"}"),
            (
                "($0.subtitle ?? \"none\") == name", "TERNARY(subtitle != nil, subtitle, \"none\") == name",
                #Predicate { ($0.subtitle ?? "none") == name }, "TERNARY(subtitle != nil, subtitle, \"none\") == \"x\""
            ),
            (
                "($0.pages > 50 ? 1 : 2) == 1", "TERNARY(pages > 50, 1, 2) == 1",
                #Predicate { ($0.pages > 50 ? 1 : 2) == 1 }, "TERNARY(pages > 50, 1, 2) == 1"
            ),
            (
                "tags.contains { $0.name == \"red\" }",
                "SUBQUERY(tags, $element1, $element1.name == \"red\").@count > 0",
                #Predicate { $0.tags.contains { $0.name == "red" } },
                "SUBQUERY(tags, $element1, $element1.name == \"red\").@count > 0"
            ),
        ]
        for row in rows {
            #expect(page.text.contains("`\(row.code)`") || page.text.contains("`$0.\(row.code)`"), "\(row.code)")
            #expect(page.text.contains("`\(row.format)`"), "\(row.format)")
            #expect(try NSPredicate(translating: row.predicate).predicateFormat == row.result)
        }
    }
}
