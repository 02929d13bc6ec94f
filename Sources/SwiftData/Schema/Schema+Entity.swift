extension Schema {
    /// An entity: what is kept of the models of a class.
    public final class Entity: Codable, Hashable {
        /// The name.
        public let name: String
        /// The name of the superentity.
        public internal(set) var superentityName: String?
        /// The entity of the superclass.
        public internal(set) weak var superentity: Entity?
        /// The entities of the subclasses.
        public internal(set) var subentities: Set<Entity> = []
        /// The properties that the class declares itself.
        public internal(set) var storedProperties: [any SchemaProperty] = []
        /// Lists of names of properties whose values together may occur only once.
        public internal(set) var uniquenessConstraints: [[String]] = []
        /// Lists of names of properties that the store has indexes for.
        public internal(set) var indices: [[String]] = []
        var isUniqueListGiven = false

        /// Creates an entity without properties.
        ///
        /// For schemas that are made without classes. Contexts can't make models of their entities.
        ///
        /// - Parameter name: The name.
        public init(_ name: String) { self.name = name }

        /// Creates an entity.
        ///
        /// Properties that are inherited from a superentity aren't given here.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - properties: The attributes and relationships.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
        }

        /// Creates an entity with subentities.
        ///
        /// The subentities are changed: this entity becomes their superentity.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - subentities: The entities that inherit its properties.
        ///   - properties: The attributes and relationships.
        public convenience init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
            self.subentities = Set(subentities)
            for subentity in subentities {
                subentity.superentity = self
                subentity.superentityName = name
            }
        }

        /// The properties of the superentity.
        public var inheritedProperties: [any SchemaProperty] { superentity?.properties ?? [] }
        /// The properties, with the inherited ones.
        public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }
        /// The attributes, with the inherited ones.
        public var attributes: Set<Attribute> { Set(properties.compactMap { $0 as? Attribute }) }
        /// The relationships, with the inherited ones.
        public var relationships: Set<Relationship> { Set(properties.compactMap { $0 as? Relationship }) }

        /// Whether there is a to-many, or one in a subentity.
        var mayHaveToManys: Bool {
            relationships.contains(where: \.isToMany) || subentities.contains(where: \.mayHaveToManys)
        }

        /// The attributes by their names.
        public var attributesByName: [String: Attribute] {
            Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
        }

        /// The relationships by their names.
        public var relationshipsByName: [String: Relationship] {
            Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first }
        }

        /// The properties that the class declares itself, by their names.
        public var storedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first }
        }

        /// The properties of the superentity, by their names.
        public var inheritedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(inheritedProperties.map { ($0.name, $0) }) { first, _ in first }
        }

        // MARK: Coding

        private enum CodingKeys: CodingKey { case name, superentityName, properties, uniquenessConstraints, indices }

        /// Reads an entity; the schema that it is part of links it with its superentity.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: The decoder's error, also if the program doesn't have the type of a property.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
            storedProperties = try container.decode([CodedProperty].self, forKey: .properties).map(\.property)
            uniquenessConstraints = try container.decode([[String]].self, forKey: .uniquenessConstraints)
            indices = try container.decode([[String]].self, forKey: .indices)
        }

        /// Writes the names, the properties that the class declares itself, and the lists.
        ///
        /// - Parameter encoder: The encoder.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(superentityName, forKey: .superentityName)
            try container.encode(storedProperties.compactMap(CodedProperty.init), forKey: .properties)
            try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
            try container.encode(indices, forKey: .indices)
        }

        /// Finds the superentity among the entities of the schema.
        func link(in entities: [Entity]) {
            guard let parent = entities.first(where: { $0.name == superentityName }) else { return }
            superentity = parent
            parent.subentities.insert(self)
        }

        /// Gives the relationships the key paths that a class has for them.
        func adoptKeyPaths(of type: any PersistentModel.Type, _ types: [String: any PersistentModel.Type]) {
            for case let relationship as Relationship in storedProperties {
                relationship.keypath = type.schemaMetadata.first { $0.name == relationship.name }?.keypath
                relationship.inverseKeyPath =
                    types[relationship.destination]?.schemaMetadata
                    .first { $0.name == relationship.inverseName }?.keypath
            }
        }

        /// Whether two entities are described in the same way.
        ///
        /// - Parameters:
        ///   - lhs: An entity.
        ///   - rhs: Another entity.
        public static func == (lhs: Entity, rhs: Entity) -> Bool {
            lhs === rhs
                || (lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
                    && lhs.attributes == rhs.attributes && lhs.relationships == rhs.relationships
                    && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices)
        }

        /// Hashes what is compared.
        ///
        /// Only the name counts.
        ///
        /// - Parameter hasher: The hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
