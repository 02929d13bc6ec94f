import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Look-ups by identifier find the same objects, whatever the order that identifiers are asked for in.
@Suite struct LookUpOrderTests {
    /// The distance between one object and the next that is asked for; 0 for a shuffled order.
    @Test(arguments: [0, 1, 3, 7, 397, 600, -1, -250, -613])
    func findTheObjectsTheyNameAmongGapsAndEnds(step: Int) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for number in 0..<1500 { Book(context: context).pages = Int32(number) }
            try context.save()
        }
        let (wrong, unread) = try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            var books = try context.fetch(request)
            let ids = books.map(\.objectID)
            // Most objects stay, some are gone, so that steps lead to empty places too.
            let kept = books.filter { !$0.pages.isMultiple(of: 5) }
            books = []
            return withExtendedLifetime(kept) { Self.walk(ids, step, context) }
        }
        #expect(wrong == 0)
        #expect(unread == 0)
    }

    @Test(arguments: [0, 1, 7, -613]) func findTheObjectsWhereverTheirIdentifiersStandInMemory(step: Int) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for number in 0..<1500 { Book(context: context).pages = Int32(number) }
            try context.save()
        }
        let (wrong, unread) = try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            // An identifier is made when it is first asked for.
            let books = try context.fetch(request)
            var generator = SeededGenerator(seed: 11)
            var made: [Int: NSManagedObjectID] = [:]
            var others: [[UInt8]] = []
            for number in books.indices.shuffled(using: &generator) {
                made[number] = books[number].objectID
                others.append(Array(repeating: 0, count: generator.below(200)))
            }
            let ids = books.indices.compactMap { made[$0] }
            return withExtendedLifetime((books, others)) { Self.walk(ids, step, context) }
        }
        #expect(wrong == 0)
        #expect(unread == 0)
    }

    private static func walk(
        _ ids: [NSManagedObjectID], _ step: Int, _ context: NSManagedObjectContext
    ) -> (wrong: Int, unread: Int) {
        var (wrong, unread) = (0, 0)
        var generator = SeededGenerator(seed: 7)
        var index = step < 0 ? ids.count - 1 : 0
        for _ in 0..<3 * ids.count {
            if step == 0 { index = generator.below(ids.count) }
            let object = context.object(with: ids[index])
            if object.objectID != ids[index] { wrong += 1 }
            if (object as? Book)?.pages != Int32(index) { unread += 1 }
            index = (index + step + ids.count) % ids.count
        }
        if !context.checkInvariants().isEmpty { wrong += 1 }
        return (wrong, unread)
    }
}
