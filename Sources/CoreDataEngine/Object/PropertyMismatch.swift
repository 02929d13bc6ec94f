import Foundation

/// A property of a class that is not what the model says, or that the model doesn't have.
struct PropertyMismatch {
    let entity: String
    let property: String
    let sentence: String

    init(_ property: ResolvedProperty, of type: NSManagedObject.Type, in layout: EntityLayout) {
        entity = layout.name
        self.property = property.name
        let name = property.name
        let declared = property.valueType.map { "the type \(Self.name(of: $0))" } ?? "another type"
        let beginning = "The property '\(name)' of the class \(type) has \(declared), but the"
        guard let position = layout.position(named: name) else {
            sentence = "\(beginning) entity \(layout.name) has no property named '\(name)'."
            return
        }
        let kind = position.relationship == nil ? "attribute" : "relationship"
        sentence = "\(beginning) \(kind) '\(name)' of the entity \(layout.name) is \(Self.model(position, layout))."
    }

    /// The error of using the property.
    var error: CocoaError {
        CoreDataError.make(
            NSCoreDataError,
            "\(sentence) Make the class match the model, or give the entity the class NSManagedObject in a model that the "
                + "class was not made for.",
            userInfo: [Self.entityKey: entity, NSValidationKeyErrorKey: property])
    }

    private static let entityKey = "NSEntityName"

    /// A type as it is written: `Int64?`, not `Optional<Int64>`.
    private static func name(of type: Any.Type) -> String {
        let name = String(describing: type)
        let prefix = "Optional<"
        guard name.hasPrefix(prefix), name.hasSuffix(">") else { return name }
        return name.dropFirst(prefix.count).dropLast() + "?"
    }

    private static func model(_ position: PropertyPosition, _ layout: EntityLayout) -> String {
        guard let relationship = position.relationship else {
            return layout.slots[position.index]?.kind.modelName ?? "of another type"
        }
        let count = relationship.isToMany ? "to-many" : "to-one"
        let type = relationship.destinationClass
        let objects = type == NSManagedObject.self ? "" : " (\(type))"
        return "a \(count) relationship to \(relationship.destination.name)\(objects)"
    }
}

extension SlotKind {
    /// The type as model editors call it, with its article.
    fileprivate var modelName: String {
        switch self {
        case .integer16: "an Integer 16"
        case .integer32: "an Integer 32"
        case .integer64: "an Integer 64"
        case .boolean: "a Boolean"
        case .double: "a Double"
        case .float: "a Float"
        case .date: "a Date"
        case .string: "a String"
        case .data: "Binary Data"
        case .uuid: "a UUID"
        case .uri: "a URI"
        case .decimal: "a Decimal"
        case .transformable: "Transformable"
        case .objectID: "an object identifier"
        case .composite: "a Composite"
        case .undefined: "of an undefined type"
        case .toOne: "a to-one relationship"
        }
    }
}
