import Foundation
import OpenCoreData
import TestSupport
import Testing

/// How many statements reading and saving take.
@Suite(.serialized) struct StatementCountTests {
    private let log = StatementLog()

    private func library(authors: Int, books: Int) throws -> TestStack {
        let stack = try TestStack(options: log.options)
        try stack.inContext { context in
            let tags = (0..<3).map { index in
                let tag = Label(context: context)
                tag.name = "tag \(index)"
                return tag
            }
            for index in 0..<authors {
                let author = Author(context: context)
                author.name = "author \(index)"
                for number in 0..<books {
                    let book = Book(context: context)
                    book.title = "book \(index) \(number)"
                    book.author = author
                    book.tags = [tags[number % 3]]
                }
            }
            try context.save()
        }
        log.clear()
        return stack
    }

    @Test func aLoopOverToManysIsTwoStatements() throws {
        let stack = try library(authors: 50, books: 3)
        try stack.inContext { context in
            var count = 0
            for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) {
                count += author.books.reduce(0) { $0 + ($1.title.isEmpty ? 0 : 1) }
            }
            #expect(count == 150)
        }
        #expect(log.selects.count == 2, "\(log.selects)")
    }

    @Test func aLoopOverToOnesIsTwoStatements() throws {
        let stack = try library(authors: 40, books: 2)
        try stack.inContext { context in
            var names: Set<String> = []
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            for book in books { names.insert(book.author?.name ?? "") }
            #expect(names.count == 40)
        }
        #expect(log.selects.count == 2, "\(log.selects)")
    }

    @Test func aLoopOverManyToManysIsTwoStatements() throws {
        let stack = try library(authors: 20, books: 3)
        try stack.inContext { context in
            var count = 0
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            for book in books { count += book.tags.reduce(0) { $0 + $1.name.count } }
            #expect(count == 60 * 5)
        }
        #expect(log.selects.count == 2, "\(log.selects)")
    }

    @Test func siblingsCanBeLeftAlone() throws {
        let stack = try library(authors: 5, books: 1)
        try stack.inContext { context in
            context.faultsFireForCohort = false
            for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) {
                #expect(author.books.count == 1)
            }
        }
        #expect(log.selects.count == 6)
    }

    @Test func prefetchedRelationshipsTakeNoFurtherStatement() throws {
        let stack = try library(authors: 30, books: 2)
        try stack.inContext { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["books", "books.tags"]
            let authors = try context.fetch(request)
            let afterFetch = log.selects.count
            #expect(afterFetch <= 3, "\(log.selects)")
            var count = 0
            for author in authors {
                for book in author.books { count += book.tags.reduce(0) { $0 + $1.name.count } }
            }
            #expect(count == 60 * 5)
            #expect(log.selects.count == afterFetch)
        }
    }

    @Test func aPrefetchedToOneTakesNoFurtherStatement() throws {
        let stack = try library(authors: 10, books: 2)
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.relationshipKeyPathsForPrefetching = ["author"]
            let books = try context.fetch(request)
            #expect(log.selects.count == 2)
            for book in books { #expect(book.author?.name.isEmpty == false) }
            #expect(log.selects.count == 2)
        }
    }

    @Test func anUnknownKeyPathToPrefetchIsAnError() throws {
        let stack = try library(authors: 1, books: 1)
        stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.relationshipKeyPathsForPrefetching = ["writer"]
            let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
            #expect(error?.localizedDescription.contains("writer") == true)
        }
    }

    // Rows arrive batch by batch when touched.
    // Behaviour 2.17
    @Test func aBatchSizeReadsRowsInBatches() throws {
        let stack = try library(authors: 100, books: 0)
        try stack.inContext { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.fetchBatchSize = 20
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let authors = try context.fetch(request)
            #expect(authors.count == 100)
            #expect(log.selects.count == 1)
            #expect(authors.allSatisfy { $0.isFault })
            #expect(authors[0].name == "author 0")
            #expect(log.selects.count == 2)
            for author in authors[0..<20] { #expect(!author.name.isEmpty) }
            #expect(log.selects.count == 2)
            for author in authors { #expect(!author.name.isEmpty) }
            #expect(log.selects.count == 6)
        }
    }

    // Identity alone is what a batched fetch reads at first, and its batches leave held objects alone.
    // Behaviour 2.17
    @Test func batchesDoNotOverwriteUnsavedChanges() throws {
        let stack = try library(authors: 10, books: 0)
        try stack.inContext { context in
            let all = NSFetchRequest<Author>(entityName: "Author")
            all.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let edited = try #require(try context.fetch(all).last)
            edited.name = "author X"
            all.fetchBatchSize = 5
            let authors = try context.fetch(all)
            #expect(authors.map(\.name).last == "author X")
            #expect(authors.contains { $0 === edited })
        }
    }

    @Test func savingTakesOneStatementPerRowAndNoReading() throws {
        let stack = try library(authors: 30, books: 0)
        try stack.inContext { context in
            let authors = try context.fetch(NSFetchRequest<Author>(entityName: "Author"))
            for author in authors { author.country = "UK" }
            log.clear()
            try context.save()
            #expect(log.statements.filter { $0.hasPrefix("UPDATE ZAUTHOR") }.count == 30)
            #expect(log.statements.count < 40, "\(log.statements)")
        }
    }

    @Test func pagesOfAListDoNotLookAtTheRowsThatTheyPassOver() throws {
        let stack = try library(authors: 1_200, books: 0)
        let offsets = [1_100, 5, 1_150, 1_199]
        let names = try stack.inContext { context in
            try offsets.map { offset in
                let request = NSFetchRequest<Author>(entityName: "Author")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                request.fetchOffset = offset
                request.fetchLimit = 2
                return try context.fetch(request).map(\.name)
            }
        }
        let sorted = (0..<1_200).map { "author \($0)" }.sorted()
        #expect(names == offsets.map { Array(sorted[$0...].prefix(2)) })
        // Each row once, when the first page passed over a good part of the table.
        let pages = log.selects.filter { $0.contains("LIMIT") && $0.contains("OFFSET") }
        #expect(pages.count == 4 && pages.allSatisfy { !$0.contains("CAST(t0.Z_ENT") }, "\(log.selects)")
        #expect(log.selects.filter { $0.contains("CAST(t0.Z_ENT") }.count == 1, "\(log.selects)")
    }

    @Test(arguments: [(512, 1), (513, 2)]) func aFaultBringsTheRowsOf512Objects(count: Int, statements: Int) throws {
        let stack = try library(authors: count, books: 0)
        try stack.inContext { context in
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.includesPropertyValues = false
            let authors = try context.fetch(request)
            log.clear()
            let names = Set(authors.map(\.name))
            #expect(names.count == count)
        }
        #expect(log.selects.count == statements, "\(log.selects)")
    }
}
