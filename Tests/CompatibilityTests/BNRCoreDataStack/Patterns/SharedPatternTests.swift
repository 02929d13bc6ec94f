import BNRCoreDataStack
import TestSupport
import Testing

/// What is true of contexts beside each other, on one coordinator or on several.
@Suite struct SharedPatternTests {
    /// Two contexts on one coordinator, and a book that both have loaded.
    private func siblings(_ type: String) throws -> (TestStack, NSManagedObjectContext, NSManagedObjectContext, [Book])
    {
        let stack = try TestStack(type: type)
        let contexts = [stack.context(), stack.context()]
        try contexts[0].performAndWait {
            Book(managedObjectContext: contexts[0]).title = "Solaris"
            try contexts[0].save()
        }
        let books = try contexts.map { context in
            try context.performAndWait {
                let book = try #require(try Book.findFirstInContext(context))
                #expect(book.title == "Solaris")
                return SendableBox(book)
            }.value
        }
        return (stack, contexts[0], contexts[1], books)
    }

    // Feature BNR-20
    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func nothingIsSharedWithoutMerging(_ type: String) throws {
        let (stack, first, second, books) = try siblings(type)
        let log = NotificationLog(first, [.NSManagedObjectContextDidSave])
        try first.performAndWait {
            books[0].title = "Momo"
            try first.save()
        }
        #expect(try stack.inContext { try Book.allInContext($0).map(\.title) } == ["Momo"])
        second.performAndWait { #expect(books[1].title == "Solaris") }
        let notification = try #require(log.entries.first?.notification)
        second.performAndWait {
            second.mergeChanges(fromContextDidSave: notification)
            #expect(books[1].title == "Momo")
        }
    }

    /// What the row is after a sibling has won the race, and the other saves with a policy.
    private static let outcomes: [(NSMergePolicyType, String?)] = [
        (.errorMergePolicyType, nil), (.mergeByPropertyStoreTrumpMergePolicyType, "Second 1 8.5"),
        (.mergeByPropertyObjectTrumpMergePolicyType, "Second 2 8.5"), (.overwriteMergePolicyType, "Second 2 0.0"),
        (.rollbackMergePolicyType, "Solaris 1 8.5"),
    ]

    // Feature BNR-21
    @Test(arguments: outcomes, [NSSQLiteStoreType, NSInMemoryStoreType])
    func aPolicySettlesTheConflict(_ outcome: (NSMergePolicyType, String?), _ type: String) throws {
        let (stack, first, second, books) = try siblings(type)
        try first.performAndWait {
            (books[0].pages, books[0].price) = (1, 8.5)
            try first.save()
        }
        try second.performAndWait {
            second.mergePolicy = NSMergePolicy(merge: outcome.0)
            (books[1].title, books[1].pages) = ("Second", 2)
            if outcome.1 == nil {
                let error = #expect(throws: CocoaError.self) { try second.save() }
                #expect(error?.code.rawValue == NSManagedObjectMergeError)
            } else {
                try second.save()
            }
        }
        let row = try stack.inContext { context in
            try Book.allInContext(context).map { "\($0.title) \($0.pages) \($0.price)" }
        }
        #expect(row == [outcome.1 ?? "Solaris 1 8.5"])
    }

    // Feature BNR-21
    @Test func siblingsThatMergeStayInStep() async throws {
        let (stack, first, second, books) = try siblings(NSSQLiteStoreType)
        let observers = [(first, second), (second, first)].map { from, into in
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: from, queue: nil
            ) { notification in
                let box = SendableBox(notification)
                into.performBlock { into.mergeChanges(fromContextDidSave: box.value) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        let shared = SendableBox(books)
        for round in 1...20 {
            let (context, book) = round.isMultiple(of: 2) ? (first, 0) : (second, 1)
            try await context.perform {
                #expect(shared.value[book].pages == Int32(round - 1))
                shared.value[book].pages = Int32(round)
                try context.save()
            }
            for other in [first, second] { await other.perform(schedule: .enqueued) {} }
        }
        #expect(try stack.sqlite("SELECT ZPAGES FROM ZBOOK") == "20")
    }

    // Feature BNR-25
    @Test func twoStacksOnOneFileWorkInParallel() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try await LibraryStack(in: folder), try await LibraryStack(in: folder))
        let writer = try await first.stack.batchContext()
        let announced = Noted<Int>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { _ in announced.note(1) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let done = Noted<Void>()
        async let writing: Void = {
            for round in 0..<200 {
                try await writer.perform {
                    for number in 0..<5 { Book(managedObjectContext: writer).title = "Book \(round).\(number)" }
                    try writer.save()
                }
            }
            done.note(())
        }()
        let reader = second.stack.newBackgroundWorkerMOC()
        var counts = [0]
        while done.count == 0 {
            counts.append(try await reader.perform { try Book.countInContext(reader) })
            let author = second.stack.newBackgroundWorkerMOC()
            try await author.perform {
                Author(managedObjectContext: author).name = "Lem"
                try author.saveContextToStoreAndWait()
            }
        }
        try await writing
        #expect(counts == counts.sorted() && counts.allSatisfy { $0.isMultiple(of: 5) })
        #expect(announced.count == 200)
        // The notice says when to fetch again.
        #expect(try await reader.perform { try Book.countInContext(reader) } == 1_000)
        #expect(first.errors.all.isEmpty && second.errors.all.isEmpty)
    }

    // Feature BNR-25
    @Test func anotherProcessMayWriteMeanwhile() async throws {
        let library = try await LibraryStack()
        let done = Noted<Void>()
        async let writing: Void = {
            await Self.writeElsewhere(library.file)
            done.note(())
        }()
        let reader = library.persisting
        var counts = [0]
        while done.count == 0 {
            let own = library.stack.newBackgroundWorkerMOC()
            try await own.perform {
                Author(managedObjectContext: own).name = "Lem"
                try own.saveContextToStoreAndWait()
            }
            counts.append(try await reader.perform { try Book.countInContext(reader) })
            await Task.yield()
        }
        await writing
        #expect(counts == counts.sorted() && counts.allSatisfy { $0.isMultiple(of: 5) })
        #expect(try await reader.perform { try Book.countInContext(reader) } == 250)
        #expect(library.errors.all.isEmpty)
        #expect(try library.sqlite("PRAGMA integrity_check") == "ok")
    }

    private static func writeElsewhere(_ file: URL) async {
        await #expect(processExitsWith: .success) { [file = file as URL] in
            let stack = try await CoreDataStack.constructSQLiteStack(model: LibraryModel.make(), at: file)
            let batch = try await stack.batchContext()
            for round in 0..<50 {
                try await batch.perform {
                    for number in 0..<5 { Book(managedObjectContext: batch).title = "Book \(round).\(number)" }
                    try batch.save()
                }
            }
        }
    }
}
