extension Schema {
    /// An entity: what is kept of the models of a class.
    public final class Entity: Hashable {
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

        /// An entity without properties.
        public init(_ name: String) { self.name = name }

        /// Creates one of its parts.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
        }

        /// Creates one of its parts.
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

        /// Whether two say the same.
        public static func == (lhs: Entity, rhs: Entity) -> Bool {
            lhs === rhs
                || (lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
                    && lhs.attributes == rhs.attributes && lhs.relationships == rhs.relationships
                    && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices)
        }

        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
