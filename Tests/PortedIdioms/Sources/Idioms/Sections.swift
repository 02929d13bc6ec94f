import CoreData
import Foundation

/// Writes down what a delegate is told, as a table would do it.
final class TableLog: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var lines: [String] = []

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        lines.append("\(type == .insert ? "+" : "-")section \(sectionIndex) \(sectionInfo.name)")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let old = indexPath.map { "\($0.section).\($0.row)" } ?? ""
        let new = newIndexPath.map { "\($0.section).\($0.row)" } ?? ""
        switch type {
        case .insert: lines.append("+\(new)")
        case .delete: lines.append("-\(old)")
        case .move: lines.append("\(old)>\(new)")
        case .update: lines.append("=\(old)")
        @unknown default: break
        }
    }
}

@MainActor
private func table(
    _ context: NSManagedObjectContext, sections: String? = "genre", first: String = "genre", _ log: TableLog
) throws -> NSFetchedResultsController<Book> {
    let request: NSFetchRequest<Book> = Book.fetchRequest()
    request.sortDescriptors = [
        NSSortDescriptor(key: first, ascending: true), NSSortDescriptor(key: "pages", ascending: true),
    ]
    let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
    controller.delegate = log
    try controller.performFetch()
    return controller
}

@MainActor
private func names(_ controller: NSFetchedResultsController<Book>) -> [String] {
    controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } ?? []
}

let sections: [Idiom] = [
    Idiom("the section of a list goes with its last row") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let log = TableLog()
        let controller = try table(context, log)
        let poetry = books.filter { $0.genre == "poetry" }
        for book in poetry.dropLast() { context.delete(book) }
        try context.save()
        try check(
            log.take().sorted() == ["-1.0", "-1.1", "-1.2"]
                && names(controller) == ["novel 4", "poetry 1", "science 4"])
        context.delete(poetry.last!)
        context.processPendingChanges()
        try check(Set(log.take()) == ["-section 1 poetry", "-1.0"] && names(controller) == ["novel 4", "science 4"])
    },
    Idiom("a row that moves to another section") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[11]
        let log = TableLog()
        let controller = try table(context, log)
        try check(controller.indexPath(forObject: book) == IndexPath(row: 3, section: 0))
        book.genre = "science"
        try context.save()
        try check(log.take() == ["0.3>2.4"])
        book.genre = "history"
        try context.save()
        try check(log.take() == ["+section 0 history", "2.4>0.0"])
        try check(names(controller) == ["history 1", "novel 3", "poetry 4", "science 4"])
    },
    Idiom("a section whose name changes in all of its rows") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let log = TableLog()
        let controller = try table(context, log)
        for book in books where book.genre == "novel" { book.genre = "thriller" }
        try context.save()
        let lines = log.take()
        try check(lines.contains("-section 0 novel") && lines.contains("+section 2 thriller"), "\(lines)")
        try check(lines.filter { $0.contains(">") } == ["0.0>2.0", "0.1>2.1", "0.2>2.2", "0.3>2.3"], "\(lines)")
        try check(names(controller) == ["poetry 4", "science 4", "thriller 4"])
    },
    Idiom("sections by the name of a related object") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let log = TableLog()
        let controller = try table(context, sections: "author.name", first: "author.name", log)
        try check(names(controller) == ["Ann 6", "Bob 6"])
        let author = books[0].author
        books[1].author = author
        try context.save()
        try check(names(controller) == ["Ann 5", "Bob 7"], "\(names(controller))")
        try check(log.take().contains("0.0>1.1"))
    },
    Idiom("rows that go with the deletion of what they belong to") {
        let context = try Library.container().viewContext
        let author = try unwrap(try Library.fill(context)[0].author)
        let log = TableLog()
        let controller = try table(context, sections: nil, log)
        context.delete(author)
        try context.save()
        try check(log.take().filter { $0.hasPrefix("-") }.count == 6 && controller.fetchedObjects?.count == 6)
    },
    Idiom("a row that is deleted, and taken back") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[2]
        let log = TableLog()
        let controller = try table(context, log)
        context.delete(book)
        context.processPendingChanges()
        try check(log.take() == ["-0.0"])
        context.rollback()
        context.processPendingChanges()
        try check(log.take() == ["+0.0"] && controller.object(at: IndexPath(row: 0, section: 0)) === book)
    },
    Idiom("rows deleted behind, and undone in front") {
        let container = try Library.container()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = true
        let ids = try Library.fill(context).map(\.objectID)
        let log = TableLog()
        let controller = try table(context, log)
        try await container.performBackgroundTask { background in
            for id in ids.prefix(3) { background.delete(background.object(with: id)) }
            try background.save()
        }
        try await wait { controller.fetchedObjects?.count == 9 }
        try check(log.take().sorted() == ["-0.0", "-1.0", "-2.0"])
        context.undoManager = UndoManager()
        context.delete(context.object(with: ids[3]))
        context.processPendingChanges()
        context.undo()
        context.processPendingChanges()
        try check(controller.fetchedObjects?.count == 9 && log.take() == ["-1.0", "+1.0"])
    },
    Idiom("a list of a child context") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        let log = TableLog()
        let controller = try table(child, log)
        try check(
            controller.fetchedObjects?.map(\.objectID)
                == books.sorted { ($0.genre!, $0.pages) < ($1.genre!, $1.pages) }.map(\.objectID))
        child.delete(child.object(with: books[2].objectID))
        Book(context: child).genre = "poetry"
        try child.save()
        try check(Set(log.take()) == ["-0.0", "+1.0"] && context.deletedObjects.count == 1)
        try context.save()
        try check(controller.fetchedObjects?.count == 12)
    },
    Idiom("the section of a letter in the index") {
        let context = try Library.container().viewContext
        try Library.fill(context)
        let controller = try table(context, TableLog())
        try check(controller.sectionIndexTitles == ["N", "P", "S"])
        try check(controller.section(forSectionIndexTitle: "P", at: 1) == 1)
        try check(controller.sectionIndexTitle(forSectionName: "science") == "S")
        try check(controller.sections?[2].indexTitle == "S" && controller.sections?[2].objects?.count == 4)
    },
]
