import CoreDataCandy
import Foundation
import OpenCoreDataKit

extension Item: FetchableEntity {}

/// What CoreDataCandy makes of an item.
private struct Article: DatabaseModel {
    typealias Entity = Item
    let _entityWrapper: EntityWrapper<Item>

    let code = Field(\.code)
    let title = Field(\.title, validations: .notEmpty)
    let score = Field(\.score, validations: .isIn(0...100))
    let city = Field(\.city)

    init(entity: Item) { _entityWrapper = .init(entity: entity) }
}

/// CoreDataCandy: models over objects, requests with key paths.
@MainActor final class CandyLibrary: GoodsLibrary {
    private let database: Database

    private init(_ database: Database) { self.database = database }

    static func open(_ file: URL?) async throws -> CandyLibrary {
        let store = file.map { Store.sqlite(at: $0) } ?? .memory()
        return CandyLibrary(
            try await Database.open(.init(name: "Candy", model: .value(GoodsModel.make()), stores: [store])))
    }

    var context: NSManagedObjectContext { database.main }

    private func article(_ code: Int64) throws -> Article? {
        try Article.request().first().where(\.code == code).fetch(in: context)
    }

    func put(_ rows: [GoodsRow]) async throws {
        for row in rows {
            let article: Article
            if let found = try self.article(row.code) {
                article = found
            } else {
                article = Article(entity: Item(context: context))
                try article.validateAndAssign(Int(row.code), to: \.code)
            }
            try article.validateAndAssign(row.title, to: \.title)
            try article.assign(Int(row.score), to: \.score).get()
            article.assign(row.city, to: \.city)
            // A value that breaks a rule is not stored.
            guard case .failure = article.assign(1_000, to: \.score) else {
                throw KitCampaign.failure("A rule lets everything pass")
            }
        }
        try await database.main.saveToStore()
    }

    func set(_ code: Int64, score: Int64) async throws {
        guard let article = try article(code) else { return }
        let draft = article.draft()
        try draft.assign(Int(score), to: \.score).get()
        try draft.save()
        try await database.main.saveToStore()
    }

    func remove(_ code: Int64) async throws {
        try article(code)?.remove()
        try await database.main.saveToStore()
    }

    func clear(_ score: Int64) async throws {
        for article in try Article.request().all().where(\.score == score).fetch(in: context) { article.remove() }
        try await database.main.saveToStore()
    }

    func forget(_ row: GoodsRow) async throws {
        guard let article = try article(row.code) else { return }
        let draft = article.draft()
        draft.assign("forgotten", to: \.title)
        article.assign("forgotten", to: \.title)
        context.rollback()
    }

    func find(atLeast score: Int64) throws -> [GoodsRow] {
        try Article.request().all().where(\.score >= score).sorted(by: \.code).fetch(in: context).map(Self.row)
    }

    func count(atLeast score: Int64) throws -> Int {
        try Article.request().all().where(\.score >= score).fetch(in: context).count
    }

    func one(_ code: Int64) throws -> GoodsRow? { try article(code).map(Self.row) }

    private static func row(_ article: Article) -> GoodsRow {
        GoodsRow(
            code: Int64(article.current(\.code)), title: article.current(\.title),
            score: Int64(article.current(\.score)), city: article.current(\.city))
    }
}
