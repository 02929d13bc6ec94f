import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Every mutating method of the ordered set that stands for a to-many, and of the other one.
@Suite struct LiveOrderedSetTests {
    private struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The members are a to e, those of the argument x, y, b, which are of the context too.
        let body: @Sendable (NSMutableOrderedSet, [NSManagedObject]) -> Void
        let expected: String

        init(
            _ name: String, _ expected: String,
            _ body: @escaping @Sendable (NSMutableOrderedSet, [NSManagedObject]) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.body = body
        }
    }

    private static func compare(_ left: Any, _ right: Any) -> ComparisonResult {
        // Backwards, with a and b as the same.
        func key(_ object: Any) -> String {
            let title = (object as? Book)?.title ?? ""
            return title == "a" ? "b" : title
        }
        return key(right) == key(left) ? .orderedSame : key(right) < key(left) ? .orderedAscending : .orderedDescending
    }

    private static let changes: [Change] = [
        Change("add", "abcdex") { $0.add($1[0]) },
        Change("add a member", "abcde") { $0.add($1[2]) },
        Change("addObjects", "abcdexy") { $0.addObjects(from: $1 + $1) },
        Change("insert at 0", "xabcde") { $0.insert($1[0], at: 0) },
        Change("insert at the end", "abcdex") { $0.insert($1[0], at: 5) },
        Change("insert a member", "abcde") { $0.insert($1[2], at: 0) },
        Change("insert at indexes", "axbycde") { $0.insert(Array($1[..<2]), at: [1, 3]) },
        Change("removeObject at", "abde") { set, _ in set.removeObject(at: 2) },
        Change("remove", "acde") { $0.remove($1[2]) },
        Change("remove another", "abcde") { $0.remove($1[0]) },
        Change("removeObjects in array", "acde") { $0.removeObjects(in: $1) },
        Change("removeObjects in range", "ade") { set, _ in set.removeObjects(in: NSRange(location: 1, length: 2)) },
        Change("removeObjects at", "bd") { set, _ in set.removeObjects(at: [0, 2, 4]) },
        Change("removeAllObjects", "") { set, _ in set.removeAllObjects() },
        Change("replaceObject", "axcde") { $0.replaceObject(at: 1, with: $1[0]) },
        Change("replaceObject by a member", "acbe") { $0.replaceObject(at: 3, with: $1[2]) },
        Change("setObject", "abcdx") { $0.setObject($1[0], at: 4) },
        Change("setObject at the end", "abcdex") { $0.setObject($1[0], at: 5) },
        Change("subscript", "xbcde") { $0[0] = $1[0] },
        Change("replaceObjects at", "xbcdy") { $0.replaceObjects(at: [0, 4], with: Array($1[..<2])) },
        Change("exchangeObject", "ebcda") { set, _ in set.exchangeObject(at: 0, withObjectAt: 4) },
        Change("moveObjects up", "deabc") { set, _ in set.moveObjects(at: [3, 4], to: 0) },
        Change("moveObjects down", "cdeab") { set, _ in set.moveObjects(at: [0, 1], to: 3) },
        Change("union", "abcdexy") { $0.union(NSOrderedSet(array: $1)) },
        Change("unionSet", "abcdex") { $0.unionSet([$1[0]]) },
        Change("minus", "acde") { $0.minus(NSOrderedSet(array: $1)) },
        Change("minusSet", "acde") { $0.minusSet([$1[0], $1[2]]) },
        Change("intersect", "b") { $0.intersect(NSOrderedSet(array: $1)) },
        Change("intersectSet", "b") { $0.intersectSet([$1[0], $1[2]]) },
        Change("intersect with nothing", "") { set, _ in set.intersect(NSOrderedSet()) },
        Change("sort comparator", "edcab") { set, _ in set.sort(comparator: compare) },
        Change("sort options", "edcab") { set, _ in set.sort(options: .stable, usingComparator: compare) },
        Change("sortRange", "adcbe") { set, _ in
            set.sortRange(NSRange(location: 1, length: 3), options: [], usingComparator: compare)
        },
        Change("sort descriptors", "edcba") { set, _ in
            set.sort(using: [NSSortDescriptor(key: "title", ascending: false)])
        },
        Change("filter", "bd") { set, _ in set.filter(using: NSPredicate(format: "title IN {'b', 'd'}")) },
    ]

    private func titles(_ shelf: NSManagedObject) -> String {
        (shelf.value(forKey: "books") as? NSOrderedSet)?.compactMap { ($0 as? Book)?.title }.joined() ?? ""
    }

    @Test(arguments: changes, [NSSQLiteStoreType, NSInMemoryStoreType])
    private func aChangeIsTheObjects(_ change: Change, type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = "abcdexy".map { name in
                let book = Book(context: context)
                book.title = String(name)
                return book
            }
            shelf.setValue(NSOrderedSet(array: Array(books[..<5])), forKey: "books")
            try context.save()
            let live = shelf.mutableOrderedSetValue(forKey: "books")
            change.body(live, [books[5], books[6], books[1]])
            #expect(titles(shelf) == change.expected)
            #expect(live.compactMap { ($0 as? Book)?.title }.joined() == change.expected)
            #expect((live.firstObject as? Book)?.title == change.expected.first.map(String.init))
            #expect(live.count == change.expected.count && (live.lastObject as? Book) == live.array.last as? Book)
            #expect(context.hasChanges == (change.expected != "abcde"))
            for book in books {
                let isMember = change.expected.contains(book.title)
                #expect((book.value(forKey: "shelf") as? NSManagedObject === shelf) == isMember)
                #expect(live.contains(book) == isMember)
                let place = change.expected.firstIndex(of: Character(book.title))
                    .map { change.expected.distance(from: change.expected.startIndex, to: $0) }
                #expect(live.index(of: book) == place ?? NSNotFound)
            }
            try context.save()
            context.reset()
            let again = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
            #expect(again.map(titles) == [change.expected])
        }
    }

    @Test func sortingKeepsMembersInTheRelationship() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.inContext { context in
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = ["b", "a"].map { name in
                let book = Book(context: context)
                book.title = name
                return book
            }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            try context.save()
            shelf.mutableOrderedSetValue(forKey: "books").sort(using: [NSSortDescriptor(key: "title", ascending: true)])
            #expect(context.updatedObjects == [shelf])
            #expect(titles(shelf) == "ab")
        }
    }

    @Test func everyMutatingMethodOfTheUnorderedSetChangesTheObject() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        try stack.inContext { context in
            let changes: [(String, String, (NSMutableSet, [NSManagedObject]) -> Void)] = [
                ("add", "abcx", { $0.add($1[0]) }), ("remove", "ac", { $0.remove($1[2]) }),
                ("addObjects", "abcxy", { $0.addObjects(from: $1) }),
                ("union", "abcxy", { $0.union(Set($1)) }), ("minus", "ac", { $0.minus(Set($1)) }),
                ("intersect", "b", { $0.intersect(Set($1)) }), ("setSet", "bxy", { $0.setSet(Set($1)) }),
                ("removeAllObjects", "", { set, _ in set.removeAllObjects() }),
                ("filter", "a", { set, _ in set.filter(using: NSPredicate(format: "title == 'a'")) }),
            ]
            for (name, expected, change) in changes {
                let author = Author(context: context)
                let books = "abcxy".map { name in
                    let book = Book(context: context)
                    book.title = String(name)
                    return book
                }
                author.books = Set(books[..<3])
                try context.save()
                let live = author.mutableSetValue(forKey: "books")
                change(live, [books[3], books[4], books[1]])
                #expect(author.books.map(\.title).sorted().joined() == expected, "\(name)")
                #expect(live.count == expected.count)
                for book in books { #expect((book.author === author) == expected.contains(book.title), "\(name)") }
            }
        }
    }

    /// Quadratic cost would be sixteen times as much.
    @Test(arguments: ["add", "insert", "remove"]) func oneByOneCostsAsMuchForEach(way: String) throws {
        func seconds(_ count: Int) throws -> Double {
            let stack = try TestStack(type: NSInMemoryStoreType)
            return try stack.inContext { context in
                let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
                let books = (0..<count).map { _ in Book(context: context) }
                if way == "remove" { shelf.setValue(NSOrderedSet(array: books), forKey: "books") }
                try context.save()
                let start = Date()
                for book in books {
                    let live = shelf.mutableOrderedSetValue(forKey: "books")
                    switch way {
                    case "add": live.add(book)
                    case "insert": live.insert(book, at: 0)
                    default: live.remove(book)
                    }
                }
                return Date().timeIntervalSince(start)
            }
        }
        let ratios = try (0..<3).map { _ in try seconds(6_000) / seconds(1_500) }
        #expect((ratios.min() ?? 0) < 10, "\(ratios)")
    }
}
