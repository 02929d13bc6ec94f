import Foundation

/// A store that saves managed objects, which have permanent identifiers by then, and not rows alone.
package protocol ObjectStore: RowStore {
    /// Whether what identifies an object may depend on its values, so that it can't be known before these are set.
    var namesObjectsByContent: Bool { get }
    /// Permanent row numbers for new objects, in their order.
    func references(for objects: [NSManagedObject]) throws -> [Int64]
    /// Executes a plan, or changes nothing and returns why.
    ///
    /// - Parameters:
    ///   - plan: What to write; empty for a save without changes.
    ///   - objects: The objects of the plan's rows.
    ///   - context: The context that saves. Called on its queue.
    func execute(_ plan: SavePlan, objects: PlannedObjects, in context: NSManagedObjectContext) throws -> SaveOutcome
}

extension ObjectStore {
    package var namesObjectsByContent: Bool { true }
}

/// The objects of a plan's rows, in the plan's order.
package struct PlannedObjects {
    package var inserts: ContiguousArray<NSManagedObject> = []
    package var updates: ContiguousArray<NSManagedObject> = []
    package var deletes: ContiguousArray<NSManagedObject> = []

    package init() {}
}

extension SlotLayout {
    /// The stored form of a value that a store of the application's own gave.
    ///
    /// - Parameters:
    ///   - value: A value of the attribute's type, or `NSNull`.
    ///   - store: For the error's sentence.
    /// - Throws: `NSPersistentStoreOperationError` that names entity and property when the type doesn't fit.
    func storedValue(from value: Any?, givenBy store: NSPersistentStore) throws -> PropertyValue {
        if value == nil || value is NSNull { return .null }
        do {
            let converted = try propertyValue(from: value)
            guard case .transformed(let box) = converted else { return converted }
            guard let attribute, !(box.value is NSNull) else { return .null }
            if kind == .transformable { return .data(try TransformableCoding.encode(box.value, attribute: attribute)) }
            return converted
        } catch let error as UnacceptableValue {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(store.shortName) gave a value for \(owner.name).\(name) that doesn't fit. "
                    + error.sentence, path: store.url?.path)
        }
    }
}
