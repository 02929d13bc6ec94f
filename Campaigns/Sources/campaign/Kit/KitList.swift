import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// A live list, and a copy that only its changes were applied to.
@MainActor final class KitList {
    /// What a list shows.
    struct Shape: Sendable {
        var sections: String?
        var isAscending: Bool
        /// Items of this score and above are left out.
        var limit: Int64?
        /// How many are fetched at most; 0 for all.
        var window = 0

        static func random(_ random: inout SplitMix64) -> Shape {
            Shape(
                sections: random.chance(40) ? random.pick(["city", "score"]) : nil, isAscending: random.chance(70),
                limit: random.chance(50) ? Int64(3 + random.below(6)) : nil,
                window: random.chance(12) ? 1 + random.below(10) : 0)
        }
    }

    private let shape: Shape
    private let results: LiveResults<Item>
    private var copy: [[Item]]
    private var problem: CampaignFailure?
    /// How many batches of changes were told.
    private(set) var batches = 0
    /// The planted defect: a surface that forgets a batch.
    private let forgetsBatch: Bool

    init(_ shape: Shape, _ context: NSManagedObjectContext, forgetsBatch: Bool) throws {
        self.shape = shape
        self.forgetsBatch = forgetsBatch
        let request = NSFetchRequest<Item>(entityName: "Item")
        let keys = [shape.sections].compactMap { $0 } + (shape.sections == "score" ? [] : ["score"]) + ["code"]
        request.sortDescriptors = keys.map {
            NSSortDescriptor(key: $0, ascending: $0 == "score" ? shape.isAscending : true)
        }
        if let limit = shape.limit { request.predicate = NSPredicate(format: "score < %d", limit) }
        request.fetchLimit = shape.window
        results = try LiveResults(request: request, sectionKeyPath: shape.sections, in: context)
        copy = results.state.rows
        results.didChange = { [weak self] in self?.take($0) }
    }

    private func take(_ changes: ListChanges) {
        batches += 1
        if forgetsBatch, batches == 2 { return }
        do {
            try changes.check(from: copy.map(\.count), to: results.state.rows.map(\.count))
            copy = try changes.applied(to: copy) { path in
                guard let item = results[path] else { throw ListChanges.Violation("There is no row \(path).") }
                return item
            }
        } catch {
            problem = problem ?? KitCampaign.failure("The changes of a list break its rules", "\(error): \(changes)")
        }
    }

    /// Fetches again, if saves of other contexts aren't merged into the main context.
    func refetch() throws { try results.refetch() }

    /// The rows that the list should have.
    private func expected(_ goods: Goods) -> [GoodsRow] {
        let rows = goods.rows.filter { row in shape.limit.map { row.score < $0 } ?? true }
        let sorted = rows.sorted { first, second in
            if shape.sections == "city", first.city != second.city { return (first.city ?? "") < (second.city ?? "") }
            if first.score != second.score { return (first.score < second.score) == shape.isAscending }
            return first.code < second.code
        }
        return shape.window > 0 ? Array(sorted.prefix(shape.window)) : sorted
    }

    /// Whether the list shows what should be there by now.
    func shows(_ goods: Goods) -> Bool { results.objects.map(\.row) == expected(goods) }

    /// - Throws: When a batch of changes did not go with the list.
    func checkRules() throws { if let problem { throw problem } }

    /// - Throws: When the list is not what a fetch finds, what its changes have led to, or what should be there.
    func check(_ goods: Goods, _ setting: String) throws {
        try checkRules()
        let fresh = try results.context.fetch(results.request)
        let wanted = expected(goods)
        guard fresh.map(\.row) == wanted else {
            throw KitCampaign.failure(
                "A fetch finds something else than should be there", "\(setting): \(fresh.map(\.row)), not \(wanted)")
        }
        guard results.objects == fresh else {
            throw KitCampaign.failure(
                "A list is not what a fetch finds",
                "\(setting): \(shape) \(Self.words(results.objects, besides: fresh)), "
                    + "a fetch: \(Self.words(fresh, besides: results.objects))")
        }
        guard copy == results.state.rows else {
            throw KitCampaign.failure(
                "The changes of a list don't lead to the list",
                "\(setting): \(copy.map { $0.map(\.code) }), \(results.state.rows.map { $0.map(\.code) })")
        }
        if let sections = shape.sections {
            for (name, rows) in zip(results.sectionNames, results.state.rows) {
                let wrong = rows.first { "\($0.value(forKey: sections) ?? "")" != name }
                if let wrong {
                    throw KitCampaign.failure("A row is in a wrong section", "\(setting): \(wrong.row) \(name)")
                }
            }
        }
    }

    /// Codes and identifiers, with what another list lacks marked.
    private static func words(_ items: [Item], besides others: [Item]) -> [String] {
        let known = Set(others)
        return items.map { item in
            let id = item.objectID.uriRepresentation().lastPathComponent
            return "\(item.code) \(id)\(known.contains(item) ? "" : " !")\(item.isDeleted ? " deleted" : "")"
        }
    }
}
