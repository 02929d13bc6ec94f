package import Foundation

/// Which changes of an attribute's type an inferred mapping model allows.
///
/// A number may become a number of another type; whether each value fits is found out when the store is migrated (see
/// `NumberConversion`). All other types stay as they are.
package enum AttributeConversion {
    static func isPossible(from old: NSAttributeDescription, to new: NSAttributeDescription) -> Bool {
        // The store computes the values of derived attributes.
        if new is NSDerivedAttributeDescription { return true }
        if let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription {
            return isPossible(from: old, to: new)
        }
        let (from, to) = (old.attributeType, new.attributeType)
        return from == to || NumberConversion(from: from, to: to) != nil
    }

    private static func isPossible(
        from old: NSCompositeAttributeDescription, to new: NSCompositeAttributeDescription
    ) -> Bool {
        new.elements.allSatisfy { element in
            guard let former = old.former(of: element) else { return true }
            return isPossible(from: former, to: element)
        }
    }

    /// What has to be done with the values; nil if they stay as they are.
    package static func conversion(
        from old: NSAttributeDescription, to new: NSAttributeDescription
    ) -> NumberConversion? {
        guard !(new is NSDerivedAttributeDescription), old.attributeType != new.attributeType else { return nil }
        return NumberConversion(from: old.attributeType, to: new.attributeType)
    }

    /// A type in a sentence.
    package static func name(of type: NSAttributeType) -> String {
        let name = "\(type)"
        return name.hasSuffix("AttributeType") ? String(name.dropLast("AttributeType".count)) : name
    }

    /// The error of a value that doesn't fit the new type.
    ///
    /// - Parameters:
    ///   - value: The value as it is shown.
    ///   - object: The object's name, such as `Book/p3`.
    package static func misfit(
        _ value: String, ofType type: NSAttributeType, entity: String, attribute: String, object: String
    ) -> CocoaError {
        CoreDataError.make(
            NSMigrationError,
            "The store can't be migrated: the value \(value) of \(entity).\(attribute) of \(object) doesn't fit the type "
                + "\(name(of: type)).",
            userInfo: [
                "entity": entity, "attribute": attribute, "property": attribute, "object": object, "value": value,
                "reason": "A value of the source attribute doesn't fit the type of the destination attribute",
            ])
    }
}
