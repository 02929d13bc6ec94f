import Foundation

/// Apple's version hashes, style 3: what a store keeps to recognize the model it was written with.
///
/// Names are UTF-8 without a terminator, integers little-endian, and properties enter in the order of their names'
/// bytes. Transient and fetched properties are left out, and so is all that does not change what is stored: default
/// values, validation, delete rules, indexes, classes, user info.
///
/// A composite attribute enters by its leaves alone: names, types and optionality of composites do not matter. A derived
/// attribute enters by its expression alone.
enum VersionHash {
    /// A rule for the kinds of attributes whose layout was found late.
    enum Rule {
        /// Apple's.
        case apple
        /// That of earlier versions of this library, whose stores are still to be recognized: a derived attribute was
        /// hashed as a plain one, and a composite within a composite as an element.
        case former
    }

    /// The hash of a property by itself.
    static func of(_ property: NSPropertyDescription, by rule: Rule = .apple) -> Data {
        if let composite = property as? NSCompositeAttributeDescription { return of(composite, by: rule) }
        if rule == .apple, let derived = property as? NSDerivedAttributeDescription {
            return SHA256.hash(Data((derived.derivationText ?? "").utf8))
        }
        var message = base(property)
        if let attribute = property as? NSAttributeDescription {
            append(attribute, to: &message)
        } else if let relationship = property as? NSRelationshipDescription {
            append(relationship, to: &message)
        }
        return SHA256.hash(message)
    }

    /// The hash of an entity with all its properties, inherited ones included.
    static func of(_ entity: NSEntityDescription, by rule: Rule = .apple) -> Data {
        var message = Data((entity.name ?? "").utf8)
        message.append(entity.isAbstract ? 1 : 0)
        if let parent = entity.superentity {
            message.append(rule == .apple ? parent.versionHash : parent.knownVersionHash ?? of(parent, by: rule))
        }
        for property in entity.properties.filter(\.isPersistent).sorted(by: { precedes($0.name, $1.name) }) {
            message.append(rule == .apple ? property.versionHash : of(property, by: rule))
        }
        message.append(contentsOf: (entity.versionHashModifier ?? "").utf8)
        let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: precedes) { message.append(contentsOf: constraint.utf8) }
        return SHA256.hash(message)
    }

    /// The digest of a whole model for a store's metadata, in base64.
    static func digest(of hashes: [String: Data]) -> String {
        var message = Data()
        for name in hashes.keys.sorted(by: precedes) {
            message.append(contentsOf: name.utf8)
            message.append(hashes[name] ?? Data())
        }
        return SHA512.hash(message).base64EncodedString()
    }

    /// The checksum of a whole model for a store's metadata and for the version list of a compiled model, in base64.
    static func checksum(of hashes: [String: Data]) -> String {
        var message = Data()
        for name in hashes.keys.sorted(by: precedes) { message.append(hashes[name] ?? Data()) }
        return SHA256.hash(message).base64EncodedString()
    }

    /// The order of names in hashes: by code point, with regard to case.
    static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    private static func base(_ property: NSPropertyDescription) -> Data {
        var message = Data(property.name.utf8)
        message.append((property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0))
        message.append(0)
        message.append(contentsOf: (property.versionHashModifier ?? "").utf8)
        return SHA256.hash(message)
    }

    private static func append(_ attribute: NSAttributeDescription, to message: inout Data) {
        append(Int32(attribute.attributeType.rawValue), to: &message)
        if attribute.allowsExternalBinaryDataStorage { message.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
    }

    private static func of(_ composite: NSCompositeAttributeDescription, by rule: Rule) -> Data {
        let elements = rule == .apple ? composite.declaredLeaves(path: "").map(\.attribute) : composite.elements
        // Stable, so that elements of one name stay in their order.
        let sorted = elements.enumerated().sorted { first, second in
            first.element.name == second.element.name
                ? first.offset < second.offset : precedes(first.element.name, second.element.name)
        }
        return SHA256.hash(sorted.reduce(into: Data()) { $0.append(of($1.element, by: rule)) })
    }

    private static func append(_ relationship: NSRelationshipDescription, to message: inout Data) {
        message.append(contentsOf: (relationship.destinationEntityName ?? "").utf8)
        let isOwnInverse =
            relationship.inverseRelationship === relationship
            || (relationship.inverseRelationshipName == relationship.name
                && relationship.destinationEntityName == relationship.declaringEntity?.name)
        if !isOwnInverse { message.append(contentsOf: (relationship.inverseRelationshipName ?? "").utf8) }
        append(Int32(clamping: relationship.maxCount), to: &message)
        append(Int32(clamping: relationship.minCount), to: &message)
        if relationship.isOrdered { message.append(contentsOf: [1, 0]) }
    }

    private static func append(_ value: Int32, to message: inout Data) {
        withUnsafeBytes(of: value.littleEndian) { message.append(contentsOf: $0) }
    }
}
