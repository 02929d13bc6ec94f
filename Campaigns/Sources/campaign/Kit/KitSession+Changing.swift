import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// Writes, drafts, imports and batches.
extension KitSession {
    struct Refusal: Error {}

    func write() async throws {
        let changes = makeChanges()
        let code = Int64(100 + random.below(20))
        let row = GoodsRow.random(code, &random)
        let id = try await database.write { context in
            for change in changes { try change.apply(in: context) }
            try row.put(in: context)
            return try context.object(Item.self, key: code)?.objectID
        }
        apply(changes + [.put(row)])
        guard let id, !id.isTemporaryID else { throw KitCampaign.failure("A write gives no permanent identifier") }
        let found = try database.main.existingObject(with: id) as? Item
        if configuration.layout == .manual, let found { database.main.refresh(found, mergeChanges: false) }
        guard found?.row == row else {
            throw KitCampaign.failure("An identifier leads to something else", "\(row), \(found?.row as Any)")
        }
    }

    func writeAndFail() async throws {
        let changes = makeChanges()
        let isInvalid = random.chance(50)
        do {
            try await database.write { context in
                for change in changes { try change.apply(in: context) }
                guard isInvalid else { throw Refusal() }
                try GoodsRow(code: 999, title: nil).put(in: context)
            }
            throw KitCampaign.failure("A write that fails says nothing")
        } catch is Refusal {
            if isInvalid { throw KitCampaign.failure("A write throws something else") }
        } catch DatabaseError.validation {
            if !isInvalid { throw KitCampaign.failure("A write throws something else") }
        }
    }

    func writeConcurrently() async throws {
        let rows = (0..<(2 + random.below(4))).map { number in
            GoodsRow.random(Int64(200 + number * 10 + random.below(10)), &random, hasShelf: false)
        }
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for row in rows { group.addTask { try await database.write { try row.put(in: $0) } } }
            try await group.waitForAll()
        }
        apply(rows.map { .put($0) })
    }

    func read() async throws {
        let code = goods.items.keys.sorted().first ?? 0
        let changes = makeChanges()
        let (count, row) = try await database.read { context in
            (try context.count(Query(Item.self)), try context.object(Item.self, key: code)?.row)
        }
        // What a read changes is refused.
        do {
            let changed = try await database.read { context in
                for change in changes { try change.apply(in: context) }
                return context.hasChanges
            }
            if changed { throw KitCampaign.failure("A read that changes something says nothing") }
        } catch DatabaseError.readOnly {}
        guard count == goods.items.count, row == goods.items[code] else {
            throw KitCampaign.failure("A read finds something else", "\(count) of \(goods.items.count), \(row as Any)")
        }
    }

    func changeMain(saves: Bool) async throws {
        let changes = makeChanges()
        let main = database.main
        for change in changes { try change.apply(in: main) }
        if random.chance(30) { main.processPendingChanges() }
        if random.chance(30) { await Task.yield() }
        guard saves else { return main.rollback() }
        try await main.saveToStore()
        apply(changes)
    }

    func draft(commits: Bool) async throws {
        let draft = random.chance(40) ? database.main.draft() : database.draft()
        for _ in 0...random.below(3) {
            let changes = makeChanges()
            try await draft.perform { context in for change in changes { try change.apply(in: context) } }
            if commits {
                try await draft.commit()
                apply(changes)
            }
        }
        if !commits { await draft.discard() }
        if commits, random.chance(30), try await draft.commit() == .saved {
            throw KitCampaign.failure("A draft without changes saves something")
        }
    }

    /// A draft on a draft: what the inner one commits goes up to the stores with all below it.
    func draftOnDraft() async throws {
        let outer = database.draft()
        let changes = makeChanges()
        let inner = try await outer.perform { context in
            for change in changes { try change.apply(in: context) }
            return context.draft()
        }
        var copy = goods
        copy.apply(changes)
        let others = copy.changes(&random, atMost: 4)
        note(others)
        let seen = try await inner.perform { context in
            let seen = try Goods.read(context)
            for change in others { try change.apply(in: context) }
            return seen
        }
        try copy.check(seen, "inner draft")
        if random.chance(30) {
            await inner.discard()
            try await outer.commit()
            return apply(changes)
        }
        try await inner.commit()
        apply(changes + others)
    }

    func correctDraft() async throws {
        let draft = database.draft()
        let changes = makeChanges()
        try await draft.perform { context in
            for change in changes { try change.apply(in: context) }
            try GoodsRow(code: 999, title: nil).put(in: context)
        }
        do {
            try await draft.commit()
            throw KitCampaign.failure("A draft that is not valid is saved")
        } catch DatabaseError.validation {}
        if random.chance(50) { return await draft.discard() }
        let row = GoodsRow.random(999, &random)
        try await draft.perform { try row.put(in: $0) }
        try await draft.commit()
        apply(changes + [.put(row)])
    }

    // MARK: Imports

    private func makeRows() -> [GoodsRow] {
        (0..<(1 + random.below(40))).map { _ in .random(Int64(1 + random.below(90)), &random) }
    }

    func importRows() async throws {
        let (rows, size) = (makeRows(), random.pick([0, 1, 3, 10, 100]))
        let known = Set(goods.items.keys)
        let outcome = try await database.importing { context in
            try context.upsert(rows, into: Item.self, batchSize: size, key: \.code) { try $0.fill($1, in: context) }
        }
        apply(rows.map { .put($0) })
        let codes = Set(rows.map(\.code))
        guard outcome.inserted == codes.subtracting(known).count else {
            throw KitCampaign.failure("An import counts something else", "\(outcome)")
        }
    }

    func importAndFail() async throws {
        let (rows, size) = (makeRows(), random.pick([0, 1, 3, 10]))
        let last = random.below(rows.count)
        let before = goods
        do {
            _ = try await database.importing { context in
                var number = 0
                try context.upsert(rows, into: Item.self, batchSize: size, key: \.code) { row, item in
                    if number == last { throw Refusal() }
                    number += 1
                    try row.fill(item, in: context)
                }
            }
            throw KitCampaign.failure("An import that fails says nothing")
        } catch is Refusal {}
        // Batches before the one that failed don't stay either.
        try goods.check(before, "after an import that failed")
    }

    /// Tasks that are cancelled do all or nothing.
    func cancel() async throws {
        let (changes, rows, isImport) = (makeChanges(), makeRows(), random.chance(50))
        let database = database
        let task = Task {
            guard isImport else {
                try await database.write { context in for change in changes { try change.apply(in: context) } }
                return
            }
            _ = try await database.importing { context in
                try context.upsert(rows, into: Item.self, batchSize: 5, key: \.code) { try $0.fill($1, in: context) }
            }
        }
        for _ in 0..<random.below(4) { await Task.yield() }
        if random.chance(50) { try await Task.sleep(nanoseconds: UInt64(random.below(2_000_000))) }
        task.cancel()
        do {
            try await task.value
            apply(isImport ? rows.map { .put($0) } : changes)
            noteUnchecked("cancelled too late")
        } catch is CancellationError { noteUnchecked("cancelled in time") }
    }

    // MARK: Without objects

    func batch() async throws {
        guard configuration.stores[0].type == .sqlite else { return }
        let (score, other, deletes) = (Int64(random.below(9)), Int64(random.below(9)), random.chance(50))
        let expected = goods.items.values.count { $0.score == score }
        let count = try await database.write { context in
            let query = Query(Item.self).filter(NSPredicate(format: "score == %d", score))
            return deletes ? try context.batchDelete(query) : try context.batchUpdate(query, set: ["score": other])
        }
        guard count == expected else { throw KitCampaign.failure("A batch counts something else", "\(count)") }
        if deletes {
            apply([.clear(score)])
        } else {
            let codes = goods.rows.filter { $0.score == score }.map(\.code)
            apply(codes.map { .score($0, other) })
        }
        // Other contexts find it with their next fetch.
        database.main.refreshAllObjects()
        try refetchLists()
    }

    func summarize() throws {
        let main = database.main
        if configuration.layout == .manual { main.refreshAllObjects() }
        let sum = try main.value(Query(Item.self).sum(\.score)) as Int64?
        guard sum ?? 0 == goods.items.values.reduce(0, { $0 + $1.score }) else {
            throw KitCampaign.failure("A sum is something else", "\(sum as Any)")
        }
        let score = Int64(random.below(9))
        let query = Query(Item.self).filter(NSPredicate(format: "score >= %d", score))
            .sorted(NSSortDescriptor(key: "code", ascending: true))
        let (limit, offset) = (1 + random.below(8), random.below(4))
        let wanted = goods.rows.filter { $0.score >= score }
        let found = try main.all(query.offset(offset).limit(limit)).map(\.row)
        guard found == Array(wanted.dropFirst(offset).prefix(limit)), try main.count(query) == wanted.count,
            try main.first(query)?.row == wanted.first
        else { throw KitCampaign.failure("A query finds something else", "\(found), not \(wanted)") }
    }
}
