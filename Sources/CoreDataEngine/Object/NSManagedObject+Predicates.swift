import Foundation

extension NSManagedObject: KeyValueCoding {}

extension NSManagedObject: ThrowingKeyValueCoding {
    package func predicateValue(forKey key: String) throws -> Any? {
        if layout.slot(named: key) == nil, layout.relationship(named: key) == nil,
            entity.propertiesByName[key] == nil, !["self", "objectID", "entity"].contains(key),
            extras?.unmodeled[key] == nil, value(forKey: key) == nil,
            KeyedProperties.getter(key, of: type(of: self)) == nil
        {
            throw CoreDataError.make(
                NSCoreDataError, "The entity \(layout.name) has no property named '\(key)'.")
        }
        return value(forKey: key)
    }
}

extension NSManagedObject: ObjectIdentityComparable {
    package var predicateIdentity: AnyHashable { AnyHashable(objectID) }
}

extension NSManagedObjectID: ObjectIdentityComparable {
    package var predicateIdentity: AnyHashable { AnyHashable(self) }
}

extension NSManagedObject: NumberedObject {
    package var storedNumber: StoredNumber? { objectID.storedNumber }
}

extension NSManagedObjectID: NumberedObject {
    package var storedNumber: StoredNumber? {
        isTemporaryID ? nil : StoredNumber(storeIdentifier: storeIdentifier, number: reference)
    }
}
