import Foundation

/// Gives the rows of a batch insert, one after the other.
package class BatchRowSource {
    let layout: EntityLayout
    let store: any RowStore
    /// The properties that can be given.
    package let slots: [SlotLayout]

    init(_ layout: EntityLayout, store: any RowStore) {
        self.layout = layout
        self.store = store
        slots = layout.slots.compactMap { $0 }.filter { !$0.isTransient && !$0.isDerived }
    }

    /// The next row; `nil` after the last one.
    ///
    /// - Throws: An error that names a property whose value is missing or doesn't fit.
    package func next() throws -> BatchRow? { nil }

    /// A row of given values.
    ///
    /// - Parameters:
    ///   - count: How many keys were given.
    ///   - value: The value under a key; `nil` when it was not given.
    final func row(count: Int, value: (String) -> Any?) throws -> BatchRow {
        var row = BatchRow(values: layout.defaults, given: [])
        for slot in slots {
            guard let given = value(slot.name) else { continue }
            row.values[slot.index] = try slot.batchValue(given, in: store)
            row.given.append(slot.index)
        }
        if row.given.count < count {
            for relationship in layout.relationships where relationship.isToMany && value(relationship.name) != nil {
                throw BatchValueError.toMany(relationship.name, of: layout)
            }
        }
        try check(row)
        return row
    }

    /// Throws when a mandatory attribute has no value. The model's other rules don't bind batches.
    final func check(_ row: BatchRow) throws {
        for slot in slots where slot.kind != .toOne && row.values[slot.index].isNull && !slot.isOptional {
            throw BatchValueError.missing(slot, of: layout)
        }
    }
}
