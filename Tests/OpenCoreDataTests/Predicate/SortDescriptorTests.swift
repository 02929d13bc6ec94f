import Foundation
import OpenCoreData
import Testing

@Suite struct SortDescriptorTests {
    struct Book {
        var title: String?
        var pages: Int
        var author = Author(name: "x")
    }

    struct Author {
        var name: String
    }

    static let books = [
        Book(title: "b", pages: 2), Book(title: nil, pages: 1), Book(title: "A", pages: 2),
        Book(title: "c10", pages: 3),
        Book(title: "c9", pages: 3),
    ]

    func titles(_ descriptors: [NSSortDescriptor]) throws -> [String?] {
        try NSSortDescriptor.ordered(Self.books, using: descriptors).map(\.title)
    }

    @Test func missingValuesComeFirst() throws {
        #expect(try titles([NSSortDescriptor(key: "title", ascending: true)]) == [nil, "A", "b", "c10", "c9"])
        #expect(try titles([NSSortDescriptor(key: "title", ascending: false)]) == ["c9", "c10", "b", "A", nil])
    }

    @Test func laterDescriptorsDecideWhereEarlierOnesDoNot() throws {
        let descriptors = [
            NSSortDescriptor(key: "pages", ascending: false), NSSortDescriptor(key: "title", ascending: true),
        ]
        #expect(try titles(descriptors) == ["c10", "c9", "A", "b", nil])
    }

    @Test func selectorsCompareTexts() {
        func order(_ selector: String, _ a: String, _ b: String) -> ComparisonResult {
            NSSortDescriptor(key: nil, ascending: true, selector: Selector(selector)).compare(a, to: b)
        }
        #expect(order("compare:", "a", "B") == .orderedDescending)
        #expect(order("caseInsensitiveCompare:", "a", "B") == .orderedAscending)
        #expect(order("caseInsensitiveCompare:", "a", "A") == .orderedSame)
        #expect(order("localizedStandardCompare:", "c9", "c10") == .orderedAscending)
        #expect(order("localizedCompare:", "a", "B") == .orderedAscending)
        #expect(order("localizedCaseInsensitiveCompare:", "a", "A") == .orderedSame)
    }

    @Test func unknownSelectorsAndKeysAreErrors() {
        let descriptor = NSSortDescriptor(key: "title", ascending: true, selector: "reverseBanana:")
        #expect(descriptor.formatError != nil)
        let selector = #expect(throws: CocoaError.self) { try titles([descriptor]) }
        #expect(selector?.localizedDescription.contains("reverseBanana:") == true)
        let key = #expect(throws: CocoaError.self) { try titles([NSSortDescriptor(key: "nothing", ascending: true)]) }
        #expect(key?.localizedDescription.contains("nothing") == true)
    }

    @Test func comparatorsAndKeyPathsWork() throws {
        let byLength = NSSortDescriptor(key: "title", ascending: true) { a, b in
            let (a, b) = ((a as? String ?? "").count, (b as? String ?? "").count)
            return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        }
        #expect(try titles([byLength]).last == "c10")
        let byPages = NSSortDescriptor(keyPath: \Book.pages, ascending: true)
        #expect(byPages.key == "pages")
        #expect(byPages.keyPath == \Book.pages)
        #expect(try titles([byPages, NSSortDescriptor(keyPath: \Book.title, ascending: true)]).first == .some(nil))
        #expect(NSSortDescriptor(keyPath: \Book.author.name, ascending: true).key == "author.name")
    }

    @Test func reversingAndEquality() throws {
        let descriptor = NSSortDescriptor(key: "pages", ascending: true)
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(!reversed.ascending)
        #expect(reversed != descriptor)
        #expect(reversed.reversedSortDescriptor as? NSSortDescriptor == descriptor)
        #expect(descriptor.copy() as? NSSortDescriptor == descriptor)
        #expect(descriptor.selector == "compare:")
    }

    @Test func subclassesInheritTheInitializers() throws {
        final class ByLength: NSSortDescriptor {
            override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
                let (a, b) = ((object1 as? String ?? "").count, (object2 as? String ?? "").count)
                return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
            }
        }
        let array: NSArray = ["ccc", "a", "bb"]
        #expect(array.sortedArray(using: [ByLength(key: nil, ascending: true)]) as? [String] == ["a", "bb", "ccc"])
    }

    @Test func collectionsSort() {
        let array: NSArray = [3, 1, 2]
        let descriptors = [NSSortDescriptor(key: nil, ascending: false)]
        #expect(array.sortedArray(using: descriptors) as? [Int] == [3, 2, 1])
        let mutable = NSMutableArray(array: array)
        mutable.sort(using: descriptors)
        #expect(mutable as? [Int] == [3, 2, 1])
        #expect(NSSet(array: [1, 2]).sortedArray(using: descriptors) as? [Int] == [2, 1])
        #expect(
            NSOrderedSet(array: [1, 2]).sortedArray(using: [NSSortDescriptor(key: "self", ascending: false)]) as? [Int]
                == [2, 1])
    }

    @Test func foundationsDescriptorsBecomeOurs() throws {
        let descriptor = NSSortDescriptor(SortDescriptor(\Book.pages, order: .reverse))
        #expect(descriptor.key == "pages")
        #expect(!descriptor.ascending)
        let computed = SortDescriptor(\Named.computed)
        #expect(throws: CocoaError.self) { try NSSortDescriptor(translating: computed) }
        #expect(NSSortDescriptor(computed).formatError != nil)
    }

    struct Named {
        var computed: Int { 1 }
    }

    @Test func registeredKeyPathsHaveNames() throws {
        struct Thing {
            var secret: Int { 1 }
        }
        #expect(KeyPathNames.name(of: \Thing.secret) == nil)
        KeyPathNames.register(\Thing.secret, name: "secret")
        #expect(NSSortDescriptor(keyPath: \Thing.secret, ascending: true).key == "secret")
    }
}
