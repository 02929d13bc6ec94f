/// The default expressions of mapping models.
enum MappingExpressions {
    /// `$source.key`
    static func sourceValue(_ key: String) -> NSExpression { keyPath(key, of: "source") }

    /// The objects that came of the destinations of a relationship by one entity mapping.
    static func destinations(of relationship: String, byMapping name: String) -> NSExpression {
        destinations(of: sourceValue(relationship), byMapping: name)
    }

    /// The objects that came of others by one entity mapping.
    static func destinations(of objects: NSExpression, byMapping name: String) -> NSExpression {
        call(
            "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [NSExpression(forConstantValue: name), objects])
    }

    /// The objects that came of others by whichever entity mapping these had.
    static func destinations(of objects: NSExpression, relationship: String) -> NSExpression {
        call(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [NSExpression(forConstantValue: relationship), objects])
    }

    /// The objects that came of the destinations of a relationship by whichever entity mapping they had.
    static func destinations(of relationship: String) -> NSExpression {
        call(
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [NSExpression(forConstantValue: relationship), sourceValue(relationship)])
    }

    /// The objects of a source entity that match a predicate.
    static func sourceObjects(of entity: String, predicate: String = "TRUEPREDICATE") -> NSExpression {
        let request = call(
            "fetchRequestForSourceEntityNamed:predicateString:",
            [NSExpression(forConstantValue: entity), NSExpression(forConstantValue: predicate)])
        return NSFetchRequestExpression.expression(
            forFetch: request, context: keyPath("sourceContext", of: "manager"), countOnly: false)
    }

    private static func keyPath(_ path: String, of variable: String) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: variable), selectorName: "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: path)])
    }

    private static func call(_ selector: String, _ arguments: [NSExpression]) -> NSExpression {
        NSExpression(forFunction: NSExpression(forVariable: "manager"), selectorName: selector, arguments: arguments)
    }
}
