import Foundation

/// A row as predicates and sort descriptors see it: an object with keys.
///
/// Within one session there is one for each row, so identity is equality.
final class InMemoryRow: NSObject, ThrowingKeyValueCoding, NumberedObject {
    let record: InMemoryRecord
    private weak var session: InMemorySession?

    init(record: InMemoryRecord, session: InMemorySession) {
        self.record = record
        self.session = session
        super.init()
    }

    var objectReference: ObjectReference {
        ObjectReference(reference: record.reference, entityIndex: Int32(record.entity.index))
    }

    /// The value of a property, the row itself for `self` and `objectID`, or the entity.
    ///
    /// - Throws: An error that names the key when no entity of the row's tree has such a property.
    func predicateValue(forKey key: String) throws -> Any? {
        let entity = record.entity
        if let slot = entity.slot(named: key) { return try value(of: slot) }
        if let relationship = entity.relationship(named: key) {
            return session?.destinations(of: relationship, owner: record.reference) ?? []
        }
        switch key {
        case "self", "SELF", "objectID": return self
        case "entity": return entity.entity
        default: break
        }
        if let found = entity.root.subtree.first(where: { $0.slot(named: key) != nil }), found !== entity { return nil }
        if entity.root.subtree.contains(where: { $0.relationship(named: key) != nil }) { return [InMemoryRow]() }
        throw CoreDataError.make(
            NSCoreDataError, "The entity \(entity.name) has no property '\(key)' that a predicate or sort could use.")
    }

    private func value(of slot: SlotLayout) throws -> Any? {
        guard !slot.isTransient else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The property '\(slot.name)' of the entity \(record.entity.name) is transient, so a store can't search it."
            )
        }
        let value = try session?.value(of: slot, in: record) ?? record.values[slot.index]
        // SQL stores have no value that is no number, but NULL.
        switch value {
        case .double(let number) where number.isNaN: return nil
        case .decimal(let box) where box.value.isNaN: return nil
        default: break
        }
        guard slot.kind == .toOne else { return slot.any(from: value) }
        guard case .reference(let target) = value, let root = slot.relationship?.destination.root else { return nil }
        return session?.row(target, root: root)
    }

    /// The stored value of a property, without making an object of it.
    func storedValue(_ slot: SlotLayout) -> PropertyValue {
        slot.index < record.values.count ? record.values[slot.index] : .null
    }

    func append(to slab: RowSlab) {
        if slab.hasValues {
            slab.append(
                reference: record.reference, entity: record.entity, version: record.version, values: record.values)
        } else {
            slab.appendRow(
                reference: record.reference, entityIndex: record.entity.index, version: record.version)
        }
    }

    /// Where rows have no store, they are all of the same one.
    var storedNumber: StoredNumber? {
        StoredNumber(storeIdentifier: session?.storeIdentifier ?? "", number: record.reference)
    }

    override var description: String { "\(record.entity.name)/p\(record.reference)" }
}
