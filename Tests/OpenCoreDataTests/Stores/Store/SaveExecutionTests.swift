import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct SaveExecutionTests {
    @Test func valuesOfAllTypesComeBack() throws {
        let fixture = try StoreFixture()
        let uuid = UUID()
        let values: [String: PropertyValue] = [
            "title": .string("Café 日本"), "pages": .integer(321), "price": .double(9.99),
            "cost": .decimal(DecimalBox(Decimal(string: "10.11") ?? 0)), "published": .double(0.25),
            "inPrint": .integer(1), "cover": .data(Data([0, 1, 2])), "identifier": .uuid(uuid),
            "home": .uri(try #require(URL(string: "https://example.org/a?b=c"))),
        ]
        try fixture.save {
            $0.inserts = [try fixture.insert("Book", 1, values), try fixture.insert("GraphicNovel", 2, [:])]
        }
        let slab = try fixture.rows("Book", sort: [NSSortDescriptor(key: "self", ascending: true)])
        #expect(slab.count == 2)
        let book = try fixture.layout("Book")
        for (name, value) in values {
            let slot = try #require(book.slot(named: name))
            #expect("\(try slab.value(0, slot))".hasPrefix("\(value)".prefix(8)), "\(name)")
            #expect(slab.isNull(1, slot.index))
        }
        #expect(slab.entityIndex(1) == (try fixture.layout("GraphicNovel")).index)
        #expect(slab.version(0) == 1)
        #expect(
            try fixture.shell("SELECT typeof(ZPRICE), ZCOST, typeof(ZIDENTIFIER) FROM ZBOOK WHERE Z_PK=1")
                == "real|10.11|blob")
    }

    @Test func anUpdateWritesChangedColumnsAndCountsTheVersion() throws {
        let fixture = try StoreFixture()
        try fixture.save { $0.inserts = [try fixture.insert("Author", 1, ["name": .string("Ada")])] }
        let statements = try fixture.statements {
            try fixture.save { $0.updates = [try fixture.update("Author", 1, version: 1, ["country": .string("GB")])] }
        }
        #expect(
            statements == [
                "BEGIN IMMEDIATE", "UPDATE ZAUTHOR SET Z_OPT=Z_OPT+1,ZCOUNTRY=? WHERE Z_PK=? AND Z_OPT=?", "COMMIT",
            ])
        #expect(try fixture.shell("SELECT Z_OPT, ZNAME, ZCOUNTRY FROM ZAUTHOR") == "2|Ada|GB")
    }

    @Test func manyInsertsTakeFewStatements() throws {
        let fixture = try StoreFixture()
        let statements = try fixture.statements {
            try fixture.save { plan in
                plan.inserts = try (1...120).map { try fixture.insert("Book", $0, ["pages": .integer($0)]) }
            }
        }
        // Two of fifty rows, and the rest one by one.
        #expect(statements.filter { $0.hasPrefix("INSERT") }.count == 22)
        #expect(try fixture.shell("SELECT count(*), sum(ZPAGES) FROM ZBOOK") == "120|7260")
    }

    @Test func aRowThatChangedMeanwhileIsAConflictAndNothingIsWritten() throws {
        let fixture = try StoreFixture()
        try fixture.save {
            $0.inserts = [
                try fixture.insert("Author", 1, ["name": .string("Ada")]),
                try fixture.insert("Author", 2, ["name": .string("Bob")]),
            ]
        }
        try fixture.save { $0.updates = [try fixture.update("Author", 1, version: 1, ["name": .string("Eve")])] }
        let (rows, constraints) = try fixture.conflicts {
            $0.updates = [
                try fixture.update("Author", 1, version: 1, ["name": .string("Zoe")]),
                try fixture.update("Author", 2, version: 1, ["name": .string("Max")]),
            ]
            $0.deletes = [try fixture.delete("Author", 3, version: 1)]
        }
        #expect(constraints.isEmpty)
        #expect(rows.map(\.reference).sorted() == [1, 3])
        let changed = try #require(rows.first { $0.reference == 1 }?.current)
        #expect(changed.version(0) == 2)
        #expect(rows.first { $0.reference == 3 }?.current == nil)
        #expect(try fixture.shell("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK") == "Eve\nBob")
    }

    @Test func uniqueValuesCanBeExchangedAndTakenOver() throws {
        let fixture = try StoreFixture()
        try fixture.save {
            $0.inserts = [
                try fixture.insert("Label", 1, ["name": .string("a")]),
                try fixture.insert("Label", 2, ["name": .string("b")]),
                try fixture.insert("Label", 3, ["name": .string("c")]),
            ]
        }
        try fixture.save {
            $0.updates = [
                try fixture.update("Label", 1, version: 1, ["name": .string("b")]),
                try fixture.update("Label", 2, version: 1, ["name": .string("a")]),
            ]
            $0.deletes = [try fixture.delete("Label", 3, version: 1)]
            $0.inserts = [try fixture.insert("Label", 4, ["name": .string("c")])]
        }
        #expect(try fixture.shell("SELECT ZNAME || Z_OPT FROM ZLABEL ORDER BY Z_PK") == "b2\na2\nc1")
    }

    @Test func aTakenUniqueValueIsAViolationThatNamesTheStoredRow() throws {
        let fixture = try StoreFixture()
        try fixture.save { $0.inserts = [try fixture.insert("Label", 1, ["name": .string("a")])] }
        let (rows, constraints) = try fixture.conflicts {
            $0.inserts = [
                try fixture.insert("Label", 2, ["name": .string("a")]),
                try fixture.insert("Label", 3, ["name": .string("z")]),
            ]
        }
        #expect(rows.isEmpty)
        let violation = try #require(constraints.first)
        #expect(constraints.count == 1)
        #expect(violation.entity.name == "Label" && violation.constraint == ["name"] && violation.references == [2])
        #expect(violation.stored?.reference(0) == 1)
        #expect(try fixture.shell("SELECT count(*) FROM ZLABEL") == "1")
    }

    @Test func aPlanThatClashesWithItselfSaysSo() throws {
        let fixture = try StoreFixture()
        let (_, constraints) = try fixture.conflicts {
            $0.inserts = [
                try fixture.insert("Label", 1, ["name": .string("a")]),
                try fixture.insert("Label", 2, ["name": .string("a")]),
            ]
        }
        #expect(constraints.map(\.references) == [[1, 2]])
        #expect(constraints.first?.stored == nil)
    }

    @Test func deletingARowTakesItsPairsAlong() throws {
        let fixture = try StoreFixture()
        let tags = try fixture.relationship("Book", "tags")
        try fixture.save {
            $0.inserts = [
                try fixture.insert("Book", 1, [:]), try fixture.insert("Book", 2, [:]),
                try fixture.insert("Label", 1, ["name": .string("t")]),
            ]
            $0.linkInserts = [
                LinkChange(relationship: tags, owner: 1, destination: 1),
                LinkChange(relationship: tags, owner: 2, destination: 1),
            ]
        }
        #expect(try fixture.references("Book", NSPredicate(format: "ANY tags.name == 't'")).sorted() == [1, 2])
        try fixture.save { $0.deletes = [try fixture.delete("Book", 1, version: 1)] }
        #expect(try fixture.references("Book", NSPredicate(format: "tags.@count == 1")) == [2])
        let members = try fixture.store.fetchToMany(
            try fixture.relationship("Label", "books"), owners: [1], includesValues: false)
        #expect(members.rows.count == 1)
    }

    @Test func theDestinationsOfManyOwnersComeGroupedByOwner() throws {
        let fixture = try StoreFixture()
        try fixture.save { plan in
            for author in Int64(1)...200 { plan.inserts.append(try fixture.insert("Author", author, [:])) }
            for book in Int64(1)...1_000 {
                let author = try fixture.reference("Author", book * 7 % 210 + 1)
                plan.inserts.append(
                    try fixture.insert(
                        "Book", book, ["pages": .integer(book), "author": author, "isbn": .string("b\(book)")]))
            }
        }
        let books = try fixture.relationship("Author", "books")
        let slot = try #require(try fixture.layout("Book").slot(named: "isbn"))
        // All of them, through the whole table; ten of them, through the index.
        for owners in [Array(Int64(1)...200).reversed(), Array(Int64(11)...20)] {
            let members = try fixture.store.fetchToMany(books, owners: owners, includesValues: true)
            for (owner, range) in zip(owners, members.ranges) {
                let expected = (Int64(1)...1_000).filter { $0 * 7 % 210 + 1 == owner }
                #expect(range.map { members.rows.reference($0) } == expected)
                #expect(range.map { members.rows.string($0, slot.index) } == expected.map { "b\($0)" })
            }
        }
    }

    @Test func orderKeysAreWrittenForWhatMoved() throws {
        let fixture = try StoreFixture()
        let books = try fixture.relationship("Shelf", "books")
        try fixture.save { plan in
            plan.inserts = [try fixture.insert("Shelf", 1, [:])]
            for number in Int64(1)...4 {
                plan.inserts.append(
                    try fixture.insert("Book", number, ["shelf": try fixture.reference("Shelf", 1)]))
            }
            plan.orders = [OrderChange(relationship: books, owner: 1, destinations: [4, 3, 2, 1])]
        }
        func order() throws -> [Int64] {
            let members = try fixture.store.fetchToMany(books, owners: [1], includesValues: true)
            return members.ranges[0].map { members.rows.reference($0) }
        }
        #expect(try order() == [4, 3, 2, 1])
        let statements = try fixture.statements {
            try fixture.save {
                $0.orders = [OrderChange(relationship: books, owner: 1, destinations: [4, 1, 3, 2])]
            }
        }
        #expect(try order() == [4, 1, 3, 2])
        #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1)
        #expect(try fixture.shell("SELECT Z_FOK_SHELF FROM ZBOOK ORDER BY Z_FOK_SHELF") == "2048\n2560\n3072\n4096")
    }

    @Test func referencesAreNeverGivenOutTwice() throws {
        let folder = try TemporaryFolder()
        let fixture = try StoreFixture(folder: folder)
        let book = try fixture.layout("Book")
        #expect(try fixture.store.allocateReferences(count: 3, root: book) == 1)
        #expect(try fixture.store.allocateReferences(count: 1, root: book) == 4)
        #expect(try fixture.store.allocateReferences(count: 1, root: book) == 5)
        let other = try StoreFixture(folder: folder)
        #expect(try other.store.allocateReferences(count: 1, root: try other.layout("Book")) > 5)
    }

    @Test func theHighestNumberIsExactOnceTheStoreIsClosed() throws {
        let fixture = try StoreFixture()
        let book = try fixture.layout("Book")
        _ = try fixture.store.allocateReferences(count: 1, root: book)
        _ = try fixture.store.allocateReferences(count: 1, root: book)
        fixture.store.close()
        #expect(try fixture.shell("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME='Book'") == "2")
    }

    @Test func aStoreForReadingOnlyRefusesToSave() throws {
        let folder = try TemporaryFolder()
        let writer = try StoreFixture(folder: folder)
        try writer.save { $0.inserts = [try writer.insert("Author", 1, ["name": .string("Ada")])] }
        writer.store.close()
        let reader = try StoreFixture(folder: folder, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(try reader.references("Author") == [1])
        let error = #expect(throws: CocoaError.self) {
            try reader.save { $0.deletes = [try reader.delete("Author", 1, version: 1)] }
        }
        #expect(error?.code == .fileWriteNoPermission)
    }

    @Test func metadataReachTheFileWithTheNextSave() throws {
        let folder = try TemporaryFolder()
        let fixture = try StoreFixture(folder: folder)
        fixture.store.metadata["answer"] = 42
        #expect(try StoreFile.metadata(at: fixture.url)["answer"] == nil)
        try fixture.save { _ in }
        #expect(try StoreFile.metadata(at: fixture.url)["answer"] as? Int == 42)
        let statements = try fixture.statements { try fixture.save { _ in } }
        #expect(statements.isEmpty)
    }

    @Test func largeValuesGoToFilesAndLeaveWithTheirRows() throws {
        let model = LibraryModel.make()
        let cover = try #require(model.entitiesByName["Book"]?.attributesByName["cover"])
        cover.allowsExternalBinaryDataStorage = true
        let fixture = try StoreFixture(model: model)
        let large = Data(repeating: 7, count: 300_000)
        try fixture.save {
            $0.inserts = [
                try fixture.insert("Book", 1, ["cover": .data(large)]),
                try fixture.insert("Book", 2, ["cover": .data(Data([9]))]),
            ]
        }
        let slab = try fixture.rows("Book", sort: [NSSortDescriptor(key: "self", ascending: true)])
        let slot = try #require(try fixture.layout("Book").slot(named: "cover"))
        guard case .data(let first) = try slab.value(0, slot), case .data(let second) = try slab.value(1, slot) else {
            Issue.record("no data")
            return
        }
        #expect(first == large && second == Data([9]))
        let files = ExternalData(storeURL: fixture.url)
        #expect(files.orphans(besides: []).count == 1)
        try fixture.save { $0.deletes = [try fixture.delete("Book", 1, version: 1)] }
        #expect(try fixture.store.removeUnusedFiles())
        #expect(files.orphans(besides: []).isEmpty)
    }

    @Test func historyIsRecordedWhenAskedFor() throws {
        let fixture = try StoreFixture(options: [NSPersistentHistoryTrackingKey: true])
        try fixture.save {
            $0.author = "me"
            $0.inserts = [try fixture.insert("Author", 1, ["name": .string("Ada")])]
        }
        try fixture.save { $0.updates = [try fixture.update("Author", 1, version: 1, ["name": .string("Eve")])] }
        try fixture.save { $0.deletes = [try fixture.delete("Author", 1, version: 2)] }
        // Attributes born, country, name, then the to-manys books and notes.
        #expect(
            try fixture.shell("SELECT ZCHANGETYPE, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
                == "0|1|1|\n1|1|2|20\n2|1|3|")
        #expect(
            try fixture.shell("SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK=t.ZAUTHORTS")
                == "me")
        #expect(try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT=16002") == "TRANSACTION|3")
    }
}
