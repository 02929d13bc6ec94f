import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Typed reads of rows take a shorter way than key-value coding; both say the same, whatever became of an object.
@Suite struct TypedReadTests {
    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func agreeWithKeyValueCoding(type: String) throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        let stack = try TestStack(type: type)
        let other = stack.context()
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let differences = try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.undoManager = UndoManager()
            var walk = RandomWalk(context: context, other: other, random: SeededGenerator(seed: seed))
            try walk.prepare()
            return try walk.run(steps: 3000)
        }
        #expect(differences == [], "seed \(seed)")
    }

    private struct RandomWalk {
        let context: NSManagedObjectContext
        let other: NSManagedObjectContext
        var random: SeededGenerator
        var books: [GraphicNovel] = []

        mutating func prepare() throws {
            let author = Author(context: context)
            for number in 0..<12 {
                let book = GraphicNovel(context: context)
                book.pages = Int32(number)
                book.author = number.isMultiple(of: 2) ? author : nil
                books.append(book)
            }
            try context.save()
            context.undoManager?.removeAllActions()
        }

        mutating func run(steps: Int) throws -> [String] {
            var differences: [String] = []
            for step in 0..<steps {
                let book = books[Int.random(in: 0..<books.count, using: &random)]
                let change = try change(book)
                if let difference = difference(in: book) { differences.append("\(step) \(change): \(difference)") }
            }
            differences += books.compactMap(difference)
            return differences
        }

        private mutating func change(_ book: GraphicNovel) throws -> String {
            let number = Int.random(in: 0..<1000, using: &random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0: book.pages = Int32(number)
            case 1: book.price = Double(number) / 8
            case 2: book.title = "title \(number)"
            case 3: book.isColored.toggle()
            case 4: book.setValue(number, forKey: "pages")
            case 5: book.setPrimitiveValue(Double(number), forKey: "price")
            case 6: try context.save()
            case 7: context.rollback()
            case 8: context.refresh(book, mergeChanges: number.isMultiple(of: 2))
            case 9: context.refreshAllObjects()
            case 10: _ = book.author?.name
            case 11: context.undoManager?.undo()
            case 12: context.undoManager?.redo()
            default: try changeElsewhere(book.objectID, number)
            }
            return "\(number)"
        }

        /// Another context saves the book, and this one takes the change over.
        private func changeElsewhere(_ id: NSManagedObjectID, _ number: Int) throws {
            try other.performAndWait {
                guard let book = try other.existingObject(with: id) as? GraphicNovel else { return }
                book.pages = Int32(number)
                book.title = "elsewhere \(number)"
                try other.save()
            }
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: nil, userInfo: [NSUpdatedObjectIDsKey: Set([id])]))
        }

        private func difference(in book: GraphicNovel) -> String? {
            // Typed first: it must not need what key-value coding did.
            let typed = (Int(book.pages), book.price, book.title, book.isColored)
            let keyed = (
                book.value(forKey: "pages") as? Int, book.value(forKey: "price") as? Double,
                book.value(forKey: "title") as? String, book.value(forKey: "isColored") as? Bool
            )
            return typed == (keyed.0 ?? -1, keyed.1 ?? -1, keyed.2 ?? "-", keyed.3 ?? false) ? nil : "\(typed) \(keyed)"
        }
    }
}
