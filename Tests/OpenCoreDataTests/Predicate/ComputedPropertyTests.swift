import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Key paths of computed properties, which no store knows: errors that name class and property, and no wrong answers.
@Suite struct ComputedPropertyTests {
    private func error(_ predicate: Predicate<Book>) throws -> String {
        let stack = try TestStack()
        return stack.inContext { context in
            Book(context: context).title = "one"
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(predicate)
            let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
            #expect(throws: CocoaError.self) { try context.count(for: request) }
            return error?.localizedDescription ?? ""
        }
    }

    @Test func aPredicateOnOneIsAnError() throws {
        let texts = [
            try error(#Predicate { $0.loudTitle == "ONE" }), try error(#Predicate { $0.isLong }),
            try error(#Predicate { $0.doubledPages > 2 }), try error(#Predicate { $0.writerCount == 1 }),
            try error(#Predicate { $0.always == 1 }), try error(#Predicate { $0.trimmedISBN == "1" }),
            try error(#Predicate { $0.bookAge > 1 }),
        ]
        for string in texts { #expect(string.contains("computed property of Book"), "\(string)") }
        #expect(texts[0].contains("'title'") && texts[1].contains("'pages'") && texts[3].contains("'tags'"))
    }

    @Test func anotherNameForAPropertyIsTheProperty() throws {
        let stack = try TestStack()
        try stack.inContext { context throws in
            let book = Book(context: context)
            (book.title, book.pages) = ("one", 7)
            book.author = Author(context: context)
            book.author?.name = "Ann"
            _ = Book(context: context)
            func count(_ predicate: Predicate<Book>) throws -> Int {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(predicate)
                return try context.count(for: request)
            }
            let counts = [
                try count(#Predicate { $0.pageCount == 7 }), try count(#Predicate { $0.authorName == "Ann" }),
                try count(#Predicate { $0.title == "one" && $0.author?.name == "Ann" }),
            ]
            #expect(counts == [1, 1, 1])
            #expect(NSSortDescriptor(keyPath: \Book.pageCount, ascending: true).key == "pages")
            #expect(NSSortDescriptor(keyPath: \Book.authorName, ascending: true).key == "author.name")
            #expect(NSSortDescriptor(keyPath: \Book.loudTitle, ascending: true).key == nil)
        }
    }

    @Test func everyTypeOfAPropertyIsKnownByItsKeyPath() {
        let keys = [
            NSSortDescriptor(keyPath: \Everything.number, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.text, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.allValues.flag, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asFlag, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asDate, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asSeconds, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asDecimal, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asFloat, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asUUID, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asURL, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asData, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asNumber, ascending: true).key,
            NSSortDescriptor(keyPath: \Everything.asState, ascending: true).key,
        ]
        #expect(
            keys == [
                "int64", "string", "bool", "bool", "date", "date", "decimal", "float", "uuid", "url", "data", "int16",
                "int32",
            ])
    }
}

extension Book {
    fileprivate var loudTitle: String { title.uppercased() }
    fileprivate var isLong: Bool { pages > 300 }
    fileprivate var doubledPages: Int { Int(pages) * 2 }
    fileprivate var pageCount: Int { Int(pages) }
    fileprivate var authorName: String? { author?.name }
    fileprivate static let labelsProperty = ManagedProperty<Set<Label>>("tags")
    fileprivate var writerCount: Int { self[Book.labelsProperty].count }
    fileprivate var always: Int { 1 }
    fileprivate static let isbnProperty = ManagedProperty<String?>("isbn")
    fileprivate static let publishedProperty = ManagedProperty<Date?>("published")
    fileprivate var trimmedISBN: String? { self[Book.isbnProperty]?.trimmingCharacters(in: .whitespaces) }
    fileprivate var bookAge: Double {
        self[Book.publishedProperty].map { 10 - $0.timeIntervalSinceReferenceDate } ?? 0
    }
}

extension Everything {
    fileprivate enum State: Int32 { case off, on }
    fileprivate struct Values { var flag: Bool }

    fileprivate var allValues: Values { Values(flag: self[Everything.bool]) }
    fileprivate var asFlag: Bool { self[Everything.bool] }
    fileprivate var asDate: Date? { self[Everything.optionalDate] }
    fileprivate var asSeconds: Double { self[Everything.date].timeIntervalSinceReferenceDate }
    fileprivate var asDecimal: Decimal? { self[Everything.optionalDecimal] }
    fileprivate var asFloat: Float { self[Everything.float] }
    fileprivate var asUUID: UUID? { self[Everything.optionalUUID] }
    fileprivate var asURL: URL { self[Everything.url] }
    fileprivate var asData: Data { self[Everything.data] }
    fileprivate var asNumber: Int { Int(self[Everything.int16]) }
    fileprivate var asState: State? { State(rawValue: self[Everything.int32]) }
}
