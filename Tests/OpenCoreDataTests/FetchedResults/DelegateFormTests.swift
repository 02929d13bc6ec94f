import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The forms in which a delegate can be notified of changes, and delegates that come and go.
@Suite(.serialized) struct DelegateFormTests {
    private func withController(
        sections: String? = nil, count: Int = 3, configure: (NSFetchRequest<Book>) -> Void = { _ in },
        _ body: (NSFetchedResultsController<Book>, NSManagedObjectContext, TestStack) throws -> Void
    ) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for number in 0..<count {
                let book = Book(context: context)
                book.title = "\(number * 10)"
                book.setValue(number < 2 ? "a" : "b", forKey: "isbn")
            }
            try context.save()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = ["isbn", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
            configure(request)
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
            try body(controller, context, stack)
        }
    }

    private final class SnapshotTaker: NSObject, NSFetchedResultsControllerDelegate {
        var snapshots: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []
        var otherCalls = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) {
            snapshots.append(NSDiffableDataSourceSnapshot(snapshot))
        }

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            otherCalls += 1
        }

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) {
            otherCalls += 1
        }
    }

    private func snapshot(_ controller: NSFetchedResultsController<Book>)
        -> NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
    {
        var snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()
        for section in controller.sections ?? [] {
            snapshot.appendSections([section.name])
            snapshot.appendItems(
                (section.objects ?? []).compactMap { ($0 as? NSManagedObject)?.objectID }, toSection: section.name)
        }
        return snapshot
    }

    @Test func snapshotsAreAllThatIsTold() throws {
        try withController(sections: "isbn") { controller, context, _ in
            let taker = SnapshotTaker()
            controller.delegate = taker
            try controller.performFetch()
            #expect(taker.snapshots == [snapshot(controller)])
            #expect(taker.snapshots[0].sectionIdentifiers == ["a", "b"] && taker.snapshots[0].numberOfItems == 3)
            let fresh = Book(context: context)
            fresh.title = "5"
            fresh.setValue("c", forKey: "isbn")
            controller.fetchedObjects?[0].pages = 9
            context.processPendingChanges()
            #expect(taker.snapshots.count == 2 && taker.snapshots[1] == snapshot(controller))
            #expect(taker.snapshots[1].reloadedItemIdentifiers == [controller.fetchedObjects?[0].objectID])
            #expect(taker.snapshots[1].itemIdentifiers.last?.isTemporaryID == true)
            try context.save()
            #expect(taker.snapshots.count == 3 && taker.snapshots[2].itemIdentifiers.last == fresh.objectID)
            #expect(!fresh.objectID.isTemporaryID && taker.otherCalls == 0)
        }
    }

    private final class Keeper: NSObject, NSFetchedResultsControllerDelegate {
        var kept: [NSDiffableDataSourceSnapshotReference] = []

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) {
            kept.append(snapshot)
        }
    }

    @Test func keptSnapshotsStayAsTheyWere() throws {
        try withController { controller, context, _ in
            let keeper = Keeper()
            controller.delegate = keeper
            try controller.performFetch()
            let before = controller.fetchedObjects?.map(\.objectID) ?? []
            controller.fetchedObjects.map { context.delete($0[0]) }
            context.processPendingChanges()
            #expect(keeper.kept.map(\.numberOfItems) == [3, 2])
            #expect(keeper.kept[0].itemIdentifiers as? [NSManagedObjectID] == before)
            #expect(keeper.kept[0].index(ofItemIdentifier: before[2]) == 2)
            #expect(keeper.kept[1].index(ofItemIdentifier: before[0]) == NSNotFound)
            #expect(
                keeper.kept[1].itemIdentifiersInSection(withIdentifier: "") as? [NSManagedObjectID] == [
                    before[1], before[2],
                ])
            #expect(keeper.kept[0].sectionIdentifier(forSectionContainingItemIdentifier: before[0]) as? String == "")
        }
    }

    @Test func differencesGiveTheNewList() throws {
        try withController(count: 6) { controller, context, _ in
            let taker = DifferenceTaker()
            controller.delegate = taker
            try controller.performFetch()
            taker.ids = controller.fetchedObjects?.map(\.objectID) ?? []
            let books = try #require(controller.fetchedObjects)
            context.delete(books[4])
            books[0].title = "25"
            books[1].pages = 3
            let fresh = Book(context: context)
            fresh.title = "1"
            context.processPendingChanges()
            #expect(taker.ids == controller.fetchedObjects?.map(\.objectID))
            let difference = try #require(taker.differences.first)
            #expect(taker.differences.count == 1 && difference.removals.count == 3 && difference.insertions.count == 3)
            #expect(
                difference.insertions.count { if case .insert(_, _, let other) = $0 { other != nil } else { false } }
                    == 2)
            #expect(taker.otherCalls == 0)
        }
    }

    @Test func withSectionsDifferencesAreNotTold() throws {
        try withController(sections: "isbn") { controller, context, _ in
            let taker = DifferenceTaker()
            controller.delegate = taker
            try controller.performFetch()
            Book(context: context).title = "1"
            context.processPendingChanges()
            #expect(taker.differences.isEmpty && taker.otherCalls == 1)
        }
    }

    private final class Comparer: NSObject, NSFetchedResultsControllerDelegate {
        var own: NSFetchedResultsController<Book>?
        var other: NSFetchedResultsController<Book>?
        var answers: [Bool] = []
        var isAnotherObject: Bool?
        var canBeCast: Bool?
        var count: Int?

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            answers = [controller === own, controller !== other, controller == own, controller.delegate === self]
            isAnotherObject = ObjectIdentifier(controller) != own.map(ObjectIdentifier.init)
            canBeCast = controller as AnyObject is NSFetchedResultsController<Book>
            count = controller.fetchedObjects?.count
        }
    }

    @Test func theDelegateRecognizesItsController() throws {
        try withController { controller, context, _ in
            let comparer = Comparer()
            comparer.own = controller
            comparer.other = NSFetchedResultsController(
                fetchRequest: controller.fetchRequest, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            controller.delegate = comparer
            try controller.performFetch()
            Book(context: context).title = "1"
            context.processPendingChanges()
            #expect(comparer.answers == [true, true, true, true] && comparer.count == 4)
            #expect(comparer.isAnotherObject == true && comparer.canBeCast == false)
            comparer.own = nil
        }
    }

    @Test func withoutADelegateResultsStayAndCatchUpLater() throws {
        try withController { controller, context, _ in
            try controller.performFetch()
            let books = try #require(controller.fetchedObjects)
            context.delete(books[0])
            Book(context: context).title = "5"
            try context.save()
            #expect(controller.fetchedObjects == books)
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            recorder.show(controller)
            books[2].pages = 1
            context.processPendingChanges()
            #expect(recorder.changes == [.delete, .insert, .update] && recorder.failures.isEmpty)
            #expect(controller.fetchedObjects?.map(\.title) == ["5", "10", "20"])
        }
    }

    @Test func aDelegateIsHeldWeakly() throws {
        try withController { controller, context, _ in
            try controller.performFetch()
            do {
                let recorder = ChangeRecorder()
                controller.delegate = recorder
                #expect(controller.delegate === recorder)
            }
            #expect(controller.delegate == nil)
            Book(context: context).title = "5"
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.count == 3)
        }
    }

    @Test func fetchingAgainReplacesTheResultsSilently() throws {
        try withController { controller, context, _ in
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            controller.fetchRequest.predicate = NSPredicate(format: "title > '0'")
            #expect(controller.fetchedObjects?.count == 3)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 2 && recorder.events.isEmpty)
            recorder.show(controller)
            Book(context: context).title = ""
            Book(context: context).title = "9"
            context.processPendingChanges()
            #expect(recorder.changes == [.insert] && recorder.failures.isEmpty)
        }
    }

    @Test func aLimitIsKept() throws {
        let limited = { (request: NSFetchRequest<Book>) in request.fetchLimit = 3 }
        try withController(count: 6, configure: limited) { controller, context, _ in
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            let fresh = Book(context: context)
            fresh.title = "1"
            fresh.setValue("a", forKey: "isbn")
            context.processPendingChanges()
            #expect(recorder.changes == [.delete, .insert])
            #expect(controller.fetchedObjects?.map(\.title) == ["0", "1", "10"])
            recorder.clear()
            context.delete(fresh)
            context.processPendingChanges()
            #expect(recorder.changes == [.delete, .insert] && recorder.failures.isEmpty)
            #expect(controller.fetchedObjects?.map(\.title) == ["0", "10", "20"])
        }
    }

    @Test func unsavedChangesCanBeLeftOut() throws {
        let saved = { (request: NSFetchRequest<Book>) in request.includesPendingChanges = false }
        try withController(configure: saved) { controller, context, _ in
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            let books = try #require(controller.fetchedObjects)
            books[0].title = "15"
            Book(context: context).title = "5"
            context.delete(books[2])
            context.processPendingChanges()
            #expect(recorder.changes == [.update] && controller.fetchedObjects == books)
            recorder.clear()
            try context.save()
            #expect(recorder.changes == [.delete, .insert, .move] && recorder.failures.isEmpty)
            #expect(controller.fetchedObjects?.map(\.title) == ["5", "10", "15"])
        }
    }

    @Test func theParentsControllerHearsOfChildSaves() throws {
        try withController { controller, context, _ in
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.show(controller)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let own = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
                let listener = ChangeRecorder()
                own.delegate = listener
                try own.performFetch()
                listener.show(own)
                Book(context: child).title = "5"
                own.fetchedObjects?[1].title = "99"
                child.processPendingChanges()
                #expect(listener.changes == [.insert, .move] && listener.failures.isEmpty)
                #expect(recorder.events.isEmpty)
                try child.save()
            }
            #expect(recorder.changes == [.insert, .update] && recorder.failures.isEmpty)
            #expect(controller.fetchedObjects?.map(\.title).sorted() == ["0", "20", "5", "99"])
        }
    }

    private class Plain: NSObject, NSFetchedResultsControllerDelegate {}

    private final class Adding: Plain {
        var calls = 0

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            calls += 1
        }
    }

    private class Implementing: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }

    private final class Overriding: Implementing {
        var calls = 0

        override func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            calls += 1
        }
    }

    @Test func aSubclassOfADelegateOverridesAMethodAndCannotAddIt() throws {
        let (adding, overriding) = (Adding(), Overriding())
        for delegate: any NSFetchedResultsControllerDelegate in [adding, overriding] {
            try withController { controller, context, _ in
                controller.delegate = delegate
                try controller.performFetch()
                controller.fetchedObjects?[0].pages = 9
                context.processPendingChanges()
            }
        }
        #expect(adding.calls == 0)
        #expect(overriding.calls == 1)
    }
}
