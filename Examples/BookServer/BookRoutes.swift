#if Server
import Foundation
import Hummingbird
import OpenCoreDataKit
import OpenCoreDataServer

/// Books as a REST interface.
struct BookRoutes: Sendable {
    let database: Database

    func addRoutes(to router: Router<BasicRequestContext>) {
        let books = router.group("books")
        books.get("") { request, _ in
            let parameters = request.uri.queryParameters
            let limit = min(max(parameters.get("limit", as: Int.self) ?? 50, 1), 500)
            let offset = max(parameters.get("offset", as: Int.self) ?? 0, 0)
            let title = parameters.get("title")
            let found = try await database.read { context in
                var query = Query(Book.self)
                if let title { query = query.filter(NSPredicate(format: "title CONTAINS[cd] %@", title)) }
                query = query.sorted(NSSortDescriptor(key: "title", ascending: true)).limit(limit).offset(offset)
                return try context.all(query.prefetching(paths: ["author"])).map(BookView.init)
            }
            return try Self.json(found)
        }
        books.get(":isbn") { _, context in
            try Self.json(try await one(try Self.isbn(context)))
        }
        books.post("") { request, context in
            let edit = try await Self.edit(request, context)
            guard let isbn = edit.isbn, let title = edit.title else {
                throw HTTPError(.badRequest, message: "A book has an isbn and a title.")
            }
            let view = try await writing {
                if try $0.first(Self.books(isbn)) != nil {
                    throw HTTPError(.conflict, message: "There is a book \(isbn).")
                }
                let book = try $0.create(Book.self)
                book[Book.isbn] = isbn
                book[Book.title] = title
                book[Book.pages] = 0
                book[Book.price] = 0
                book[Book.published] = Date(timeIntervalSince1970: 0)
                book[Book.identifier] = UUID()
                book[Book.isInPrint] = true
                try edit.apply(to: book, in: $0)
                if book.author == nil {
                    throw HTTPError(.badRequest, message: "A book has an author.")
                }
                return BookView(book)
            }
            return try Self.json(view, status: .created)
        }
        books.put(":isbn") { request, context in
            let isbn = try Self.isbn(context)
            let edit = try await Self.edit(request, context)
            return try Self.json(
                try await writing {
                    let book = try Self.book(isbn, in: $0)
                    try edit.apply(to: book, in: $0)
                    return BookView(book)
                })
        }
        books.delete(":isbn") { _, context in
            let isbn = try Self.isbn(context)
            try await writing { $0.delete(try Self.book(isbn, in: $0)) }
            return HTTPResponse.Status.noContent
        }
    }

    private func one(_ isbn: String) async throws -> BookView {
        try await database.read { BookView(try Self.book(isbn, in: $0)) }
    }

    private static func books(_ isbn: String) -> Query<Book> {
        Query(Book.self).filter(NSPredicate(format: "isbn == %@", isbn))
    }

    private static func book(_ isbn: String, in context: Context) throws -> Book {
        guard let book = try context.first(books(isbn)) else {
            throw HTTPError(.notFound, message: "There is no book \(isbn).")
        }
        return book
    }

    /// Errors of the data are the client's; all others are the server's.
    private func writing<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.write(body)
        } catch let error as DatabaseError {
            switch error {
            case .validation: throw HTTPError(.unprocessableContent, message: "\(error)")
            case .conflict: throw HTTPError(.conflict, message: "\(error)")
            default: throw error
            }
        }
    }

    /// The number in the path of a request, in which spaces and slashes are written with percent signs.
    private static func isbn(_ context: BasicRequestContext) throws -> String {
        let part = try context.parameters.require("isbn")
        return part.removingPercentEncoding ?? part
    }

    private static func edit(_ request: Request, _ context: BasicRequestContext) async throws -> BookEdit {
        let edit = try await request.decode(as: BookEdit.self, context: context)
        for (name, text) in [("isbn", edit.isbn), ("title", edit.title), ("author", edit.author)]
        where text?.allSatisfy(\.isWhitespace) == true {
            throw HTTPError(.badRequest, message: "The \(name) of a book must not be empty.")
        }
        return edit
    }

    private static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }
}
#endif
