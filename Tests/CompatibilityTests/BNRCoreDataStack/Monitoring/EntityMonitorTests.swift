import BNRCoreDataStack
import TestSupport
import Testing

/// What monitors tell.
@MainActor struct EntityMonitorTests {
    /// Notes what it is told.
    private final class Witness<T: NSManagedObject>: EntityMonitorDelegate {
        typealias MonitoredEntity = T
        var inserted: [Set<T>] = []
        var deleted: [Set<T>] = []
        var modified: [Set<T>] = []

        var counts: [Int] { [inserted.count, deleted.count, modified.count] }

        func entityMonitorObservedInserts(_ monitor: EntityMonitor<T>, entities: Set<T>) { inserted.append(entities) }
        func entityMonitorObservedDeletions(_ monitor: EntityMonitor<T>, entities: Set<T>) { deleted.append(entities) }
        func entityMonitorObservedModifications(_ monitor: EntityMonitor<T>, entities: Set<T>) {
            modified.append(entities)
        }
    }

    private func monitor(
        _ context: NSManagedObjectContext, _ frequency: FireFrequency, _ predicate: NSPredicate? = nil
    ) -> (EntityMonitor<Book>, Witness<Book>) {
        let monitor = EntityMonitor<Book>(
            context: context, entity: Book.entityDescription(in: context), frequency: frequency,
            filterPredicate: predicate)
        let witness = Witness<Book>()
        monitor.setDelegate(witness)
        return (monitor, witness)
    }

    // Feature BNR-17
    @Test(arguments: StoreKind.allCases) func changesAreToldWhenTheyAreSaved(_ kind: StoreKind) async throws {
        let context = try await LibraryStack(kind).main
        let (monitor, witness) = monitor(context, .onSave)
        defer { withExtendedLifetime(monitor) {} }
        let books = Set((0..<3).map { _ in Book(managedObjectContext: context) })
        let author = Author(managedObjectContext: context)
        let novel = GraphicNovel(managedObjectContext: context)
        context.processPendingChanges()
        #expect(witness.counts == [0, 0, 0])
        try context.save()
        #expect(witness.inserted == [books] && witness.counts == [1, 0, 0])
        let first = try #require(books.first)
        first.title = "Solaris"
        (author.name, novel.title) = ("Lem", "Maus")
        context.processPendingChanges()
        #expect(witness.counts == [1, 0, 0])
        try context.save()
        #expect(witness.modified == [[first]] && witness.counts == [1, 0, 1])
        context.delete(first)
        context.delete(author)
        context.delete(novel)
        context.processPendingChanges()
        #expect(witness.counts == [1, 0, 1])
        try context.save()
        #expect(witness.deleted == [[first]] && witness.counts == [1, 1, 1])
    }

    // Feature BNR-17
    @Test(arguments: StoreKind.allCases) func changesAreToldAtOnce(_ kind: StoreKind) async throws {
        let context = try await LibraryStack(kind).main
        let (monitor, witness) = monitor(context, .onChange)
        defer { withExtendedLifetime(monitor) {} }
        let book = Book(managedObjectContext: context)
        let author = Author(managedObjectContext: context)
        context.processPendingChanges()
        #expect(witness.inserted == [[book]] && witness.counts == [1, 0, 0])
        book.title = "Solaris"
        author.name = "Lem"
        context.processPendingChanges()
        #expect(witness.modified == [[book]] && witness.counts == [1, 0, 1])
        context.delete(book)
        context.delete(author)
        context.processPendingChanges()
        #expect(witness.deleted == [[book]] && witness.counts == [1, 1, 1])
    }

    // Feature BNR-17
    @Test(arguments: [FireFrequency.onSave, .onChange])
    func onlyObjectsThatMatchAreTold(_ frequency: FireFrequency) async throws {
        let context = try await LibraryStack(.memory).main
        let (monitor, witness) = monitor(
            context, frequency, NSPredicate(format: "title CONTAINS[cd] %@", "nerd"))
        defer { withExtendedLifetime(monitor) {} }
        let (guide, other) = (Book(managedObjectContext: context), Book(managedObjectContext: context))
        (guide.title, other.title) = ("The Big Nérd's guide", "Solaris")
        try context.save()
        #expect(witness.inserted == [[guide]])
        // As of when it is told: one that matches now is modified, one that has stopped to match is not told at all.
        other.title = "Nerds"
        try context.save()
        #expect(witness.modified == [[other]])
        other.title = "Solaris"
        try context.save()
        #expect(witness.counts == [1, 0, 1])
        context.delete(guide)
        context.delete(other)
        try context.save()
        #expect(witness.deleted == [[guide]] && witness.counts == [1, 1, 1])
    }

    // Feature BNR-17
    @Test func theDelegateIsHeldWeakly() async throws {
        let context = try await LibraryStack(.memory).main
        let monitor = EntityMonitor<Book>(context: context, entity: Book.entityDescription(in: context))
        weak var gone: Witness<Book>?
        do {
            let witness = Witness<Book>()
            gone = witness
            monitor.setDelegate(witness)
        }
        #expect(gone == nil)
        _ = Book(managedObjectContext: context)
        try context.save()
        let second = Witness<Book>()
        monitor.setDelegate(second)
        _ = Book(managedObjectContext: context)
        try context.save()
        #expect(second.counts == [1, 0, 0])
    }

    // Feature BNR-17
    @Test func aMonitorThatIsGoneTellsNothing() async throws {
        let context = try await LibraryStack(.memory).main
        var pair: (EntityMonitor<Book>, Witness<Book>)? = monitor(context, .onChange)
        let witness = try #require(pair?.1)
        pair = nil
        _ = Book(managedObjectContext: context)
        try context.save()
        #expect(witness.counts == [0, 0, 0])
    }

    // Feature BNR-17
    @Test func aMonitorOfABackgroundContextTellsOnItsQueue() async throws {
        let library = try await LibraryStack()
        let worker = library.stack.newBackgroundWorkerMOC()
        let told = Noted<Bool>()
        let places = Places(worker, told)
        let monitor = EntityMonitor<Book>(
            context: worker, entity: Book.entityDescription(in: library.main), frequency: .onSave)
        monitor.setDelegate(places)
        try await worker.perform {
            _ = Book(managedObjectContext: worker)
            try worker.save()
        }
        #expect(told.all == [true])
        withExtendedLifetime((monitor, places)) {}
    }

    private final class Places: EntityMonitorDelegate {
        let context: NSManagedObjectContext
        let told: Noted<Bool>

        init(_ context: NSManagedObjectContext, _ told: Noted<Bool>) { (self.context, self.told) = (context, told) }

        func entityMonitorObservedInserts(_ monitor: EntityMonitor<Book>, entities: Set<Book>) {
            told.note(NSManagedObjectContext.current === context && entities.count == 1)
        }
        func entityMonitorObservedDeletions(_ monitor: EntityMonitor<Book>, entities: Set<Book>) {}
        func entityMonitorObservedModifications(_ monitor: EntityMonitor<Book>, entities: Set<Book>) {}
    }

    // Feature BNR-17
    @Test func anEntityOfAnotherClassStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
            let context = stack.privateQueueContext
            context.performAndWait {
                _ = EntityMonitor<Book>(context: context, entity: Author.entityDescription(in: context))
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("The monitor's class is Book") && said.contains("Author"))
    }
}
