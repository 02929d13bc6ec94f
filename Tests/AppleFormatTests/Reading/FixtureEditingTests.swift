import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores of Apple's framework after an edit: whole, counted, and unchanged wherever nothing was edited.
@Suite(.enabled(if: Fixtures.available && SQLiteShell.isAvailable)) struct FixtureEditingTests {
    struct Refused: Error {}

    @Test(arguments: Fixtures.available ? FixtureStore.paths : [])
    func editsKeepWhatTheFormatPromises(path: String) throws {
        let fixture = try FixtureStore(path)
        let mapping = try fixture.store.mapping()
        guard let (entity, slab) = try largestEntity(fixture), let mapped = mapping[entity] else { return }
        let spared = try sparedTables(fixture, edited: mapped)
        let before = try dump(fixture, spared)
        let (first, last) = (0, slab.count - 1)
        let root = entity.root
        let reference = try fixture.store.allocateReferences(count: 1, root: root)

        var plan = SavePlan()
        plan.inserts = [try copy(of: last, in: slab, entity, reference: reference)]
        if let change = update(of: first, in: slab, entity) { plan.updates = [change] }
        if last > first {
            plan.deletes = [RowChange(entity: entity, reference: slab.reference(last), version: slab.version(last))]
        }
        guard case .saved = try fixture.store.execute(plan) else { throw Refused() }
        fixture.store.close()

        #expect(try fixture.shell("PRAGMA integrity_check") == ["ok"])
        let table = SQLName.quotedIfNeeded(mapped.table)
        let rows = try fixture.shell("SELECT Z_PK || ',' || Z_ENT || ',' || Z_OPT FROM \(table)")
        #expect(rows.contains("\(reference),\(mapped.number),1"))
        if let update = plan.updates.first {
            #expect(rows.contains("\(update.reference),\(mapped.number),\(update.version + 1)"))
        }
        if let delete = plan.deletes.first {
            #expect(!rows.contains { $0.hasPrefix("\(delete.reference),") })
        }
        let number = mapping[root]?.number ?? 0
        #expect(
            try fixture.shell(
                "SELECT Z_MAX >= (SELECT max(Z_PK) FROM \(table)) FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") == ["1"])
        let after = try dump(fixture, spared)
        for table in spared where before[table] != after[table] { Issue.record("\(table) has changed") }
        try readsAgain(path, fixture, entity, plan)
    }

    @Test func countsOfDerivedAttributesFollow() throws {
        let fixture = try FixtureStore("coredataplus/SampleModel2/SampleModel2_V1.sqlite")
        let page = try #require(fixture.coordinator.layout["Page"])
        var query = StoreQuery(entity: page)
        query.limit = 1
        let slab = try fixture.store.fetchRows(query)
        let slot = try #require(page.slot(named: "book"))
        guard case .reference(let book) = try slab.value(0, slot) else { throw Refused() }
        let count = try fixture.shell("SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK=\(book.reference)")
        var plan = SavePlan()
        plan.deletes = [RowChange(entity: page, reference: slab.reference(0), version: slab.version(0))]
        guard case .saved(let derived, _) = try fixture.store.execute(plan) else { throw Refused() }
        let expected = (Int64(count[0]) ?? 0) - 1
        #expect(derived.map(\.reference) == [book.reference])
        guard case .value(.integer(let value), _)? = derived.first?.content else { throw Refused() }
        #expect(value == expected)
        let changes = try fixture.shell(
            "SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE=2 AND ZENTITYPK=\(slab.reference(0))")
        #expect(changes == ["1"])
    }

    // MARK: Edits

    private func largestEntity(_ fixture: FixtureStore) throws -> (EntityLayout, RowSlab)? {
        var best: (EntityLayout, RowSlab)?
        let mapping = try fixture.store.mapping()
        for entity in fixture.entities where mapping[entity] != nil {
            var query = StoreQuery(entity: entity)
            query.includesSubentities = false
            query.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
            let slab = try fixture.store.fetchRows(query)
            if slab.count > best?.1.count ?? 0 { best = (entity, slab) }
        }
        return best
    }

    /// A new row with the values of another, but for those that must be unique.
    private func copy(of row: Int, in slab: RowSlab, _ entity: EntityLayout, reference: Int64) throws
        -> RowChange
    {
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: entity.slotCount)
        let unique = Set(
            sequence(first: entity, next: \.parent).flatMap { $0.entity.uniquenessConstraints }.flatMap { $0 }
                .map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" })
        for case let slot? in entity.slots where !unique.contains(slot.name) {
            values[slot.index] = try slab.value(row, slot)
        }
        return RowChange(entity: entity, reference: reference, version: 0, values: values)
    }

    /// A change of a text or number of a row.
    private func update(of row: Int, in slab: RowSlab, _ entity: EntityLayout) -> RowChange? {
        let slots = entity.slots.compactMap { $0 }.filter {
            !$0.isTransient && !($0.attribute is NSDerivedAttributeDescription)
        }
        guard
            let slot = slots.first(where: { $0.kind == .string })
                ?? slots.first(where: { [.integer16, .integer32, .integer64, .date].contains($0.kind) })
        else { return nil }
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: entity.slotCount)
        values[slot.index] =
            slot.kind == .string ? .string("Ediţie – edited") : slot.kind == .date ? .double(0.5) : .integer(77)
        return RowChange(
            entity: entity, reference: slab.reference(row), version: slab.version(row), values: values,
            slots: [slot.index])
    }

    private func readsAgain(
        _ path: String, _ fixture: FixtureStore, _ entity: EntityLayout, _ plan: SavePlan
    ) throws {
        let again = try FixtureStore(path, folder: fixture.folder, url: fixture.url, readOnly: true)
        guard let change = plan.updates.first, let slot = entity.slots[change.slots[0]],
            let layout = again.coordinator.layout[entity.name]
        else { return }
        let slab = try again.store.fetchRows(references: [change.reference], entity: layout, includesValues: true)
        #expect(slab.count == 1)
        #expect("\(try slab.value(0, slot))" == "\(change.values[slot.index])")
    }

    // MARK: What stays

    /// The tables that the edit of an entity's rows must not touch, not even by a trigger.
    private func sparedTables(_ fixture: FixtureStore, edited: EntityMapping) throws -> [String] {
        let tables = try fixture.shell(
            "SELECT name FROM sqlite_master WHERE type='table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'Z_RT%'"
        )
        let triggers = try fixture.shell(
            "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE type='trigger' AND tbl_name='\(edited.table)'"
        ).joined(separator: " ")
        let joins = edited.relationships.compactMap { relationship -> String? in
            if case .join(let join) = relationship { join.table } else { nil }
        }
        let hidden = edited.relationships.compactMap { relationship -> String? in
            if case .hidden(let table, _) = relationship { table } else { nil }
        }
        let touched = Set(
            [edited.table, "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] + joins + hidden)
        return tables.filter { !touched.contains($0) && !triggers.contains($0) }
    }

    private func dump(_ fixture: FixtureStore, _ tables: [String]) throws -> [String: String] {
        var result: [String: String] = [:]
        for table in tables {
            let columns = try fixture.shell("SELECT name FROM pragma_table_info('\(table)')")
                .map { "quote(\(SQLName.quoted($0)))" }.joined(separator: " || ',' || ")
            result[table] = try SQLiteShell.run(
                "SELECT \(columns) FROM \(SQLName.quoted(table)) ORDER BY rowid", on: fixture.url)
        }
        return result
    }
}
