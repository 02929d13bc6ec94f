import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Fetching with a controller: results, sections, index titles, errors, result types.
@Suite(.serialized) struct ControllerFetchTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    private static let contents = [("apple", "1"), ("apple", "2"), ("banana", "3"), (nil, "0"), ("avocado", "4")]

    private func withController<T>(
        _ type: String = NSSQLiteStoreType, sections: String? = "isbn", sort: [String] = ["isbn", "title"],
        _ configure: (NSFetchRequest<T>) -> Void = { _ in },
        _ body: (NSFetchedResultsController<T>, NSManagedObjectContext) throws -> Void
    ) throws {
        try TestStack(type: type).inContext { context in
            for (isbn, title) in Self.contents {
                let book = Book(context: context)
                book.title = title
                book.setValue(isbn, forKey: "isbn")
            }
            try context.save()
            let request = NSFetchRequest<T>(entityName: "Book")
            request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
            configure(request)
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
            try body(controller, context)
        }
    }

    @Test(arguments: storeTypes) func resultsStandInSections(type: String) throws {
        try withController(type) { (controller: NSFetchedResultsController<Book>, _) in
            #expect(controller.fetchedObjects == nil && controller.sections == nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.map(\.title) == ["0", "1", "2", "4", "3"])
            #expect(controller.sections?.map(\.name) == ["", "apple", "avocado", "banana"])
            #expect(controller.sections?.map(\.numberOfObjects) == [1, 2, 1, 1])
            #expect((controller.sections?[1].objects as? [Book])?.map(\.title) == ["1", "2"])
            let second = controller.object(at: IndexPath(row: 1, section: 1))
            #expect(second.title == "2")
            #expect(controller.indexPath(forObject: second) == IndexPath(item: 1, section: 1))
            #expect(controller.sectionNameKeyPath == "isbn" && controller.cacheName == nil)
        }
    }

    @Test func indexTitlesLeadToSections() throws {
        try withController { (controller: NSFetchedResultsController<Book>, _) in
            try controller.performFetch()
            #expect(controller.sectionIndexTitles == ["A", "A", "B"])
            #expect(controller.section(forSectionIndexTitle: "A", at: 0) == 1)
            #expect(controller.section(forSectionIndexTitle: "A", at: 1) == 2)
            #expect(controller.section(forSectionIndexTitle: "B", at: 2) == 3)
            #expect(controller.section(forSectionIndexTitle: "B", at: 0) == 3)
            #expect(controller.section(forSectionIndexTitle: "Z", at: 0) == NSNotFound)
            #expect(controller.sectionIndexTitle(forSectionName: "éclair") == "É")
        }
    }

    private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            sectionIndexTitleForSectionName sectionName: String
        ) -> String? { sectionName.isEmpty ? nil : "<\(sectionName)>" }
    }

    private final class NumberedTitles: NSFetchedResultsController<Book> {
        override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "#\(sectionName.count)" }
    }

    @Test func delegatesAndSubclassesGiveIndexTitles() throws {
        try withController { (controller: NSFetchedResultsController<Book>, context) in
            try controller.performFetch()
            let titles = Titles()
            controller.delegate = titles
            #expect(controller.sectionIndexTitles == ["<apple>", "<avocado>", "<banana>"])
            let own = NumberedTitles(
                fetchRequest: controller.fetchRequest, managedObjectContext: context, sectionNameKeyPath: "isbn",
                cacheName: nil)
            own.delegate = titles
            try own.performFetch()
            #expect(own.sections?.map(\.indexTitle) == ["#0", "#5", "#7", "#6"])
            #expect(own.section(forSectionIndexTitle: "#6", at: 3) == 3)
        }
    }

    @Test(arguments: storeTypes) func withoutSectionsThereIsOne(type: String) throws {
        try withController(type, sections: nil, sort: ["title"]) {
            (controller: NSFetchedResultsController<Book>, context) in
            try controller.performFetch()
            #expect(controller.sections?.count == 1 && controller.sections?[0].numberOfObjects == 5)
            controller.fetchRequest.predicate = NSPredicate(value: false)
            try controller.performFetch()
            #expect(controller.sections?.count == 1 && controller.sections?[0].numberOfObjects == 0)
            #expect(controller.fetchedObjects == [])
            #expect(controller.indexPath(forObject: Book(context: context)) == nil)
        }
    }

    @Test(
        arguments: [
            ("pages", ["title"], "out of order"), ("nothing", ["title"], "nothing"),
            ("tags", ["title"], "many objects"), ("title.length", ["title"], "is an attribute"),
            (nil, ["nothing"], "nothing"), (nil, ["author.nothing"], "author.nothing"), (nil, ["tags"], "many objects"),
            (nil, ["author.mood"], "transient"), ("", ["title"], "empty key"),
        ] as [(String?, [String], String)])
    func whatCantBeFetchedIsAnError(sections: String?, sort: [String], sentence: String) throws {
        for type in Self.storeTypes {
            try withController(type, sections: sections, sort: sort) {
                (controller: NSFetchedResultsController<Book>, context) in
                let byTitle = NSFetchRequest<Book>(entityName: "Book")
                byTitle.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                for (book, pages) in zip(try context.fetch(byTitle), [1, 2, 1, 2, 1]) { book.pages = Int32(pages) }
                try context.save()
                #expect {
                    try controller.performFetch()
                } throws: { error in
                    let error = error as? CocoaError
                    return error?.code.rawValue == NSCoreDataError
                        && error?.localizedDescription.contains(sentence) == true
                }
                #expect(controller.fetchedObjects == nil)
            }
        }
    }

    @Test func aFailedFetchKeepsTheResults() throws {
        try withController(sections: nil, sort: ["title"]) { (controller: NSFetchedResultsController<Book>, _) in
            try controller.performFetch()
            controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "nothing", ascending: true)]
            #expect(throws: CocoaError.self) { try controller.performFetch() }
            #expect(controller.fetchedObjects?.count == 5)
        }
    }

    // Section 12: the request's wish is followed.
    @Test(arguments: storeTypes) func objectsComeRealizedIfAsked(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            Book(context: context).title = "a"
            try context.save()
        }
        for asFaults in [true, false] {
            try stack.inContext { context in
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                request.returnsObjectsAsFaults = asFaults
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                let recorder = ChangeRecorder()
                controller.delegate = recorder
                try controller.performFetch()
                #expect(controller.fetchedObjects?.allSatisfy { $0.isFault == asFaults } == true)
                recorder.show(controller)
                let other = stack.context()
                let log = NotificationLog(other)
                try other.performAndWait {
                    Book(context: other).title = "b\(asFaults)"
                    try other.save()
                }
                context.mergeChanges(
                    fromContextDidSave: try #require(log.entries(.NSManagedObjectContextDidSave).first).notification)
                #expect(controller.fetchedObjects?.last?.isFault == asFaults)
            }
        }
    }

    @Test func dictionariesAreFetchedAndNotFollowed() throws {
        let dictionaries = { (request: NSFetchRequest<NSDictionary>) in
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["isbn", "title"]
        }
        try withController(sections: "isbn", dictionaries) { controller, context in
            let recorder = ChangeRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            #expect(controller.fetchedObjects?.compactMap { $0["title"] as? String } == ["0", "1", "2", "4", "3"])
            #expect(controller.sections?.map(\.name) == ["", "apple", "avocado", "banana"])
            let last = controller.object(at: IndexPath(row: 0, section: 3))
            #expect(controller.indexPath(forObject: last) == IndexPath(row: 0, section: 3))
            Book(context: context).title = "new"
            context.processPendingChanges()
            #expect(recorder.events.isEmpty)
        }
    }

    @Test func identifiersAreFollowed() throws {
        let identifiers = { (request: NSFetchRequest<NSManagedObjectID>) in
            request.resultType = .managedObjectIDResultType
        }
        try withController(sections: nil, sort: ["title"], identifiers) { controller, context in
            let delegate = DifferenceTaker()
            controller.delegate = delegate
            try controller.performFetch()
            delegate.ids = controller.fetchedObjects ?? []
            #expect(delegate.ids.count == 5)
            let book = Book(context: context)
            book.title = "00"
            context.processPendingChanges()
            #expect(controller.fetchedObjects?[1] == book.objectID && delegate.ids == controller.fetchedObjects)
            #expect(controller.indexPath(forObject: book.objectID) == IndexPath(row: 1, section: 0))
        }
    }

    @Test func aCountOrAnotherTypeIsAnError() throws {
        let count = { (request: NSFetchRequest<NSNumber>) in request.resultType = .countResultType }
        try withController(sections: nil, count) { controller, _ in
            #expect(throws: CocoaError.self) { try controller.performFetch() }
        }
        try withController(sections: nil) { (controller: NSFetchedResultsController<Author>, _) in
            #expect(throws: CocoaError.self) { try controller.performFetch() }
        }
    }

    @Test func indexPathsHaveRowsItemsAndSections() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path == IndexPath(item: 3, section: 1) && path.row == 3 && path.item == 3 && path.section == 1)
        path.row = 5
        path.section = 2
        #expect(path == IndexPath(indexes: [2, 5]))
        path.item = 7
        #expect(path == [2, 7])
    }
}

/// A delegate that carries differences out on a list of identifiers.
final class DifferenceTaker: NSObject, NSFetchedResultsControllerDelegate {
    var ids: [NSManagedObjectID] = []
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var otherCalls = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        if !diff.isEmpty { differences.append(diff) }
        ids = ids.applying(diff) ?? []
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        otherCalls += 1
    }
}
