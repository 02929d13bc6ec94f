package import OpenCoreData

extension NSEntityDescription {
    /// Names of attributes that name an object, the likeliest first.
    private static let usualNames = [
        "name", "title", "label", "displayName", "fullName", "subject", "key", "identifier",
    ]

    /// The attribute whose value people would call an object by: the string that is most like a name.
    package var namingAttribute: NSAttributeDescription? {
        let strings = storedAttributes.filter { $0.attributeType == .stringAttributeType }
        let names = Self.usualNames.map { $0.lowercased() }
        for name in names {
            if let found = strings.first(where: { $0.name.lowercased() == name }) { return found }
        }
        for name in names {
            if let found = strings.first(where: { $0.name.lowercased().hasSuffix(name) }) { return found }
        }
        return strings.first
    }

    /// The attributes of which each set of values is there once, by constraint; those that the entity inherits too.
    package var uniqueKeys: [[String]] { uniqueConstraints.map(\.keys) }

    /// The unique constraints, each with the entity that declares it.
    var uniqueConstraints: [(entity: NSEntityDescription, keys: [String])] {
        let inherited = superentity?.uniqueConstraints ?? []
        let own = uniquenessConstraints.map { $0.compactMap(Self.propertyName) }
            .filter { keys in !keys.isEmpty && !inherited.contains { $0.keys == keys } }
        return inherited + own.map { (self, $0) }
    }

    private static func propertyName(_ part: Any) -> String? {
        part as? String ?? (part as? NSPropertyDescription)?.name
    }
}
