/// Values that an object is looked for by, and gets when it is made.
package struct MatchedValues {
    private let layout: EntityLayout
    /// Paths in order, shorter ones first.
    private let values: [(path: String, keys: [String], value: Any?)]

    /// Checks the paths and the types of the values.
    package init(_ values: [String: Any?], of layout: EntityLayout) throws {
        self.layout = layout
        guard !values.isEmpty else {
            throw DatabaseError.invalidQuery(entity: layout.name, reason: "There are no values to find an object by.")
        }
        self.values =
            values.map { path, value in (path, path.split(separator: ".").map(String.init), Self.present(value)) }
            .sorted { ($0.keys.count, $0.path) < ($1.keys.count, $1.path) }
        for (path, keys, value) in self.values { try Self.check(path, keys, value, layout) }
    }

    private static func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    private static func check(_ path: String, _ keys: [String], _ value: Any?, _ layout: EntityLayout) throws {
        if case .toMany = try PropertyPath.target(of: path, from: layout) {
            throw DatabaseError.invalidQuery(
                entity: layout.name, reason: "'\(path)' is a to-many relationship, which can't be matched by a value.")
        }
        guard keys.count == 1, let slot = layout.slot(named: path) else { return }
        _ = try DatabaseError.translating(layout, nil) { try slot.propertyValue(from: value) }
    }

    /// Every path has its value.
    var predicate: NSPredicate {
        NSCompoundPredicate(
            andPredicateWithSubpredicates: values.map { path, _, value in
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: path),
                    rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: .equalTo)
            })
    }

    /// Throws when a new object could not get one of the values.
    package func checkSettable() throws {
        for (path, keys, _) in values where keys.count > 1 {
            let isGiven = values.contains { $0.keys == [keys[0]] && $0.value is NSManagedObject }
            guard isGiven, keys.count == 2 else {
                throw DatabaseError.invalidQuery(
                    entity: layout.name,
                    reason:
                        "No object matches, and '\(path)' of a new one can't be set: it isn't known which object "
                        + "'\(keys[0])' is.")
            }
        }
    }

    package func set(on object: NSManagedObject) {
        for (_, keys, value) in values {
            var owner: NSManagedObject? = object
            for key in keys.dropLast() { owner = owner?.value(forKey: key) as? NSManagedObject }
            if let key = keys.last { owner?.setValue(value, forKey: key) }
        }
    }
}
