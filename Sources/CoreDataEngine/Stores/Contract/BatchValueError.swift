package import Foundation

/// The errors for values that a batch request can't store, with the codes that validation has.
package enum BatchValueError {
    package static func unacceptable(_ sentence: String, key: String, value: Any?) -> CocoaError {
        make(NSManagedObjectValidationError, sentence, key: key, value: value)
    }

    package static func missing(_ slot: SlotLayout, of layout: EntityLayout) -> CocoaError {
        make(
            NSValidationMissingMandatoryPropertyError, "\(slot.name) of \(layout.name) is a required value.",
            key: slot.name, value: nil)
    }

    package static func unknown(_ key: String, of layout: EntityLayout) -> CocoaError {
        make(
            NSCoreDataError, "The entity \(layout.name) has no property '\(key)' that a batch request could change.",
            key: key, value: nil)
    }

    package static func toMany(_ key: String, of layout: EntityLayout) -> CocoaError {
        make(
            NSCoreDataError,
            "'\(key)' of the entity \(layout.name) is a to-many relationship, which a batch request can't set.",
            key: key, value: nil)
    }

    /// What an expression gives has no room in the attribute.
    static func unfitting(_ key: String, of layout: EntityLayout) -> CocoaError {
        make(
            NSValidationNumberTooLargeError,
            "What is computed for '\(key)' of the entity \(layout.name) does not fit the attribute.", key: key,
            value: nil)
    }

    private static func make(_ code: Int, _ sentence: String, key: String, value: Any?) -> CocoaError {
        var info: [String: Any] = [NSValidationKeyErrorKey: key]
        if let value { info[NSValidationValueErrorKey] = value }
        return CoreDataError.make(code, sentence, userInfo: info)
    }
}

extension SlotLayout {
    /// The form in which a store keeps a value that an application gave to a batch request.
    ///
    /// - Throws: An error with the code that validation has, naming the property.
    func batchValue(_ value: Any?, in store: any RowStore) throws -> PropertyValue {
        if kind == .toOne { return try batchReference(value, in: store) }
        let stored: PropertyValue
        do {
            stored = try propertyValue(from: value is NSNull ? nil : value)
        } catch let error as UnacceptableValue {
            throw BatchValueError.unacceptable(error.sentence, key: name, value: value)
        }
        if case .integer(let number) = stored, let range = kind.integerRange, !range.contains(number) {
            throw CoreDataError.make(
                number > range.upperBound ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError,
                "\(number) does not fit the attribute \(name) of \(owner.name).",
                userInfo: [NSValidationKeyErrorKey: name, NSValidationValueErrorKey: NSNumber(value: number)])
        }
        return stored
    }

    private func batchReference(_ value: Any?, in store: any RowStore) throws -> PropertyValue {
        guard let value = OptionalValue.flatten(value), !(value is NSNull) else { return .null }
        guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID, let relationship else {
            throw BatchValueError.unacceptable(
                "Unacceptable type of value for to-one relationship: property = \"\(name)\"; desired type = "
                    + "\(relationship?.destination.name ?? "NSManagedObject"); given type = \(type(of: value)).",
                key: name, value: value)
        }
        guard !id.isTemporaryID, id.storeIdentifier == store.identifier else {
            throw BatchValueError.unacceptable(
                "The object \(id) for \"\(name)\" of \(owner.name) is not saved in the store of the batch request.",
                key: name, value: value)
        }
        guard let entity = owner.model[id.layout.name], entity.isKind(of: relationship.destination) else {
            throw BatchValueError.unacceptable(
                "Unacceptable type of value for to-one relationship: property = \"\(name)\"; desired entity = "
                    + "\(relationship.destination.name); given entity = \(id.layout.name).", key: name, value: value)
        }
        return .reference(
            ObjectReference(reference: id.reference, entityIndex: Int32(truncatingIfNeeded: entity.index)))
    }
}
