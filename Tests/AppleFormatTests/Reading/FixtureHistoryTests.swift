import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Histories that Apple's framework recorded, compared with what the `sqlite3` command finds in their tables.
@Suite(.enabled(if: Fixtures.available && SQLiteShell.isAvailable)) struct FixtureHistoryTests {
    static let paths: [String] = FixtureStore.paths.filter { path in
        guard let url = try? Fixtures.url(path) else { return false }
        let count = try? SQLiteShell.run("SELECT count(*) > 0 FROM ACHANGE", on: url)
        return count == "1"
    }

    private func transactions(_ fixture: FixtureStore) throws -> [NSPersistentHistoryTransaction] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = fixture.coordinator
        let result = try context.performAndWait {
            try fixture.coordinator.execute(
                NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast), with: context)
        }
        let history = try #require(result as? NSPersistentHistoryResult)
        return try #require(history.result as? [NSPersistentHistoryTransaction])
    }

    @Test func fixturesWithHistoryAreThere() {
        #expect(Self.paths.count >= 4)
    }

    @Test(arguments: paths) func allTransactionsAndChangesAreRead(path: String) throws {
        let fixture = try FixtureStore(path, readOnly: true)
        let hasStrings =
            try fixture.shell("SELECT count(*) FROM sqlite_master WHERE name='ATRANSACTIONSTRING'") == ["1"]
        func text(_ column: String) -> String {
            hasStrings
                ? "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS)" : "t.\(column)"
        }
        let expected = try fixture.shell(
            "SELECT Z_PK, printf('%.3f', ZTIMESTAMP), ifnull(\(text("ZAUTHOR")), ''), ifnull(\(text("ZCONTEXTNAME")), ''), "
                + "ifnull(\(text("ZBUNDLEID")), ''), ifnull(\(text("ZPROCESSID")), '') FROM ATRANSACTION t ORDER BY Z_PK"
        )
        let found = try transactions(fixture)
        let described = found.map { transaction in
            let timestamp = String(format: "%.3f", transaction.timestamp.timeIntervalSinceReferenceDate)
            return [
                "\(transaction.transactionNumber)", timestamp, transaction.author ?? "", transaction.contextName ?? "",
                transaction.bundleID, transaction.processID,
            ].joined(separator: "|")
        }
        #expect(described == expected)
        let mapping = try fixture.store.mapping()
        let changes = found.flatMap { $0.changes ?? [] }.map { change in
            let number = mapping[change.changedObjectID.layout]?.number ?? 0
            return "\(change.changeID)|\(change.changeType.rawValue)|\(number)|\(change.changedObjectID.reference)|"
                + "\(change.transaction?.transactionNumber ?? 0)"
        }
        let rows = try fixture.shell(
            "SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY ZTRANSACTIONID, Z_PK")
        #expect(changes == rows)
    }

    @Test func changedPropertiesAreNamed() throws {
        let fixture = try FixtureStore("swiftdata-resources-manager/default.store", readOnly: true)
        let bits = try fixture.shell("SELECT Z_PK || ' ' || hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE=1")
        let hexByChange = Dictionary(
            bits.map { ($0.components(separatedBy: " ")[0], $0.components(separatedBy: " ")[1]) },
            uniquingKeysWith: { first, _ in first })
        // To-ones, attributes, to-manys, many-to-manys, each by name; the first has the highest bit.
        let orders = [
            "Item": ["craftingRecipe", "name"],
            "CraftingRecipe": ["producedItem", "producedItemCount", "requiredComponents"],
        ]
        var compared = 0
        for change in try transactions(fixture).flatMap({ $0.changes ?? [] }) where change.changeType == .update {
            guard let order = orders[change.changedObjectID.entity.name ?? ""] else { continue }
            let byte = try #require(UInt8(hexByChange["\(change.changeID)"] ?? "", radix: 16))
            let expected = order.enumerated().filter { byte & (0x80 >> UInt8($0.offset)) != 0 }.map(\.element)
            #expect(change.updatedProperties.map { Set($0.map(\.name)) } == Set(expected))
            compared += 1
        }
        #expect(compared > 5)
    }

    @Test func valuesOfDeletedObjectsAreRead() throws {
        var compared = 0
        for path in Self.paths {
            let fixture = try FixtureStore(path, readOnly: true)
            guard try fixture.shell("SELECT name FROM pragma_table_info('ACHANGE')").contains("ZTOMBSTONE0") else {
                continue
            }
            for change in try transactions(fixture).flatMap({ $0.changes ?? [] }) where change.changeType == .delete {
                let names = change.changedObjectID.entity.attributesByName.values
                    .filter { $0.preservesValueInHistoryOnDeletion && !$0.allowsExternalBinaryDataStorage }
                    .map(\.name).sorted()
                for (index, name) in names.enumerated() {
                    let value = try fixture.shell(
                        "SELECT ZTOMBSTONE\(index) FROM ACHANGE WHERE Z_PK=\(change.changeID) "
                            + "AND typeof(ZTOMBSTONE\(index)) IN ('text', 'integer')")
                    guard let text = value.first else { continue }
                    let kept = try #require(change.tombstone?[name], "\(path) \(name)")
                    if let string = kept as? String { #expect(string == text) }
                    if let number = kept as? NSNumber { #expect("\(number)" == text) }
                    compared += 1
                }
            }
        }
        #expect(compared > 0)
    }
}
