/// Key paths as names, and names as properties of a model.
package enum PropertyPath {
    /// What a path leads to.
    package enum Target {
        case attribute(NSAttributeDescription)
        case toOne(NSRelationshipDescription)
        case toMany(NSRelationshipDescription)
    }

    /// A key path that is no property of a model.
    struct Nameless: LocalizedError {
        let keyPath: String
        var errorDescription: String? {
            "The key path \(keyPath) reads no property of the model, or one by an accessor that the engine can't follow."
        }
    }

    /// The name of a key path in Core Data's spelling, such as `author.name`.
    static func name(of keyPath: AnyKeyPath) throws -> String {
        guard let name = KeyPathNames.name(of: keyPath) else { throw Nameless(keyPath: "\(keyPath)") }
        return name
    }

    /// The property at the end of a path over relationships.
    ///
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` that names the path and what the entity has.
    package static func target(of path: String, from layout: EntityLayout) throws -> Target {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var owner = layout
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if let relationship = owner.relationship(named: key) {
                if isLast {
                    return relationship.isToMany ? .toMany(relationship.description) : .toOne(relationship.description)
                }
                owner = relationship.destination
                continue
            }
            guard let attribute = owner.slot(named: key)?.attribute else {
                throw unknown(key, in: path, of: owner, layout)
            }
            if isLast { return .attribute(attribute) }
            guard let element = element(keys[(index + 1)...], of: attribute) else {
                throw unknown(keys[index + 1], in: path, of: owner, layout)
            }
            return .attribute(element)
        }
        throw unknown(path, in: path, of: layout, layout)
    }

    private static func element(_ keys: ArraySlice<String>, of attribute: NSAttributeDescription)
        -> NSAttributeDescription?
    {
        var current = attribute
        for key in keys {
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *),
                let composite = current as? NSCompositeAttributeDescription,
                let next = composite.elements.first(where: { $0.name == key })
            else { return nil }
            current = next
        }
        return current
    }

    private static func unknown(_ key: String, in path: String, of owner: EntityLayout, _ layout: EntityLayout)
        -> DatabaseError
    {
        let names = owner.entity.propertiesByName.keys.sorted().joined(separator: ", ")
        let suffix = key == path ? "" : " in '\(path)'"
        return .invalidQuery(
            entity: layout.name, reason: "\(owner.name) has no property '\(key)'\(suffix). It has: \(names).")
    }
}
