/// A property of an entity as it is written, with its kind.
struct CodedProperty: Codable {
    private enum CodingKeys: CodingKey { case attribute, composite, relationship }

    let property: any SchemaProperty

    init?(_ property: any SchemaProperty) {
        guard property.isAttribute || property.isRelationship else { return nil }
        self.property = property
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let composite = try container.decodeIfPresent(Schema.CompositeAttribute.self, forKey: .composite) {
            property = composite
        } else if let attribute = try container.decodeIfPresent(Schema.Attribute.self, forKey: .attribute) {
            property = attribute
        } else {
            property = try container.decode(Schema.Relationship.self, forKey: .relationship)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch property {
        case let composite as Schema.CompositeAttribute: try container.encode(composite, forKey: .composite)
        case let attribute as Schema.Attribute: try container.encode(attribute, forKey: .attribute)
        case let relationship as Schema.Relationship: try container.encode(relationship, forKey: .relationship)
        default: break
        }
    }
}

/// A type as it is written: by its mangled name.
enum CodedType {
    static func name(of type: Any.Type) -> String? { _mangledTypeName(type) }

    static func type(named name: String) -> Any.Type? { _typeByName(name) }

    /// - Throws: An error that names the type, if the program has none of the name.
    static func type(named name: String, _ decoder: any Decoder) throws -> Any.Type {
        guard let type = type(named: name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The program has no type \(name)."))
        }
        return type
    }
}
