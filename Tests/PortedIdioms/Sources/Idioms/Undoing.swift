import CoreData
import Foundation

/// A container whose view context can undo, with groups that the caller makes.
@MainActor
private func undoing() throws -> (context: NSManagedObjectContext, books: [Book], undo: UndoManager) {
    let context = try Library.container().viewContext
    let books = try Library.fill(context)
    let undo = UndoManager()
    undo.groupsByEvent = false
    context.undoManager = undo
    return (context, books, undo)
}

@MainActor
private func group(_ context: NSManagedObjectContext, _ change: () throws -> Void) rethrows {
    context.undoManager?.beginUndoGrouping()
    try change()
    context.processPendingChanges()
    context.undoManager?.endUndoGrouping()
}

let undoingRelationships: [Idiom] = [
    Idiom("undo of a to-one moves the object back on both sides") {
        let (context, books, undo) = try undoing()
        let (first, second) = (try unwrap(books[0].author), try unwrap(books[1].author))
        group(context) { books[0].author = second }
        try check(first.books?.count == 5 && second.books?.count == 7)
        undo.undo()
        try check(books[0].author === first && first.books?.count == 6 && second.books?.contains(books[0]) == false)
        undo.redo()
        try check(books[0].author === second && first.books?.contains(books[0]) == false && second.books?.count == 7)
    },
    Idiom("undo of generated accessors of a set") {
        let (context, books, undo) = try undoing()
        let author = try unwrap(books[0].author)
        group(context) {
            author.removeFromBooks(books[0])
            author.addToBooks(NSSet(array: [books[1], books[3]]))
        }
        try check(author.books?.count == 7 && books[0].author == nil && books[3].author === author)
        undo.undo()
        try check(author.books?.count == 6 && books[0].author === author && books[3].author !== author)
        // Undone or not, what is the same as before is still a change until it is saved.
        try context.save()
        context.refreshAllObjects()
        try check(author.books?.count == 6)
    },
    Idiom("undo of the order of an ordered relationship") {
        let (context, books, undo) = try undoing()
        let reviews = (1...4).map { stars -> Review in
            let review = Review(context: context)
            review.stars = Int16(stars)
            return review
        }
        books[0].addToReviews(NSOrderedSet(array: reviews))
        try context.save()
        undo.removeAllActions()
        group(context) {
            let set = books[0].mutableOrderedSetValue(forKey: "reviews")
            set.moveObjects(at: IndexSet(integer: 3), to: 0)
            set.removeObject(at: 3)
        }
        func stars() -> [Int16] { books[0].reviews?.compactMap { ($0 as? Review)?.stars } ?? [] }
        try check(stars() == [4, 1, 2], "\(stars())")
        undo.undo()
        try check(stars() == [1, 2, 3, 4] && reviews[2].book === books[0], "\(stars())")
        undo.redo()
        try context.save()
        context.refreshAllObjects()
        try check(stars() == [4, 1, 2] && reviews[2].book == nil)
    },
    Idiom("undo of a deletion brings back what the cascade took") {
        let (context, books, undo) = try undoing()
        let author = try unwrap(books[0].author)
        let review = Review(context: context)
        review.book = books[0]
        try context.save()
        undo.removeAllActions()
        group(context) { context.delete(author) }
        try check(books[0].isDeleted && review.isDeleted && context.deletedObjects.count == 8)
        undo.undo()
        try check(context.deletedObjects.isEmpty && !author.isDeleted && author.books?.count == 6)
        try check(books[0].author === author && review.book === books[0])
        try check(books[0].reviews?.array.first as? Review === review)
        undo.redo()
        try context.save()
        try check(context.count(for: Book.fetchRequest()) == 6 && context.count(for: Review.fetchRequest()) == 0)
    },
    Idiom("groups in groups are undone together, several by several") {
        let (context, books, undo) = try undoing()
        undo.beginUndoGrouping()
        group(context) { books[0].title = "A" }
        group(context) { books[0].author = nil }
        undo.endUndoGrouping()
        group(context) { books[0].title = "B" }
        undo.undo()
        try check(books[0].title == "A" && books[0].author == nil && undo.canUndo)
        undo.undo()
        try check(books[0].title == "Book 1" && books[0].author != nil && !undo.canUndo)
        undo.redo()
        undo.redo()
        try check(books[0].title == "B" && books[0].author == nil && !undo.canRedo)
    },
    Idiom("only so many steps are kept") {
        let (context, books, undo) = try undoing()
        undo.levelsOfUndo = 2
        for title in ["a", "b", "c"] { group(context) { books[0].title = title } }
        undo.undo()
        undo.undo()
        try check(books[0].title == "a" && !undo.canUndo)
        undo.removeAllActions()
        try check(!undo.canRedo)
    },
    Idiom("undo of a new object that is related") {
        let (context, books, undo) = try undoing()
        let author = try unwrap(books[0].author)
        var book: Book!
        group(context) {
            book = Book(context: context)
            book.author = author
        }
        try check(author.books?.count == 7)
        undo.undo()
        try check(author.books?.count == 6 && !context.insertedObjects.contains(book))
        undo.redo()
        try check(author.books?.count == 7 && context.insertedObjects == [book] && book.author === author)
    },
    Idiom("an editor that undoes in a child and then saves") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        child.undoManager = UndoManager()
        let copy = child.object(with: book.objectID) as! Book
        copy.title = "one"
        child.processPendingChanges()
        copy.author = nil
        child.undo()
        try check(copy.author != nil)
        try child.save()
        try check(book.author != nil && context.undoManager == nil)
    },
]
