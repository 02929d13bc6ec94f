import Foundation

extension BatchRowSource {
    /// The rows that a request asks to insert.
    static func make(
        for request: NSBatchInsertRequest, _ layout: EntityLayout, store: any RowStore, context: NSManagedObjectContext
    ) throws -> BatchRowSource {
        if let handler = request.managedObjectHandler {
            return BatchObjectSource(layout, store: store, type: context.objectClass(of: layout), handler)
        }
        if let handler = request.dictionaryHandler { return BatchHandlerSource(layout, store: store, handler) }
        return BatchListSource(layout, store: store, request.objectsToInsert ?? [])
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
            if let refused = object.extras?.refused[slot.name] {
                throw BatchValueError.unacceptable(refused.reason.sentence, key: slot.name, value: refused.value)
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
