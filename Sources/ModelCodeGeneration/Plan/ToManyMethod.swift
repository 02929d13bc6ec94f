/// A method that changes a to-many relationship, as Xcode names them.
struct ToManyMethod: Sendable {
    /// From `func` to the last parenthesis.
    var signature: String
    var body: [String]

    /// What such a method does.
    enum Change: Hashable, Sendable {
        case add
        case remove
        case insert
        case removeAt
        case replace
    }

    /// - Parameter onApple: Whether they are for Apple's framework, where a set of an ordered relationship can't be
    ///   had.
    static func methods(of plan: ToManyPlan, onApple: Bool = false) -> [ToManyMethod] {
        let name = SwiftIdentifier.capitalized(plan.name)
        let (one, many) = (plan.elementType.source, plan.collectionType.source)
        func method(_ signature: String, _ change: Change, isMany: Bool) -> ToManyMethod {
            ToManyMethod(
                signature: "func \(signature)",
                body: body(
                    change, key: plan.name, value: isMany ? "values" : "value", index: isMany ? "indexes" : "idx",
                    isMany: isMany, asList: onApple && plan.isOrdered))
        }
        var result: [ToManyMethod] = []
        if plan.isOrdered {
            result = [
                method("insertInto\(name)(_ value: \(one), at idx: Int)", .insert, isMany: false),
                method("removeFrom\(name)(at idx: Int)", .removeAt, isMany: false),
                method("insertInto\(name)(_ values: [\(one)], at indexes: NSIndexSet)", .insert, isMany: true),
                method("removeFrom\(name)(at indexes: NSIndexSet)", .removeAt, isMany: true),
                method("replace\(name)(at idx: Int, with value: \(one))", .replace, isMany: false),
                method("replace\(name)(at indexes: NSIndexSet, with values: [\(one)])", .replace, isMany: true),
            ]
        }
        return result + [
            method("addTo\(name)(_ value: \(one))", .add, isMany: false),
            method("removeFrom\(name)(_ value: \(one))", .remove, isMany: false),
            method("addTo\(name)(_ values: \(many))", .add, isMany: true),
            method("removeFrom\(name)(_ values: \(many))", .remove, isMany: true),
        ]
    }

    /// The statements of a method.
    ///
    /// - Parameters:
    ///   - value: The name of the parameter with one or many members.
    ///   - index: The name of the parameter with an index or an index set.
    ///   - asList: Whether members are added to a list and not to a set.
    static func body(
        _ change: Change, key: String, value: String, index: String, isMany: Bool, asList: Bool = false
    ) -> [String] {
        let list = "mutableOrderedSetValue(forKey: \(SourceText.literal(key)))"
        // A set that is live adds to an ordered relationship too, at its end and without asking the store.
        let set = asList ? list : "mutableSetValue(forKey: \(SourceText.literal(key)))"
        return switch (change, isMany) {
        case (.add, false): ["\(set).add(\(value))"]
        case (.remove, false): ["\(set).remove(\(value))"]
        case (.add, true): ["let members = \(set)", "for value in \(value) { members.add(value) }"]
        case (.remove, true): ["let members = \(set)", "for value in \(value) { members.remove(value) }"]
        case (.insert, false): ["\(list).insert(\(value), at: \(index))"]
        case (.insert, true): ["\(list).insert(\(value), at: IndexSet(\(index)))"]
        case (.removeAt, false): ["\(list).removeObject(at: \(index))"]
        case (.removeAt, true): ["\(list).removeObjects(at: IndexSet(\(index)))"]
        case (.replace, false): ["\(list).replaceObject(at: \(index), with: \(value))"]
        case (.replace, true): ["\(list).replaceObjects(at: IndexSet(\(index)), with: \(value))"]
        }
    }
}
