import Foundation
import ReadingList
import SwiftData

/// Uses each part of the model layer, and fails where one gives something else than on Apple's systems. The stores are kept
/// in a folder that is named.
@main
struct ReadingListProgram {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static func check(_ holds: Bool, line: UInt = #line) throws {
        if !holds { throw Failure(description: "line \(line) of ReadingListProgram doesn't hold") }
    }

    @MainActor
    static func main() async throws {
        let named = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let other = FileManager.default.temporaryDirectory.appendingPathComponent("ReadingList-\(UUID().uuidString)")
        let folder = named ?? other
        defer { try? FileManager.default.removeItem(at: other) }
        try await useLibrary(in: folder)
        try migrate(in: folder)
        try check(Library.preview.mainContext.fetchCount(FetchDescriptor<Book>()) == 1)
        print("reading list: all parts work")
    }

    @MainActor
    private static func useLibrary(in folder: URL) async throws {
        let library = try Library(at: folder.appendingPathComponent("Books.store"))
        let shelf = Shelf(title: "top")
        let emma = Book(isbn: "1", title: "Emma", pages: 400)
        emma.edition = Edition(publisher: "Murray", year: 1815)
        emma.keywords = ["match", "wit"]
        var saves = library.saves.makeAsyncIterator()
        try library.add(emma, to: shelf)
        try check(await saves.next() == 2)
        let second = Book(isbn: "2", title: "Middlemarch", genre: .novel)
        try library.add(second, to: nil)
        for text in ["long", "good", "again"] { second.notes.append(Note(text)) }
        try library.add(Book(isbn: "3", title: "Élégies", genre: .poetry), to: nil)
        let importer = Importer(modelContainer: library.container)
        let ids = try await importer.add([
            LoanRecord(isbn: "2", borrower: "Ann", reminders: ["please", "now"]),
            LoanRecord(isbn: "3", borrower: "Bob"),
        ])
        try check(await importer.borrower(of: ids[1]) == "Bob")
        try check(try library.loans() == ["Ann": 2, "Bob": 0])
        try await importer.removeAll(of: "Ann")
        try check(try library.loans() == ["Bob": 0])
        try check(try library.books(matching: "emm").map(\.title) == ["Emma"])
        try check(try library.books(matching: "elegies").first?.initial == "É")
        try check(try library.annotated().map(\.isbn) == ["2"])
        try check(try library.count(on: shelf) == 1 && library.count(publishedAfter: 1800) == 1)
        try check(shelf.books == [emma] && library.initials([shelf, emma]) == "TE")
        try emma.rate(4.5)
        do { try emma.rate(6) } catch RatingProblem.outOfRange(let stars) { try check(stars == 6) }
        emma.progress = .finished
        try library.container.mainContext.save()
        library.remove(emma)
        try check(library.lastError == nil && emma.title == "Emma" && emma.rating == 4.5)
        try check(try library.books(matching: "").map(\.title) == ["Middlemarch", "Élégies"])
    }

    @MainActor
    private static func migrate(in folder: URL) throws {
        let configuration = ModelConfiguration(url: folder.appendingPathComponent("Old.store"))
        let old = ModelContext(try ModelContainer(for: ReadingListV1.Book.self, configurations: configuration))
        old.insert(ReadingListV1.Book(isbn: "1", name: "Emma"))
        old.insert(ReadingListV1.Book(isbn: "2", name: ""))
        try old.save()
        let new = try ModelContainer(
            for: ReadingListV2.Book.self, migrationPlan: ReadingListPlan.self, configurations: configuration)
        let books = try new.mainContext.fetch(FetchDescriptor<ReadingListV2.Book>())
        try check(books.map(\.title) == ["Emma"] && books.map(\.initial) == ["E"])
    }
}
