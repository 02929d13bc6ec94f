import Foundation
import OpenCoreData
import Testing

/// Random batch updates and deletes on random objects: SQLite must do what the in-memory store does, and leave no row that
/// points to nothing.
@Suite struct BatchAgreementTests {
    private static let worlds = 120
    private static let casesPerWorld = 6

    @Test func batchesDoTheSame() throws {
        var tally = Tally()
        for number in 0..<UInt64(Self.worlds) {
            let seed = AgreementTests.seed &+ number &* 7_919
            let world = try World(seed: seed) { model, random in Self.makeRules(model, &random) }
            var agreement = Agreement(world)
            // A row that loses two objects at once counts up by one in memory and by two in SQL.
            agreement.comparesVersions = false
            for number in 0..<UInt64(Self.casesPerWorld) {
                var batch = RandomBatch(world: world, seed: seed &* 31 &+ number)
                let difference = try batch.run(&tally) ?? agreement.compareContents()
                if let difference { Issue.record("world \(seed), case \(number): \(batch.text): \(difference)") }
            }
            if let difference = try RecordedStatements.check("batch-\(seed)", world.statements) {
                Issue.record("world \(seed): \(difference)")
            }
            let findings = try StoreChecker.findings(inStoreAt: #require(world.sqlite.url), model: world.model)
            #expect(findings.isEmpty, "world \(seed)")
        }
        // Batches that never do anything, or are always refused, would agree, too.
        #expect(tally.deleted > 300 && tally.updated > 300 && tally.refused > 10)
    }

    struct Tally {
        var deleted = 0
        var updated = 0
        var refused = 0
    }

    static func makeRules(_ model: NSManagedObjectModel, _ random: inout RandomSource) {
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            for relationship in entity.declaredProperties.sorted(by: { $0.name < $1.name }) {
                guard let relationship = relationship as? NSRelationshipDescription else { continue }
                if random.chance(30) { relationship.deleteRule = .cascadeDeleteRule }
                if random.chance(8) { relationship.deleteRule = .denyDeleteRule }
            }
        }
    }
}

/// A random batch request, and what both stores of a world make of it.
struct RandomBatch {
    let world: World
    let subject: any RowStore
    let seed: UInt64
    private(set) var text = ""

    init(world: World, subject: (any RowStore)? = nil, seed: UInt64) {
        self.world = world
        self.subject = subject ?? world.sqlite
        self.seed = seed
    }

    /// - Returns: What differs in the outcome, or nil.
    mutating func run(_ tally: inout BatchAgreementTests.Tally) throws -> String? {
        var random = RandomSource(seed: seed)
        let entity = random.pick(world.layout.entities)
        let (inner, values) = (random.next(), random.next())
        let isDelete = random.chance(50)
        let includesSubentities = random.chance(80)
        let limit = isDelete && random.chance(60) ? 1 + random.below(3) : 0
        func query(_ store: any RowStore) -> StoreQuery {
            var maker = RandomPredicate(seed: inner, graph: world.graph, identifier: world.identifier(in: store))
            var query = StoreQuery(entity: entity)
            query.includesSubentities = includesSubentities
            query.predicate = maker.predicate(entity)
            query.limit = limit
            return query
        }
        let (mine, theirs) = (query(subject), query(world.memory))
        text = "\(isDelete ? "delete" : "update") \(entity.name) where \(mine.predicate?.predicateFormat ?? "")"
        // What one of them can't answer says nothing of batches.
        guard (try? subject.fetchRows(mine)) != nil, (try? world.memory.fetchRows(theirs)) != nil else {
            return nil
        }
        let changes = isDelete ? [] : assignments(entity, seed: values)
        if !isDelete, changes.isEmpty { return nil }
        func outcome(_ store: any RowStore, _ query: StoreQuery) -> Result<[String], CocoaError> {
            do {
                let outcome =
                    isDelete
                    ? try store.deleteRows(BatchDelete(target: .query(query), wantsReferences: true))
                    : try store.updateRows(BatchUpdate(query: query, changes: changes, wantsReferences: true))
                let rows = outcome.references.map { "\($0.entityIndex)/\($0.reference)" }.sorted()
                return .success(rows.count == outcome.count ? rows : ["\(outcome.count)"] + rows)
            } catch let error as CocoaError {
                return .failure(error)
            } catch {
                return .failure(CocoaError(.coreData, userInfo: [NSLocalizedDescriptionKey: "\(error)"]))
            }
        }
        switch (outcome(subject, mine), outcome(world.memory, theirs)) {
        case (.success(let first), .success(let second)):
            if isDelete { tally.deleted += first.count } else { tally.updated += first.count }
            return first == second ? nil : "\(first) and \(second)\n\(world.outline)"
        case (.failure(let first), .failure(let second)):
            tally.refused += 1
            return first.code == second.code ? nil : "\(first) and \(second)"
        case (.failure(let error), .success), (.success, .failure(let error)): return "only one: \(error)"
        }
    }

    private func assignments(_ entity: EntityLayout, seed: UInt64) -> [BatchAssignment] {
        var random = RandomSource(seed: seed)
        return entity.slots.compactMap { $0 }.filter { $0.kind != .toOne && !$0.isTransient && random.chance(40) }
            .map { slot in
                let value = random.chance(15) ? PropertyValue.null : SampleValues.stored(slot.kind, &random)
                return BatchAssignment(slot: slot, value: .constant(value))
            }
    }
}
