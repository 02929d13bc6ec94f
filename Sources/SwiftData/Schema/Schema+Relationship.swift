extension Schema {
    /// A relationship of an entity.
    public final class Relationship: SchemaProperty {
        /// What happens to the destination when a model is deleted.
        public enum DeleteRule: String, Codable, Sendable {
            case noAction, nullify, cascade, deny
        }

        /// How a relationship is kept.
        public struct Option: Hashable, Sendable {
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

        /// Whether two say the same.
        public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
            lhs.name == rhs.name && lhs.destination == rhs.destination && lhs.inverseName == rhs.inverseName
                && lhs.deleteRule == rhs.deleteRule && lhs.isToMany == rhs.isToMany
                && lhs.isOptional == rhs.isOptional && lhs.hashModifier == rhs.hashModifier
        }

        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// Lists of properties whose values together may occur only once.
    public final class Unique<T: PersistentModel>: SchemaProperty {
        /// The lists, by key paths.
        public let constraints: [[PartialKeyPath<T>]]

        /// Creates one of its parts.
        public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }
    }

    /// Lists of properties that the store has indexes for.
    public final class Index<T: PersistentModel>: SchemaProperty {
        /// The lists, by key paths.
        public let indices: [[PartialKeyPath<T>]]

        /// Creates one of its parts.
        public init(_ indices: [PartialKeyPath<T>]...) { self.indices = indices }
    }
}

/// Lists of key paths that a class declares.
protocol KeyPathLists {
    var keyPathLists: [[AnyKeyPath]] { get }
}

extension Schema.Unique: KeyPathLists {
    var keyPathLists: [[AnyKeyPath]] { constraints }
    /// The name.
    public var name: String { "" }
    /// The name in the version before.
    public var originalName: String { "" }
    /// The type of the value.
    public var valueType: Any.Type { T.self }
    /// Whether it is an attribute.
    public var isAttribute: Bool { false }
    /// Whether it is a relationship.
    public var isRelationship: Bool { false }
    /// Whether it is left out of the store.
    public var isTransient: Bool { false }
    /// Whether the value may be missing.
    public var isOptional: Bool { false }
    /// Whether no two models may have the same value.
    public var isUnique: Bool { true }
    /// Whether two say the same.
    public static func == (lhs: Schema.Unique<T>, rhs: Schema.Unique<T>) -> Bool { lhs.constraints == rhs.constraints }
    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }
}

extension Schema.Index: KeyPathLists {
    var keyPathLists: [[AnyKeyPath]] { indices }
    /// The name.
    public var name: String { "" }
    /// The name in the version before.
    public var originalName: String { "" }
    /// The type of the value.
    public var valueType: Any.Type { T.self }
    /// Whether it is an attribute.
    public var isAttribute: Bool { false }
    /// Whether it is a relationship.
    public var isRelationship: Bool { false }
    /// Whether it is left out of the store.
    public var isTransient: Bool { false }
    /// Whether the value may be missing.
    public var isOptional: Bool { false }
    /// Whether no two models may have the same value.
    public var isUnique: Bool { false }
    /// Whether two say the same.
    public static func == (lhs: Schema.Index<T>, rhs: Schema.Index<T>) -> Bool { lhs.indices == rhs.indices }
    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(indices) }
}
