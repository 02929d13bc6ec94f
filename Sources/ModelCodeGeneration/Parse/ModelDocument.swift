/// What the source of a model says, as far as classes need it.
package struct ModelDocument: Sendable {
    /// The path of the file, for diagnostics.
    package var file: String
    package var entities: [ModelEntity] = []
    package var fetchRequests: [ModelFetchRequest] = []
}

/// An entity of a model's source.
package struct ModelEntity: Sendable {
    package var name: String
    /// As in the source: "Book", ".Book" for the product's own module, "Shop.Book" for another.
    package var className: String?
    package var parentName: String?
    package var isAbstract = false
    package var codeGeneration = CodeGenerationType.manual
    package var attributes: [ModelAttribute] = []
    package var relationships: [ModelRelationship] = []
    package var fetchedProperties: [ModelFetchedProperty] = []
    package var line: Int
}

/// What is made for an entity.
package enum CodeGenerationType: String, Sendable, CaseIterable {
    /// The class and an extension with its properties.
    case `class`
    /// Only the extension with the properties.
    case category
    /// Nothing.
    case manual
}

/// An attribute of a model's source.
package struct ModelAttribute: Sendable {
    package var name: String
    package var type: ModelAttributeType
    package var isOptional = false
    package var usesScalar = false
    package var hasDefault = false
    package var customClassName: String?
    package var line: Int
}

/// The types of attributes, by their names in a model's source.
package enum ModelAttributeType: String, Sendable, CaseIterable {
    case integer16 = "Integer 16"
    case integer32 = "Integer 32"
    case integer64 = "Integer 64"
    case decimal = "Decimal"
    case double = "Double"
    case float = "Float"
    case string = "String"
    case boolean = "Boolean"
    case date = "Date"
    case binary = "Binary"
    case uuid = "UUID"
    case uri = "URI"
    case transformable = "Transformable"
    case objectID = "ObjectID"
    case composite = "Composite"
    case undefined = "Undefined"
}

/// A relationship of a model's source.
package struct ModelRelationship: Sendable {
    package var name: String
    package var destination: String?
    package var isToMany = false
    package var isOrdered = false
    package var line: Int
}

/// A fetched property of a model's source.
package struct ModelFetchedProperty: Sendable {
    package var name: String
    /// The entity that its request fetches.
    package var destination: String?
    package var line: Int
}

/// A fetch request template of a model's source.
package struct ModelFetchRequest: Sendable {
    package var name: String
    package var entity: String
    package var predicate: String?
    package var line: Int
}
