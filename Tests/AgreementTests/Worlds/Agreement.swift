import Foundation
import OpenCoreData

/// Asks both stores of a world the same question and compares the answers.
struct Agreement {
    let world: World
    /// The store that is compared with the one in memory: the one in SQLite, unless another is given.
    let subject: any RowStore
    /// Questions that both stores refused to answer, with the same error.
    private(set) var unanswerable = 0
    private(set) var cases = 0
    /// Whether rows are compared with their versions.
    var comparesVersions = true

    init(_ world: World, subject: (any RowStore)? = nil) {
        self.world = world
        self.subject = subject ?? world.sqlite
    }

    /// What a store answers.
    private enum Answer: Equatable {
        case rows([String])
        /// The error's code and sentence.
        case failure(String)
    }

    /// What is not as it must be.
    struct Difference: CustomStringConvertible {
        enum Kind: String {
            case answers = "SQL and memory answer differently"
            case refusal = "One kind of store alone refuses"
            case errors = "SQL and memory refuse with different errors"
        }

        let kind: Kind
        let text: String

        var description: String { "\(kind.rawValue): \(text)" }
    }

    /// One random question.
    ///
    /// - Returns: What differs, or nil.
    mutating func check(seed: UInt64) -> Difference? {
        var random = RandomSource(seed: seed)
        let entity = random.pick(world.layout.entities)
        let inner = random.next()
        let includesSubentities = random.chance(80)
        let isSorted = random.chance(50)
        let (limit, offset) = random.chance(30) ? (random.below(6), random.below(4)) : (0, 0)
        func query(_ store: any RowStore) -> StoreQuery {
            var maker = RandomPredicate(seed: inner, graph: world.graph, identifier: world.identifier(in: store))
            var query = StoreQuery(entity: entity)
            query.includesSubentities = includesSubentities
            query.predicate = maker.predicate(entity)
            if isSorted { query.sortDescriptors = maker.sortDescriptors(entity) }
            query.limit = limit
            query.offset = offset
            query.includesValues = false
            return query
        }
        return compare(query(subject), query(world.memory))
    }

    /// One question, made for each of the two stores.
    ///
    /// - Returns: What differs, or nil.
    mutating func compare(_ mine: StoreQuery, _ theirs: StoreQuery) -> Difference? {
        cases += 1
        switch (answer(subject, mine), answer(world.memory, theirs)) {
        case (.failure(let first), .failure(let second)):
            unanswerable += 1
            // The two have objects of their own, which the messages describe by their addresses.
            let address = /0x[0-9a-f]+/
            guard first.replacing(address, with: "") != second.replacing(address, with: "") else { return nil }
            return Difference(kind: .errors, text: "SQL: \(first)\nmemory: \(second)\n\(describe(mine))")
        case (.failure(let text), .rows):
            return Difference(kind: .refusal, text: "SQL: \(text)\n\(describe(mine))\n\(world.outline)")
        case (.rows, .failure(let text)):
            return Difference(kind: .refusal, text: "memory: \(text)\n\(describe(mine))\n\(world.outline)")
        case (.rows(let sql), .rows(let evaluated)):
            if sql != evaluated {
                return Difference(kind: .answers, text: difference(mine, theirs, sql, evaluated))
            }
            guard mine.limit == 0, mine.offset == 0 else { return nil }
            let count = try? subject.countRows(mine)
            guard count != sql.count else { return nil }
            let found = count.map { "\($0)" } ?? "an error"
            return Difference(
                kind: .answers, text: "the count is \(found) instead of \(sql.count)\n\(describe(mine))")
        }
    }

    private func answer(_ store: any RowStore, _ query: StoreQuery) -> Answer {
        do {
            let slab = try store.fetchRows(query)
            let rows = (0..<slab.count).map { "\(slab.entityIndex($0))/\(slab.reference($0))" }
            let isOrdered = !query.sortDescriptors.isEmpty || query.limit > 0 || query.offset > 0
            return .rows(isOrdered ? rows : rows.sorted())
        } catch {
            let error = error as NSError
            // Sentences may quote a predicate with objects in it.
            let sentence = error.localizedDescription.replacing(store.identifier ?? "", with: "…")
            return .failure("\(error.domain) \(error.code): \(sentence)")
        }
    }

    // MARK: Failing cases

    private func describe(_ query: StoreQuery) -> String {
        "\(query.entity.name)\(query.includesSubentities ? "" : " (alone)") where "
            + "\(query.predicate?.predicateFormat ?? "") sorted \(query.sortDescriptors) "
            + "limit \(query.limit) offset \(query.offset)"
    }

    private func difference(
        _ mine: StoreQuery, _ theirs: StoreQuery, _ sql: [String], _ evaluated: [String]
    ) -> String {
        var (mine, theirs) = (mine, theirs)
        while let smaller = smaller(mine, theirs) { (mine, theirs) = smaller }
        guard case .rows(let sql) = answer(subject, mine), case .rows(let evaluated) = answer(world.memory, theirs)
        else { return describe(mine) }
        let wrong = Set(sql).symmetricDifference(evaluated).sorted()
        let objects = wrong.prefix(3).compactMap { text -> String? in
            let parts = text.split(separator: "/")
            guard let index = Int(parts[0]), let reference = Int64(parts[1]) else { return nil }
            return world.description(of: reference, world.layout.entities[index])
        }
        return """
            \(describe(mine))
            SQL:    \(sql)
            memory: \(evaluated)
            \(objects.joined(separator: "\n"))
            \(world.outline)
            """
    }

    /// A question with less in it that the stores still answer differently.
    private func smaller(_ mine: StoreQuery, _ theirs: StoreQuery) -> (StoreQuery, StoreQuery)? {
        var candidates: [(StoreQuery, StoreQuery)] = []
        func add(_ change: (inout StoreQuery) -> Void) {
            var (first, second) = (mine, theirs)
            change(&first)
            change(&second)
            candidates.append((first, second))
        }
        if mine.limit > 0 || mine.offset > 0 {
            add {
                $0.limit = 0
                $0.offset = 0
            }
        }
        if !mine.sortDescriptors.isEmpty { add { $0.sortDescriptors = [] } }
        if let left = mine.predicate as? NSCompoundPredicate, let right = theirs.predicate as? NSCompoundPredicate {
            for (part, other) in zip(left.parts, right.parts) {
                var (first, second) = (mine, theirs)
                first.predicate = part
                second.predicate = other
                candidates.append((first, second))
            }
        }
        return candidates.first { first, second in
            guard case .rows(let sql) = answer(subject, first),
                case .rows(let evaluated) = answer(world.memory, second)
            else { return false }
            return sql != evaluated
        }
    }

    // MARK: Everything

    /// Compares all values of all objects, and all to-manys.
    func compareContents() throws -> String? {
        for entity in world.layout.entities {
            var query = StoreQuery(entity: entity)
            query.includesSubentities = false
            let (mine, theirs) = (try lines(subject.fetchRows(query)), try lines(world.memory.fetchRows(query)))
            if mine != theirs { return "Rows of \(entity.name):\n\(mine)\n\(theirs)\n\(world.outline)" }
            let owners = world.graph.references[entity.index] ?? []
            for relationship in entity.relationships where relationship.isToMany {
                let (mine, theirs) = (
                    try members(subject, relationship, owners), try members(world.memory, relationship, owners)
                )
                if mine != theirs {
                    return "\(entity.name).\(relationship.name) of \(owners):\n\(mine)\n\(theirs)\n\(world.outline)"
                }
            }
        }
        return nil
    }

    private func lines(_ slab: RowSlab) -> [String] {
        (0..<slab.count).map { row in
            let entity = world.layout.entities[slab.entityIndex(row)]
            let values = entity.slots.compactMap { $0 }.map {
                (try? slab.value(row, $0)).map(World.text) ?? "unreadable"
            }
            let version = comparesVersions ? " v\(slab.version(row))" : ""
            return "\(entity.name)/\(slab.reference(row))\(version): \(values.joined(separator: ","))"
        }.sorted()
    }

    private func members(
        _ store: any RowStore, _ relationship: RelationshipLayout, _ owners: [Int64]
    ) throws -> [[String]] {
        let result = try store.fetchToMany(relationship, owners: owners, includesValues: true)
        return result.ranges.map { range in
            let members = range.map { "\(result.rows.entityIndex($0))/\(result.rows.reference($0))" }
            return relationship.isOrdered ? members : members.sorted()
        }
    }
}
