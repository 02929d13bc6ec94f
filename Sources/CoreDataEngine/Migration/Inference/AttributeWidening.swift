import Foundation

/// Which changes of an attribute's type keep every value.
enum AttributeWidening {
    private static let integers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    ]

    static func isPossible(from old: NSAttributeDescription, to new: NSAttributeDescription) -> Bool {
        // The store computes the values of derived attributes.
        if new is NSDerivedAttributeDescription { return true }
        if let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription {
            return isPossible(from: old, to: new)
        }
        let (from, to) = (old.attributeType, new.attributeType)
        if from == to { return true }
        if let first = integers.firstIndex(of: from), let second = integers.firstIndex(of: to) { return first < second }
        return from == .floatAttributeType && to == .doubleAttributeType
    }

    private static func isPossible(
        from old: NSCompositeAttributeDescription, to new: NSCompositeAttributeDescription
    ) -> Bool {
        new.elements.allSatisfy { element in
            guard let former = old.former(of: element) else { return true }
            return isPossible(from: former, to: element)
        }
    }

    /// A type in a sentence.
    static func name(of attribute: NSAttributeDescription) -> String {
        let name = "\(attribute.attributeType)"
        return name.hasSuffix("AttributeType") ? String(name.dropLast("AttributeType".count)) : name
    }
}
