import Foundation
import OpenCoreData
import Testing

@Suite struct SQLTextFunctionTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection()
    }

    private func value(_ sql: String, _ values: SQLValue...) throws -> SQLValue? {
        try connection.firstValue(sql, values)
    }

    @Test(arguments: [
        ("ocd_equal", "Émile", "emile", true), ("ocd_equal", "Émile", "emil", false),
        ("ocd_contains", "Straße 7", "RASSE", true), ("ocd_contains", "Ångström", "ANG", true),
        ("ocd_begins", "Ölung", "oL", true), ("ocd_ends", "Ölung", "NG", true), ("ocd_like", "Ölung", "o?u*", true),
        ("ocd_matches", "Ölung", "O[a-z]+", true),
    ])
    func matchingIgnoresCaseAndAccentsWhenAskedTo(function: String, string: String, pattern: String, isMatch: Bool)
        throws
    {
        let options = NSComparisonPredicate.Options([.caseInsensitive, .diacriticInsensitive]).rawValue
        #expect(
            try value("SELECT \(function)(?, ?, ?)", .text(string), .text(pattern), .integer(Int64(options)))
                == .integer(isMatch ? 1 : 0))
    }

    @Test func nothingMatchesNull() throws {
        for function in ["ocd_equal", "ocd_contains", "ocd_begins", "ocd_ends", "ocd_like", "ocd_matches"] {
            #expect(try value("SELECT \(function)(NULL, 'a', 0)") == .integer(0))
            #expect(try value("SELECT \(function)('a', NULL, 0)") == .integer(0))
        }
        #expect(try value("SELECT ocd_order(NULL, 'a', 0)") == .null)
    }

    @Test func aPatternOfAColumnIsReadForEachRow() throws {
        try connection.execute(script: "CREATE TABLE t (a, b); INSERT INTO t VALUES ('xy', 'x'), ('xy', 'z')")
        #expect(
            try connection.rows("SELECT ocd_contains(a, b, 0) FROM t ORDER BY rowid") == [[.integer(1)], [.integer(0)]])
    }

    @Test func aPreparedPatternDoesNotOutliveItsBinding() throws {
        let sql = "SELECT ocd_contains('hay needle', ?, 0)"
        #expect(try value(sql, "needle") == .integer(1))
        #expect(try value(sql, "nothing") == .integer(0))
    }

    @Test func aBrokenExpressionIsAnErrorThatQuotesIt() throws {
        let error = #expect(throws: SQLiteError.self) { try value("SELECT ocd_matches('a', '(', 0)") }
        #expect(error?.message.contains("(") == true)
    }

    @Test func caseFunctionsKnowAllLetters() throws {
        #expect(try value("SELECT upper('straße'), lower('ÄÖ')") == .text("STRASSE"))
        #expect(try value("SELECT lower('ÄÖ')") == .text("äö"))
        #expect(try value("SELECT ocd_canonical('Ärger')") == .text("arger"))
        #expect(try value("SELECT upper(NULL)") == .null)
    }

    @Test func collationsSortAsInMemory() throws {
        let words = ["zebra", "Äpfel", "apfel", "item 10", "item 9", "Zoo", "étude", "Etat", ""]
        try connection.execute(script: "CREATE TABLE w (a)")
        for word in words { try connection.run("INSERT INTO w VALUES (?)", [.text(word)]) }
        for ordering in StringOrdering.allCases {
            let collation = ordering.collationName.map { " COLLATE \($0)" } ?? ""
            let sorted = try connection.rows("SELECT a FROM w ORDER BY a\(collation), a").map { $0[0] }
            let expected = words.sorted {
                let order = ordering.compare($0, $1)
                return order == .orderedSame
                    ? StringOrdering.compare.compare($0, $1) == .orderedAscending : order == .orderedAscending
            }
            #expect(sorted == expected.map { .text($0) }, "\(ordering)")
        }
    }

    @Test func decimalsAreSummedExactly() throws {
        try connection.execute(script: "CREATE TABLE d (a DECIMAL)")
        #expect(try value("SELECT ocd_decimal_sum(a) FROM d") == .null)
        try connection.execute(script: "INSERT INTO d VALUES (0.1), (0.2), (NULL), (3)")
        #expect(try value("SELECT ocd_decimal_sum(a) FROM d") == .text("3.3"))
        #expect(try value("SELECT ocd_decimal_average(a) FROM d") == .text("1.1"))
    }
}
