/// What the paths in predicates and orders lead to.
struct SchemaPaths {
    enum Target {
        /// A model of an entity.
        case model(String)
        /// The members of a to-many, of an entity.
        case members(String)
        case count
        /// A value that the store compares as Swift does; in order, or as equal or not only.
        case column(isInOrder: Bool)
        /// A structure or an enumeration as several elements.
        case composite(Schema.CompositeAttribute)
        /// A value that the store has as bytes of another form. Whether there is one can be told.
        case opaque
    }

    private let properties: [String: [String: any SchemaProperty]]
    private let subentities: [String: [String]]

    init(_ schema: Schema) {
        properties = Dictionary(
            schema.entities.map { entity in
                (entity.name, Dictionary(entity.properties.map { ($0.name, $0) }) { first, _ in first })
            }
        ) { first, _ in first }
        subentities = Dictionary(schema.entities.map { ($0.name, $0.subentities.map(\.name)) }) { first, _ in first }
    }

    /// What a path leads to from a model of an entity; nil for what the store doesn't have.
    func target(_ path: String, from entity: String) -> Target? {
        var target = Target.model(entity)
        for name in path.split(separator: ".") {
            guard let next = step(String(name), from: target) else { return nil }
            target = next
        }
        return target
    }

    private func step(_ name: String, from target: Target) -> Target? {
        switch target {
        case .model where name == SchemaKeyPaths.identity: target
        case .model(let entity): property(name, of: entity).flatMap(self.target)
        case .members: name == "@count" ? .count : nil
        case .composite(let composite): element(name, of: composite)
        case .count, .column, .opaque: nil
        }
    }

    /// A property of an entity, or of one below it: a forced cast opens those.
    private func property(_ name: String, of entity: String) -> (any SchemaProperty)? {
        if let known = properties[entity]?[name] { return known }
        for subentity in subentities[entity] ?? [] {
            if let known = property(name, of: subentity) { return known }
        }
        return nil
    }

    private func target(_ property: any SchemaProperty) -> Target? {
        switch property {
        case let relationship as Schema.Relationship:
            relationship.isToMany ? .members(relationship.destination) : .model(relationship.destination)
        case let attribute as Schema.Attribute: target(attribute)
        default: nil
        }
    }

    private func element(_ name: String, of composite: Schema.CompositeAttribute) -> Target? {
        guard let element = composite.properties.first(where: { $0.name == name }) else { return nil }
        // An enumeration may have another order than its raw values.
        if EnumSlots.layout(of: composite.wrappedType) != nil { return .column(isInOrder: false) }
        return target(element)
    }

    private func target(_ attribute: Schema.Attribute) -> Target? {
        if attribute.isTransient { return nil }
        if attribute.isCodable || attribute.isTransformable { return .opaque }
        if let composite = attribute as? Schema.CompositeAttribute { return .composite(composite) }
        let type = attribute.wrappedType
        if ScalarTypes.type(of: type) != nil { return .column(isInOrder: !ScalarTypes.isKeptByBits(type)) }
        if case .raw = EnumSlots.layout(of: type) { return .column(isInOrder: false) }
        return .opaque
    }
}

extension Schema.Attribute {
    /// The type of the value without the optional.
    fileprivate var wrappedType: Any.Type { (valueType as? any OptionalType.Type)?.wrapped ?? valueType }
}
