import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Statements for a database that takes nothing of what is SQLite's own, made from outside of the engine's module.
@Suite struct OtherDialectTests {
    private let layout: ModelLayout
    private let builder: SQLQueryBuilder

    init() throws {
        let model = LibraryModel.make()
        layout = ModelLayout.layout(of: model)
        let schema = try SQLSchema(entities: model.entities)
        builder = SQLQueryBuilder(
            store: StoreMapping(schema: schema, model: layout), storeIdentifier: "store", dialect: OtherDialect())
    }

    private func query(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> StoreQuery {
        var query = StoreQuery(entity: try #require(layout[entity]))
        query.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        return query
    }

    private func rows(_ query: StoreQuery) throws -> String {
        try builder.rows(query) { "\($0).[Z_PK]" }.sql
    }

    @Test func truthValuesAreTheDialects() throws {
        #expect(try rows(query("Label", "FALSEPREDICATE")) == "SELECT t0.[Z_PK] FROM [ZLABEL] t0 WHERE FALSE")
        // Deep enough that conditions decide one after the other.
        var predicate = NSPredicate(format: "name == 'a'")
        for index in 0..<30 {
            predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
            predicate = NSCompoundPredicate(
                orPredicateWithSubpredicates: [predicate, NSPredicate(format: "name == %@", "\(index)")])
        }
        var deep = try query("Label")
        deep.predicate = predicate
        let sql = try rows(deep)
        #expect(sql.contains(" THEN TRUE") && sql.contains(" THEN FALSE"), "\(sql)")
        #expect(!sql.contains("THEN 1") && !sql.contains("THEN 0"))
    }

    @Test func placeholdersHaveTypes() throws {
        let id = UUID()
        #expect(
            try rows(query("Book", "identifier == %@", id))
                == "SELECT t0.[Z_PK] FROM [ZBOOK] t0 WHERE t0.[ZIDENTIFIER] = ?::uuid")
        #expect(
            try rows(query("Label", "name IN %@", ["a", "b"]))
                == "SELECT t0.[Z_PK] FROM [ZLABEL] t0 WHERE t0.[ZNAME] IN (?::text, ?::text)")
    }

    @Test func numbersAreCastAndCounted() throws {
        #expect(
            try rows(query("Book", "pages / 2 > price"))
                == "SELECT t0.[Z_PK] FROM [ZBOOK] t0 WHERE divided(t0.[ZPAGES], ?::bigint) > t0.[ZPRICE]")
        #expect(
            try rows(query("Book", "inPrint == pages"))
                == "SELECT t0.[Z_PK] FROM [ZBOOK] t0 WHERE CAST(t0.[ZINPRINT] AS int) IS NOT DISTINCT FROM t0.[ZPAGES]")
        #expect(
            try rows(query("Book", "price + cost > 1"))
                == "SELECT t0.[Z_PK] FROM [ZBOOK] t0 WHERE (CAST(t0.[ZPRICE] AS double precision) + t0.[ZCOST]) "
                + "> ?::bigint")
    }

    @Test func missingValuesComeFirst() throws {
        var sorted = try query("Author")
        sorted.sortDescriptors = [
            NSSortDescriptor(key: "born", ascending: true), NSSortDescriptor(key: "country", ascending: false),
        ]
        #expect(
            try rows(sorted).hasSuffix(
                "ORDER BY t0.[ZBORN] NULLS FIRST, t0.[ZCOUNTRY] DESC NULLS LAST, t0.[Z_PK]"))
    }

    @Test func groupsAndDistinctRowsAreTheDialects() throws {
        var grouped = try query("Book")
        grouped.columns = [
            .expression(NSExpression(format: "count:(pages)"), name: "count", type: .integer64AttributeType)
        ]
        grouped.having = NSPredicate(format: "count > 3")
        #expect(try builder.columns(grouped).0.sql.contains(" GROUP BY () HAVING "))
        var distinct = try query("Book")
        distinct.columns = [.keyPath("title")]
        distinct.isDistinct = true
        distinct.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        #expect(
            try builder.columns(distinct).0.sql
                == "wrapped(t0.[ZTITLE] | FROM [ZBOOK] t0 | t0.[ZPAGES] NULLS FIRST)")
    }

    @Test func toOnesAreJoinedByTheSystemColumns() throws {
        let sql = try rows(query("Book", "author.name == 'a' AND ANY tags.name == 'b'"))
        #expect(sql.contains("LEFT JOIN [ZAUTHOR] t1 ON t1.[Z_PK] = t0.[ZAUTHOR]"), "\(sql)")
        // Every name is the dialect's; what is not between its brackets is no name.
        let bare = sql.replacing(#/\[[A-Z_0-9]+\]/#, with: "")
        #expect(!bare.contains("Z"), "\(bare)")
    }
}

/// SQL of a stricter kind: names in brackets, types at placeholders, truth values that are no numbers.
private struct OtherDialect: SQLDialect {
    func quoted(_ name: String) -> String { "[\(name)]" }
    func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }
    var emptyGroup: SQLFragment { " GROUP BY ()" }

    func order(_ term: SQLFragment, ascending: Bool) -> SQLFragment {
        ascending ? "\(term) NULLS FIRST" : "\(term) DESC NULLS LAST"
    }

    func distinct(_ list: [SQLFragment], _ rows: SQLFragment, orders: [SQLFragment]) -> SQLFragment {
        "wrapped(\(list.joined(", ")) |\(rows) | \(orders.joined(", ")))"
    }

    private func name(of type: SQLValueType) -> String {
        switch type {
        case .integer: "bigint"
        case .boolean: "boolean"
        case .double, .date: "double precision"
        case .decimal: "numeric"
        case .text, .uri: "text"
        case .uuid: "uuid"
        case .data, .opaque: "bytea"
        }
    }

    func placeholder(_ value: SQLValue, type: SQLValueType) -> SQLFragment {
        "\(value: value)::\(name: name(of: type))"
    }

    func cast(_ value: SQLFragment, to type: SQLValueType) -> SQLFragment {
        "CAST(\(value) AS \(name: name(of: type)))"
    }

    func arithmetic(
        _ sign: SQLFragment, _ left: SQLFragment, _ right: SQLFragment, isInteger: Bool
    ) -> SQLFragment {
        if sign.sql == "/" { return "divided(\(left), \(right))" }
        return "(\(isInteger ? left : cast(left, to: .double)) \(sign) \(right))"
    }

    func number(ofBoolean value: SQLFragment) -> SQLFragment { "CAST(\(value) AS int)" }
    func composite(_ columns: SQLFragment, isOptional: Bool) -> SQLFragment { "ROW(\(columns))" }
    func withoutIndex(_ value: SQLFragment) -> SQLFragment { value }
    func window(limit: Int, offset: Int) -> SQLFragment { "" }
    func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS NOT DISTINCT FROM \(right)" }
    func textLength(_ text: SQLFragment) -> SQLFragment { "length(\(text))" }

    func textTest(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: SQLTerm,
        options: NSComparisonPredicate.Options
    ) -> SQLFragment { "tested(\(text), \(pattern.sql))" }

    func foldedText(_ text: SQLFragment, options: NSComparisonPredicate.Options) -> SQLFragment { "folded(\(text))" }
    func localizedOrder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "ordered(\(left), \(right))" }
    func function(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment { "called(\(arguments.joined(", ")))" }

    func decimalAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLFragment) -> SQLFragment { "sum(\(value))" }
    func median(_ value: SQLFragment, isNumber: Bool) -> SQLFragment { "median(\(value))" }
    func standardDeviation(_ value: SQLFragment) -> SQLFragment { "stddev_pop(\(value))" }
    func textForm(_ term: SQLTerm) -> SQLFragment { cast(term.sql, to: .text) }
    func uuid(ofText text: SQLTerm) -> SQLTerm { text }
    func collated(_ text: SQLFragment, selector: String) -> SQLFragment? { text }

    func list(_ values: [SQLValue], type: SQLValueType) -> SQLFragment {
        "(\(values.map { placeholder($0, type: type) }.joined(", ")))"
    }
}
