import Foundation

/// Makes changes of the rows of ACHANGE that are about one entity.
struct HistoryChangeDecoder {
    private let entity: EntityMapping
    private let store: NSPersistentStore
    private let columns: HistoryColumns
    private let tombstones: [SlotLayout]

    init(_ entity: EntityMapping, store: NSPersistentStore) {
        self.entity = entity
        self.store = store
        columns = HistoryColumns(entity)
        tombstones = HistoryTables.tombstones(of: entity)
    }

    /// Reads number, type, entity, row, transaction, changed columns, and the values that were kept.
    func change(_ row: [SQLValue], in transaction: HistoryTransactionRecord) -> HistoryChangeRecord? {
        guard case .integer(let number) = row[0], case .integer(let rawType) = row[1],
            let type = NSPersistentHistoryChangeType(rawValue: Int(truncatingIfNeeded: rawType)),
            case .integer(let reference) = row[3], reference >= 0
        else { return nil }
        var change = HistoryChangeRecord(
            transaction: transaction, number: number, type: type,
            objectID: NSManagedObjectID(layout: entity.layout, reference: reference, store: store))
        switch type {
        case .insert: break
        case .update:
            if case .blob(let bits) = row[5] {
                change.updatedProperties = columns.names(in: [UInt8](bits))
            } else {
                change.updatedProperties = []
            }
        case .delete: change.tombstone = tombstone(row.dropFirst(6)).map { SendableBox($0) }
        }
        return change
    }

    private func tombstone(_ values: ArraySlice<SQLValue>) -> [AnyHashable: Any]? {
        guard !tombstones.isEmpty else { return nil }
        var kept: [AnyHashable: Any] = [:]
        for (slot, value) in zip(tombstones, values) {
            if let value = slot.any(from: PropertyValue(value, kind: slot.kind)) { kept[slot.name] = value }
        }
        return kept
    }
}
