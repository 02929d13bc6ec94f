import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Every value of every row of every store, beside what the `sqlite3` command says.
@Suite(.enabled(if: Fixtures.available && SQLiteShell.isAvailable)) struct FixtureReadingTests {
    @Test func mostFixturesCarryTheirModel() {
        #expect(FixtureStore.paths.count >= 20)
    }

    @Test(arguments: Fixtures.available ? FixtureStore.paths : [])
    func everyValueIsWhatTheFileHolds(path: String) throws {
        let fixture = try FixtureStore(path, readOnly: true)
        let mapping = try fixture.store.mapping()
        var rows: [String: Int] = [:]
        for entity in fixture.entities {
            guard let mapped = mapping[entity] else { continue }
            var query = StoreQuery(entity: entity)
            query.includesSubentities = false
            let slab = try fixture.store.fetchRows(query)
            rows[mapped.table, default: 0] += slab.count
            #expect(try fixture.store.countRows(query) == slab.count)
            let ours = lines(slab, entity, mapped).sorted()
            let theirs = try fixture.shell(Self.select(entity, mapped)).map(Self.withShortNumbers).sorted()
            for (mine, shell) in zip(ours, theirs) where mine != shell {
                Issue.record("\(entity.name): \(mine.prefix(400)) instead of \(shell.prefix(400))")
                break
            }
            #expect(ours.count == theirs.count)
        }
        for (table, count) in rows {
            let counted = try fixture.shell("SELECT count(*) FROM \(SQLName.quotedIfNeeded(table))")
            #expect(counted == ["\(count)"], "rows of \(table)")
        }
    }

    @Test(arguments: Fixtures.available ? FixtureStore.paths : [])
    func everyToManyIsWhatTheFileHolds(path: String) throws {
        let fixture = try FixtureStore(path, readOnly: true)
        let mapping = try fixture.store.mapping()
        for entity in fixture.entities {
            guard let mapped = mapping[entity] else { continue }
            var query = StoreQuery(entity: entity)
            query.includesSubentities = false
            query.includesValues = false
            let slab = try fixture.store.fetchRows(query)
            let owners = (0..<slab.count).map { slab.reference($0) }
            for relationship in entity.relationships where relationship.isToMany {
                guard let select = Self.pairs(mapped.mapping(relationship)) else { continue }
                let members = try fixture.store.fetchToMany(relationship, owners: owners, includesValues: true)
                var ours: [String] = []
                for (owner, range) in zip(owners, members.ranges) {
                    ours += range.map { "\(owner)|\(members.rows.reference($0))" }
                }
                let asked = Set(owners.map(String.init))
                var theirs = try fixture.shell(select).filter { asked.contains(String($0.prefix { $0 != "|" })) }
                if relationship.isOrdered {
                    // Each owner's own order counts.
                    ours = Self.byOwner(ours)
                    theirs = Self.byOwner(theirs)
                }
                if !relationship.isOrdered {
                    ours.sort()
                    theirs.sort()
                }
                #expect(ours == theirs, "\(entity.name).\(relationship.name)")
            }
        }
    }

    /// Sorted by owner, with the members of each in the order in which they came.
    private static func byOwner(_ pairs: [String]) -> [String] {
        pairs.enumerated().sorted { first, second in
            let (left, right) = (first.element.prefix { $0 != "|" }, second.element.prefix { $0 != "|" })
            return left == right ? first.offset < second.offset : left < right
        }.map(\.element)
    }

    // MARK: What the file holds

    /// All values of an entity's rows in a form without ambiguity: type, then digits or bytes.
    private static func select(_ entity: EntityLayout, _ mapped: EntityMapping) -> String {
        let columns =
            ["Z_OPT"]
            + entity.slots.compactMap { slot in slot.flatMap { mapped.column($0) } }
            .flatMap { $0.leaves.isEmpty ? [$0.name] : $0.leaves }
        let values = columns.map { column -> String in
            let name = SQLName.quotedIfNeeded(column)
            return "CASE typeof(\(name)) WHEN 'null' THEN 'n' WHEN 'integer' THEN 'i' || \(name) "
                + "WHEN 'real' THEN 'r' || printf('%!.17g', \(name)) ELSE 'b' || hex(\(name)) END"
        }
        return "SELECT Z_PK || '|' || \(values.joined(separator: " || '|' || ")) "
            + "FROM \(SQLName.quotedIfNeeded(mapped.table)) WHERE Z_ENT = \(mapped.number)"
    }

    private static func pairs(_ mapping: RelationshipMapping) -> String? {
        switch mapping {
        case .inverse(let table, let column), .hidden(let table, let column):
            let owner = SQLName.quotedIfNeeded(column.name)
            let order = column.orderColumn.map { "\(SQLName.quotedIfNeeded($0)), " } ?? ""
            return "SELECT \(owner), Z_PK FROM \(SQLName.quotedIfNeeded(table)) WHERE \(owner) NOT NULL "
                + "ORDER BY \(owner), \(order)Z_PK"
        case .join(let join):
            let table = SQLName.quotedIfNeeded(join.table)
            let (owner, member) = (
                SQLName.quotedIfNeeded(join.ownerColumn), SQLName.quotedIfNeeded(join.destinationColumn)
            )
            if join.isReflexive {
                return "SELECT \(owner), \(member) FROM \(table) UNION SELECT \(member), \(owner) FROM \(table)"
            }
            let order = join.orderColumn.map { "\(SQLName.quotedIfNeeded($0)), " } ?? ""
            return "SELECT \(owner), \(member) FROM \(table) ORDER BY \(owner), \(order)\(member)"
        case .toOne, .none: return nil
        }
    }

    // MARK: What was read

    private func lines(_ slab: RowSlab, _ entity: EntityLayout, _ mapped: EntityMapping) -> [String] {
        let slots = entity.slots.compactMap { $0 }.filter { mapped.column($0) != nil }
        return (0..<slab.count).map { row in
            let values = slots.flatMap { slot in
                slot.leaves.isEmpty ? [text(slab, row, slot, mapped)] : texts(ofComposite: slot, slab, row)
            }
            return "\(slab.reference(row))|i\(slab.version(row))|" + values.joined(separator: "|")
        }
    }

    private func texts(ofComposite slot: SlotLayout, _ slab: RowSlab, _ row: Int) -> [String] {
        let packed = slab.isNull(row, slot.index) ? Data() : slab.data(row, slot.index)
        let values = CompositeCoding.unpack(packed)
        return slot.leaves.indices.map { index in
            switch index < values.count ? values[index] : .null {
            case .null: "n"
            case .integer(let integer): "i\(integer)"
            case .real(let double): "r\(double)"
            case .text(let text): "b" + hex(Data(text.utf8))
            case .blob(let data): "b" + hex(data)
            }
        }
    }

    private func text(_ slab: RowSlab, _ row: Int, _ slot: SlotLayout, _ mapped: EntityMapping) -> String {
        if slab.isNull(row, slot.index) { return "n" }
        if mapped.column(slot)?.isExternal ?? false { return "b" + hex(slab.data(row, slot.index)) }
        guard let value = try? slab.value(row, slot) else { return "unreadable" }
        switch value {
        case .null: return "?"
        case .integer(let integer): return "i\(integer)"
        case .double(let double): return number(double, isWhole: slot.kind == .date)
        case .decimal(let box): return number(Double("\(box.value)") ?? .nan, isWhole: true)
        case .string(let text): return "b" + hex(Data(text.utf8))
        case .uri: return "b" + hex(Data(slab.string(row, slot.index).utf8))
        case .uuid(let uuid): return "b" + hex(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .data(let data): return "b" + hex(data)
        case .reference(let target): return "i\(target.reference)"
        case .object, .transformed: return "?"
        }
    }

    /// A number as the shell prints it: whole ones are integers in columns for dates and decimals.
    private func number(_ number: Double, isWhole: Bool) -> String {
        if isWhole, let integer = Int64(exactly: number) { return "i\(integer)" }
        return "r\(number)"
    }

    /// A line of the shell with the shortest texts of its numbers.
    private static func withShortNumbers(_ line: String) -> String {
        line.split(separator: "|", omittingEmptySubsequences: false).map { value in
            value.first == "r" ? "r\(Double(value.dropFirst()) ?? .nan)" : String(value)
        }.joined(separator: "|")
    }

    private func hex(_ data: Data) -> String { data.map { String(format: "%02X", $0) }.joined() }
}
