import Foundation

/// Which section an object belongs to.
struct SectionNaming {
    let keyPath: String
    /// The attribute's slot, for a key path that is one stored attribute.
    private let slot: SlotLayout?
    /// Whether the model knows all of the key path.
    let isModeled: Bool

    /// - Throws: An error that names the key that can't be a section's.
    init(_ keyPath: String, _ entity: EntityLayout) throws {
        self.keyPath = keyPath
        let end = try ModelKeyPath.resolve(keyPath, entity, purpose: "a section name")
        isModeled = end.isModeled
        slot = keyPath.contains(".") || end.slot?.isTransient == true || end.slot?.kind == .toOne ? nil : end.slot
    }

    /// The name of an object's section: the value at the key path as a string, "" for a missing one.
    ///
    /// - Throws: An error for a key that neither the model nor the class knows.
    func name(of object: AnyObject) throws -> String {
        if let slot, let object = object as? NSManagedObject {
            return Self.string(slot.any(from: object.valueWithoutFiring(slot)))
        }
        if let dictionary = object as? DictionaryResult {
            return Self.string(try KeyValueAccess.value(of: dictionary.value, forKeyPath: keyPath))
        }
        if isModeled, let object = object as? NSManagedObject { return Self.string(object.value(forKeyPath: keyPath)) }
        return Self.string(try KeyValueAccess.value(of: object, forKeyPath: keyPath))
    }

    private static func string(_ value: Any?) -> String {
        guard let value = OptionalValue.flatten(value) else { return "" }
        if let string = value as? String { return string }
        switch PredicateValue(value) {
        case .none: return ""
        case .date(let date): return ValueDescription.string(of: date)
        case let known: return known.string ?? ValueDescription.string(of: value)
        }
    }
}

/// A key path over to-ones, looked up in the model.
enum ModelKeyPath {
    /// The property at the end.
    struct End {
        /// The attribute or to-one; `nil` for a key that the model doesn't know, and for what isn't looked into.
        var slot: SlotLayout?
        /// Whether the model knows the whole key path.
        var isModeled: Bool
    }

    /// - Throws: An error if the key path contains a to-many relationship, or continues after an attribute.
    static func resolve(_ keyPath: String, _ entity: EntityLayout, purpose: String) throws -> End {
        var layout = entity
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, key) in keys.enumerated() {
            if key.hasPrefix("@") { return End(slot: nil, isModeled: true) }
            if let relationship = layout.relationship(named: key) {
                let next = index + 1 < keys.count ? keys[index + 1] : ""
                if next.hasPrefix("@") { return End(slot: nil, isModeled: true) }
                guard !relationship.isToMany else {
                    throw error("'\(keyPath)' can't be \(purpose): \(layout.name).\(key) leads to many objects.")
                }
                if index == keys.count - 1 { return End(slot: layout.slot(named: key), isModeled: true) }
                layout = relationship.destination
            } else if let slot = layout.slot(named: key) {
                guard index == keys.count - 1 || slot.kind == .composite else {
                    throw error("'\(keyPath)' can't be \(purpose): \(layout.name).\(key) is an attribute.")
                }
                return End(slot: index == keys.count - 1 ? slot : nil, isModeled: true)
            } else {
                guard !key.isEmpty else { throw error("'\(keyPath)' can't be \(purpose): it has an empty key.") }
                return End(slot: nil, isModeled: ["self", "objectID", "entity"].contains(key))
            }
        }
        return End(slot: nil, isModeled: false)
    }

    static func error(_ sentence: String) -> CocoaError { CoreDataError.make(NSCoreDataError, sentence) }
}
