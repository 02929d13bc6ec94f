import Foundation

/// Gives the rows of a batch insert, one after the other.
package class BatchRowSource {
    let layout: EntityLayout
    let store: any RowStore
    /// The properties that can be given.
    let slots: [SlotLayout]

    init(_ layout: EntityLayout, store: any RowStore) {
        self.layout = layout
        self.store = store
        slots = layout.slots.compactMap { $0 }.filter { !$0.isTransient && !$0.isDerived }
    }

    /// The next row; `nil` after the last one.
    ///
    /// - Throws: An error that names a property whose value is missing or doesn't fit.
    package func next() throws -> BatchRow? { nil }

    static func make(
        for request: NSBatchInsertRequest, _ layout: EntityLayout, store: any RowStore, context: NSManagedObjectContext
    ) throws -> BatchRowSource {
        if let handler = request.managedObjectHandler {
            return BatchObjectSource(layout, store: store, type: context.objectClass(of: layout), handler)
        }
        if let handler = request.dictionaryHandler { return BatchHandlerSource(layout, store: store, handler) }
        return BatchListSource(layout, store: store, request.objectsToInsert ?? [])
    }

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

/// Rows from an array of dictionaries.
private final class BatchListSource: BatchRowSource {
    private var rest: ArraySlice<[String: Any]>

    init(_ layout: EntityLayout, store: any RowStore, _ dictionaries: [[String: Any]]) {
        rest = dictionaries[...]
        super.init(layout, store: store)
    }

    override func next() throws -> BatchRow? {
        guard let dictionary = rest.popFirst() else { return nil }
        return try row(count: dictionary.count) { dictionary[$0] }
    }
}

/// Rows from a block that fills a dictionary.
private final class BatchHandlerSource: BatchRowSource {
    private let handler: (NSMutableDictionary) -> Bool
    private let dictionary = NSMutableDictionary()

    init(_ layout: EntityLayout, store: any RowStore, _ handler: @escaping (NSMutableDictionary) -> Bool) {
        self.handler = handler
        super.init(layout, store: store)
    }

    override func next() throws -> BatchRow? {
        dictionary.removeAllObjects()
        if handler(dictionary) { return nil }
        return try row(count: dictionary.count) { dictionary.object(forKey: $0) }
    }
}

/// Rows from a block that fills an object, the same one each time.
private final class BatchObjectSource: BatchRowSource {
    private let handler: (NSManagedObject) -> Bool
    private let object: NSManagedObject

    init(
        _ layout: EntityLayout, store: any RowStore, type: NSManagedObject.Type,
        _ handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.handler = handler
        object = type.init(entity: layout.entity, insertInto: nil)
        super.init(layout, store: store)
    }

    override func next() throws -> BatchRow? {
        let extras = ObjectExtras()
        extras.values = layout.makeInitialValues()
        extras.model = layout.entity.owner
        object.extras = extras
        if handler(object) { return nil }
        return try row(of: object)
    }

    private func row(of object: NSManagedObject) throws -> BatchRow {
        var row = BatchRow(values: layout.defaults, given: [])
        for slot in slots {
            if let invalid = object.extras?.unmodeled[NSManagedObject.invalidKey(slot.name)]
                as? (Any?, UnacceptableValue)
            {
                throw BatchValueError.unacceptable(invalid.1.sentence, key: slot.name, value: invalid.0)
            }
            var value = object.currentValue(slot.index)
            if case .object(let destination) = value { value = try slot.batchValue(destination, in: store) }
            guard !value.isEqual(to: row.values[slot.index]) else { continue }
            if case .integer = value { value = try slot.batchValue(slot.any(from: value), in: store) }
            row.values[slot.index] = value
            row.given.append(slot.index)
        }
        for relationship in layout.relationships
        where relationship.isToMany && object.toManyStateIfAny(relationship)?.hasChanges == true {
            throw BatchValueError.toMany(relationship.name, of: layout)
        }
        try check(row)
        return row
    }
}
