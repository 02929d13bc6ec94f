import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Derived attributes as triggers keep them, for the forms of expressions that are documented.
@Suite struct DerivationTests {
    /// Author with books, and an attribute of the author that is derived by an expression.
    private func library(
        _ type: NSAttributeType, _ expression: NSExpression, manyToMany: Bool = false
    ) throws -> SQLiteConnection {
        let author = Build.entity(
            "Author",
            [Build.attribute("name", .stringAttributeType), Build.derived("derived", type, expression)])
        let book = Build.entity("Book", [Build.attribute("pages", .integer32AttributeType)])
        let books = Build.toMany("books", book)
        let owner = manyToMany ? Build.toMany("author", author) : Build.toOne("author", author)
        Build.inverse(books, owner)
        author.properties += [books]
        book.properties += [owner]
        let schema = try SQLSchema(entities: Build.model(author, book).entities)
        let connection = try SQLiteConnection()
        for statement in schema.createStatements { try connection.execute(script: statement) }
        try connection.run("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Émile'), (2, 1, 1, 'b')")
        return connection
    }

    private func derived(_ connection: SQLiteConnection) throws -> [SQLValue] {
        try connection.rows("SELECT ZDERIVED FROM ZAUTHOR ORDER BY Z_PK").map { $0[0] }
    }

    @Test func aCountFollowsInsertsMovesAndDeletes() throws {
        let connection = try library(.integer64AttributeType, NSExpression(forKeyPath: "books.@count"))
        #expect(try derived(connection) == [0, 0])
        try connection.run("INSERT INTO ZBOOK (Z_PK, ZAUTHOR) VALUES (1, 1), (2, 1), (3, NULL)")
        #expect(try derived(connection) == [2, 0])
        try connection.run("UPDATE ZBOOK SET ZAUTHOR = 2 WHERE Z_PK = 1")
        #expect(try derived(connection) == [1, 1])
        try connection.run("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 2")
        try connection.run("DELETE FROM ZBOOK WHERE Z_PK = 1")
        #expect(try derived(connection) == [0, 0])
    }

    @Test func aCountOverAJoinTableFollowsItsRows() throws {
        let connection = try library(
            .integer64AttributeType, NSExpression(forKeyPath: "books.@count"), manyToMany: true)
        try connection.run("INSERT INTO Z_1BOOKS (Z_1AUTHOR, Z_2BOOKS) VALUES (1, 7), (1, 8), (2, 7)")
        #expect(try derived(connection) == [2, 1])
        try connection.run("DELETE FROM Z_1BOOKS WHERE Z_2BOOKS = 7")
        #expect(try derived(connection) == [1, 0])
    }

    @Test(arguments: ["books.pages.@sum", "books.@sum.pages"])
    func aSumFollowsValuesAndMembers(keyPath: String) throws {
        let connection = try library(.integer64AttributeType, NSExpression(forKeyPath: keyPath))
        try connection.run("INSERT INTO ZBOOK (Z_PK, ZAUTHOR, ZPAGES) VALUES (1, 1, 10), (2, 1, 5), (3, 2, 1)")
        #expect(try derived(connection) == [15, 1])
        try connection.run("UPDATE ZBOOK SET ZPAGES = 20 WHERE Z_PK = 1")
        #expect(try derived(connection) == [25, 1])
        try connection.run("UPDATE ZBOOK SET ZAUTHOR = 2 WHERE Z_PK = 1")
        #expect(try derived(connection) == [5, 21])
        try connection.run("DELETE FROM ZBOOK WHERE Z_PK = 2")
        #expect(try derived(connection) == [0, 21])
    }

    @Test func aSumOverAJoinTableFollowsValuesToo() throws {
        let connection = try library(
            .integer64AttributeType, NSExpression(forKeyPath: "books.pages.@sum"), manyToMany: true)
        try connection.run("INSERT INTO ZBOOK (Z_PK, ZPAGES) VALUES (7, 10), (8, 5)")
        try connection.run("INSERT INTO Z_1BOOKS (Z_1AUTHOR, Z_2BOOKS) VALUES (1, 7), (1, 8), (2, 7)")
        #expect(try derived(connection) == [15, 10])
        try connection.run("UPDATE ZBOOK SET ZPAGES = 100 WHERE Z_PK = 7")
        #expect(try derived(connection) == [105, 100])
    }

    @Test func aSumOverAJoinTableFollowsPairsWhoseRowsGoFirst() throws {
        let connection = try library(
            .integer64AttributeType, NSExpression(forKeyPath: "books.pages.@sum"), manyToMany: true)
        try connection.run("INSERT INTO ZBOOK (Z_PK, ZPAGES) VALUES (7, 10), (8, 5), (9, NULL)")
        try connection.run("INSERT INTO Z_1BOOKS (Z_1AUTHOR, Z_2BOOKS) VALUES (1, 7), (1, 8), (1, 9), (2, 7)")
        try connection.run("DELETE FROM ZBOOK WHERE Z_PK = 7")
        try connection.run("DELETE FROM Z_1BOOKS WHERE Z_2BOOKS = 7")
        #expect(try derived(connection) == [5, 0])
        try connection.run("DELETE FROM Z_1BOOKS WHERE Z_2BOOKS = 8")
        #expect(try derived(connection) == [0, 0])
    }

    /// Random changes; the queries that the triggers stand for are asked beside them.
    @Test(arguments: [
        "sum": "IFNULL(SUM(ZPAGES), 0)", "min": "MIN(ZPAGES)", "max": "MAX(ZPAGES)", "avg": "AVG(ZPAGES)",
    ])
    func anAggregateIsThatOfAllMembers(function: String, sql: String) throws {
        let connection = try library(.doubleAttributeType, NSExpression(forKeyPath: "books.pages.@\(function)"))
        var random = SeededGenerator(seed: 7)
        for step in 0..<400 {
            let (key, owner) = (
                Int.random(in: 1...12, using: &random), ["NULL", "1", "2"].randomElement(using: &random)
            )
            let pages = Bool.random(using: &random) ? "NULL" : "\(Int.random(in: -3...3, using: &random))"
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try connection.run("DELETE FROM ZBOOK WHERE Z_PK = \(key)")
            case 1: try connection.run("UPDATE ZBOOK SET ZPAGES = \(pages) WHERE Z_PK = \(key)")
            case 2: try connection.run("UPDATE ZBOOK SET ZAUTHOR = \(owner ?? "1") WHERE Z_PK = \(key)")
            case 3:
                try connection.run(
                    "UPDATE ZBOOK SET ZPAGES = \(pages), ZAUTHOR = \(owner ?? "1") WHERE Z_PK = \(key)")
            default:
                try connection.run(
                    "INSERT OR IGNORE INTO ZBOOK (Z_PK, ZAUTHOR, ZPAGES) VALUES (\(key), \(owner ?? "1"), \(pages))")
            }
            let wrong = try connection.rows(
                "SELECT Z_PK FROM ZAUTHOR a WHERE ZDERIVED IS NOT "
                    + "(SELECT \(sql) FROM ZBOOK WHERE ZAUTHOR = a.Z_PK)")
            #expect(wrong.isEmpty, "step \(step)")
            if !wrong.isEmpty { return }
        }
    }

    @Test(arguments: [("uppercase:(name)", "ÉMILE"), ("lowercase:(name)", "émile"), ("canonical:(name)", "emile")])
    func aFunctionOfAnOwnAttributeFollowsIt(format: String, expected: String) throws {
        let connection = try library(.stringAttributeType, NSExpression(format: format))
        #expect(try derived(connection).first == .text(expected))
        try connection.run("UPDATE ZAUTHOR SET ZNAME = NULL")
        #expect(try derived(connection) == [.null, .null])
    }

    @Test func aCopyOfAnOwnAttributeFollowsIt() throws {
        let connection = try library(.stringAttributeType, NSExpression(forKeyPath: "name"))
        try connection.run("UPDATE ZAUTHOR SET ZNAME = 'x' WHERE Z_PK = 2")
        #expect(try derived(connection) == ["Émile", "x"])
    }

    @Test func theTimeOfTheSaveIsWrittenWithEachSave() throws {
        let connection = try library(.dateAttributeType, NSExpression(format: "now()"))
        try connection.run("UPDATE ZAUTHOR SET ZDERIVED = 0")
        #expect(try connection.firstValue("SELECT count(*) FROM ZAUTHOR WHERE ZDERIVED > 0") == 0)
        try connection.run("UPDATE ZAUTHOR SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 2")
        #expect(try connection.rows("SELECT Z_PK FROM ZAUTHOR WHERE ZDERIVED > 0") == [[2]])
        #expect(connection.affectedValues.take().map(\.primaryKey) == [1, 2, 2])
    }
}
