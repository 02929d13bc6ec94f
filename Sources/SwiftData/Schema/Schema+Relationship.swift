extension Schema {
    /// A relationship of an entity.
    public final class Relationship: SchemaProperty {
        /// What happens to the destination when a model is deleted.
        public enum DeleteRule: String, Codable, Sendable {
            case noAction, nullify, cascade, deny
        }

        /// How a relationship is kept.
        public struct Option: Codable, Hashable, Sendable {
            private let name: String
            /// No two models may have the same destination.
            public static var unique: Option { Option(name: "unique") }
        }

        /// The name.
        public internal(set) var name: String
        /// The name in the version before.
        public internal(set) var originalName: String
        /// How it is kept.
        public let options: [Option]
        /// The type of the value.
        public internal(set) var valueType: Any.Type
        /// The key path of the property.
        public internal(set) var keypath: AnyKeyPath?
        /// The name of the entity at the other end.
        public internal(set) var destination: String
        /// What happens to the destination when a model is deleted.
        public let deleteRule: DeleteRule
        /// The name of the relationship at the other end.
        public internal(set) var inverseName: String?
        /// The key path of the relationship at the other end.
        public internal(set) var inverseKeyPath: AnyKeyPath?
        /// The least number of models.
        public let minimumModelCount: Int?
        /// The greatest number of models; 0 for any.
        public internal(set) var maximumModelCount: Int?
        /// A string that makes the version hash different from that of an equal one.
        public let hashModifier: String?
        /// Whether the class says anything of the relationship.
        var isAnnotated = true
        var isToMany = false

        /// Whether the value may be missing.
        public var isOptional: Bool { valueType is any OptionalType.Type }
        /// Whether no two models may have the same value.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether it is left out of the store.
        public var isTransient: Bool { false }
        /// Whether it is an attribute.
        public var isAttribute: Bool { false }
        /// Whether it is a relationship.
        public var isRelationship: Bool { true }
        /// Whether there is one model at most.
        public var isToOneRelationship: Bool { !isToMany }

        /// What `@Relationship` says.
        ///
        /// The name, the type and the destination are added when the schema is made.
        ///
        /// - Parameters:
        ///   - options: How the relationship is kept.
        ///   - deleteRule: What happens to the destination when a model is deleted.
        ///   - minimumModelCount: The least number of models.
        ///   - maximumModelCount: The greatest number of models; 0 for any.
        ///   - originalName: The name in the version before, or `nil` if it is the same.
        ///   - inverse: The relationship at the other end, or `nil` to find it.
        ///   - hashModifier: A string that makes it another version of the relationship when it changes.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            name = ""
            self.originalName = originalName ?? ""
            self.options = options
            valueType = Never.self
            destination = ""
            self.deleteRule = deleteRule
            inverseKeyPath = inverse
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.hashModifier = hashModifier
        }

        // MARK: Coding

        private enum CodingKeys: CodingKey {
            case name, originalName, options, valueType, destination, deleteRule, inverseName, minimumModelCount
            case maximumModelCount, hashModifier, isAnnotated, isToMany
        }

        /// Reads a relationship whose type the program has. Key paths are those of the classes of the schema.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: The decoder's error, also if the program doesn't have the type.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            originalName = try container.decode(String.self, forKey: .originalName)
            options = try container.decode([Option].self, forKey: .options)
            valueType = try CodedType.type(named: try container.decode(String.self, forKey: .valueType), decoder)
            destination = try container.decode(String.self, forKey: .destination)
            deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
            inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
            minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
            maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            isAnnotated = try container.decode(Bool.self, forKey: .isAnnotated)
            isToMany = try container.decode(Bool.self, forKey: .isToMany)
        }

        /// Writes what the relationship is, with the names of its ends.
        ///
        /// - Parameter encoder: The encoder.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(originalName, forKey: .originalName)
            try container.encode(options, forKey: .options)
            try container.encode(CodedType.name(of: valueType), forKey: .valueType)
            try container.encode(destination, forKey: .destination)
            try container.encode(deleteRule, forKey: .deleteRule)
            try container.encodeIfPresent(inverseName, forKey: .inverseName)
            try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
            try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try container.encode(isAnnotated, forKey: .isAnnotated)
            try container.encode(isToMany, forKey: .isToMany)
        }

        /// Whether two relationships are described in the same way.
        ///
        /// - Parameters:
        ///   - lhs: A relationship.
        ///   - rhs: Another relationship.
        public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
            lhs.name == rhs.name && lhs.destination == rhs.destination && lhs.inverseName == rhs.inverseName
                && lhs.deleteRule == rhs.deleteRule && lhs.isToMany == rhs.isToMany
                && lhs.isOptional == rhs.isOptional && lhs.hashModifier == rhs.hashModifier
        }

        /// Hashes what is compared.
        ///
        /// Only the name counts.
        ///
        /// - Parameter hasher: The hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
