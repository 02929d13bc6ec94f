/// What a method such as `addToBooks(_:)` does, by its name and parameters.
struct ManagedMethodName {
    var change: ToManyMethod.Change
    /// The relationship, its first letter in capitals.
    var key: String
    var isMany: Bool
    /// Which parameter holds members.
    var valueIndex: Int?
    /// Which parameter holds an index or indexes.
    var positionIndex: Int?

    /// `nil` when it is a method of another kind.
    init?(_ name: String, labels: [String?], types: [SwiftType]) {
        switch labels {
        case [nil]:
            guard let found = Self.plain(name) else { return nil }
            (change, key) = found
            isMany = Self.isCollection(types[0])
            valueIndex = 0
        case ["at"]:
            guard let key = Self.rest(of: name, behind: "removeFrom") else { return nil }
            self.key = key
            change = .removeAt
            isMany = types[0].simpleName != "Int"
            positionIndex = 0
        case [nil, "at"]:
            guard let key = Self.rest(of: name, behind: "insertInto") else { return nil }
            self.key = key
            change = .insert
            isMany = types[1].simpleName != "Int"
            (valueIndex, positionIndex) = (0, 1)
        case ["at", "with"]:
            guard let key = Self.rest(of: name, behind: "replace") else { return nil }
            self.key = key
            change = .replace
            isMany = types[0].simpleName != "Int"
            (positionIndex, valueIndex) = (0, 1)
        default: return nil
        }
    }

    /// `addToBooks`, `removeFromBooks`, and in the older style `addBooksObject`, `addBooks`.
    private static func plain(_ name: String) -> (ToManyMethod.Change, String)? {
        if let key = rest(of: name, behind: "addTo") { return (.add, key) }
        if let key = rest(of: name, behind: "removeFrom") { return (.remove, key) }
        for (prefix, change) in [("add", ToManyMethod.Change.add), ("remove", .remove)] {
            guard let key = rest(of: name, behind: prefix) else { continue }
            let suffix = "Object"
            return (
                change, key.hasSuffix(suffix) && key.count > suffix.count ? String(key.dropLast(suffix.count)) : key
            )
        }
        return nil
    }

    private static func rest(of name: String, behind prefix: String) -> String? {
        guard name.hasPrefix(prefix), let first = name.dropFirst(prefix.count).first, !first.isLowercase else {
            return nil
        }
        return String(name.dropFirst(prefix.count))
    }

    private static func isCollection(_ type: SwiftType) -> Bool {
        if let name = type.unwrapped.simpleName {
            return ["NSSet", "NSOrderedSet", "NSArray", "NSMutableSet", "NSMutableOrderedSet"].contains(name)
        }
        return type.element(of: "Set") != nil || type.element(of: "Array") != nil
    }
}
