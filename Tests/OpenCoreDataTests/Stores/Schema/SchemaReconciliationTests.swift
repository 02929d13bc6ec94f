import Foundation
import OpenCoreData
import Testing

@Suite struct SchemaReconciliationTests {
    private func layout(_ tables: [String: [String]], _ numbers: [String: Int] = [:]) -> StoredLayout {
        StoredLayout(
            tables: tables.mapValues { ["Z_PK", "Z_ENT", "Z_OPT"] + $0 }, entityNumbers: numbers, path: "/x/S.sqlite")
    }

    private func libraryModel() -> NSManagedObjectModel {
        let author = Build.entity("Author", [Build.attribute("name", .stringAttributeType)])
        let book = Build.entity("Book")
        let books = Build.toMany("books", book, ordered: true)
        let authors = Build.toMany("authors", author)
        Build.inverse(books, authors)
        author.properties += [books]
        book.properties = [authors]
        return Build.model(author, book)
    }

    @Test func namesComeFromTheFile() throws {
        let model = libraryModel()
        let schema = try SQLSchema(
            entities: model.entities,
            reconciledWith: StoredLayout(
                tables: [
                    "ZAUTHOR": ["Z_OPT", "ZNAME", "Z_PK", "ZOLD", "Z_ENT"], "ZBOOK": ["Z_PK", "Z_ENT", "Z_OPT"],
                    "Z_7AUTHORS": ["Z_3AUTHORS1", "Z_FOK_7BOOKS4", "Z_7BOOKS4"], "OTHER": ["x"],
                ],
                entityNumbers: ["Author": 3, "Book": 7], path: "/x/S.sqlite"))
        #expect(schema.entities.map(\.number) == [3, 7])
        guard case .manyToMany(let books)? = schema.entity(named: "Author")?.relationship(named: "books")?.storage
        else {
            Issue.record("books is stored in another way")
            return
        }
        #expect(books.table.name == "Z_7AUTHORS")
        #expect(books.ownColumn.name == "Z_3AUTHORS1" && books.otherColumn.name == "Z_7BOOKS4")
        #expect(books.orderColumn?.name == "Z_FOK_7BOOKS4")
    }

    @Test func aJoinTableWithOldNumbersIsFoundByItsColumns() throws {
        let schema = try SQLSchema(
            entities: libraryModel().entities,
            reconciledWith: layout(
                ["ZAUTHOR": ["ZNAME"], "ZBOOK": [], "Z_12BOOKS": ["Z_12AUTHORS", "Z_14BOOKS", "Z_FOK_14BOOKS"]],
                ["Author": 1, "Book": 2]))
        #expect(schema.joinTables.map(\.name) == ["Z_12BOOKS"])
    }

    @Test func whatIsMissingIsNamed() throws {
        let error = #expect(throws: CocoaError.self) {
            try SQLSchema(entities: libraryModel().entities, reconciledWith: layout(["ZAUTHOR": []]))
        }
        #expect(error?.code == .persistentStoreIncompatibleSchema)
        #expect(
            error?.localizedDescription
                == "The store “S.sqlite” does not fit the model: it has no table ZBOOK of entity "
                + "“Book”, column ZNAME of table ZAUTHOR, join table Z_1BOOKS of relationship “books” of entity “Author”."
        )
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == "/x/S.sqlite")
    }

    @Test func aMissingColumnIsNotTakenFromANumberedNeighbor() throws {
        let model = Build.model(
            Build.entity(
                "Thing",
                [Build.attribute("item", .stringAttributeType), Build.attribute("item1", .stringAttributeType)]))
        let error = #expect(throws: CocoaError.self) {
            try SQLSchema(entities: model.entities, reconciledWith: layout(["ZTHING": ["ZITEM1"]]))
        }
        #expect(error?.localizedDescription.contains("column ZITEM of table ZTHING") == true)
    }

    @Test func aRenamedEntityKeepsItsNumber() throws {
        let a = Build.entity("Alpha")
        let model = Build.model(a, Build.entity("Beta"))
        let schema = try SQLSchema(
            entities: model.entities, reconciledWith: layout(["ZALPHA": [], "ZBETA": []], ["Before": 1, "Beta": 2]))
        #expect(schema.entity(named: "Alpha")?.number == 1)
    }
}
