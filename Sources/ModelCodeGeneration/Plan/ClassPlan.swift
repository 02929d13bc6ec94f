/// What is made for one entity.
struct ClassPlan: Sendable {
    var entityName: String
    var className: String
    var superclassName: String
    /// Whether the class itself is made, or only its properties.
    var makesClass: Bool
    var properties: [PropertyPlan] = []
    var toManys: [ToManyPlan] = []
    var templates: [TemplatePlan] = []
    var isIdentifiable = false
}

/// A property of a class.
struct PropertyPlan: Sendable {
    var name: String
    var type: SwiftType
    var body: AccessorBody
}

/// The accessors of a to-many relationship.
struct ToManyPlan: Sendable {
    var name: String
    var elementType: SwiftType
    /// The type of many members: `NSSet`, `NSOrderedSet`, `Set<Book>` or `[Book]`.
    var collectionType: SwiftType
    var isOrdered: Bool
}

/// A function for a fetch request template.
struct TemplatePlan: Sendable {
    var name: String
    var functionName: String
    /// The variables of its predicate, in order.
    var variables: [String]
}

/// What is made for a model.
package struct ModelPlan: Sendable {
    /// The file that the model is in, without folders.
    var source: String
    var classes: [ClassPlan] = []

    /// The classes that are made, and don't stand in a source file.
    package var madeClassNames: Set<String> { Set(classes.filter(\.makesClass).map(\.className)) }
}
