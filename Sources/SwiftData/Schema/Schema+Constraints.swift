extension Schema {
    /// Lists of properties whose values together may occur only once.
    public final class Unique<T: PersistentModel>: SchemaProperty {
        /// The lists, by key paths.
        public let constraints: [[PartialKeyPath<T>]]

        /// Lists of key paths of properties.
        ///
        /// `#Unique` writes it. A list of one property makes that property unique.
        ///
        /// - Parameter constraints: The lists.
        public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

        /// Reads the lists, by the names of the properties.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: `DecodingError.dataCorrupted` if the class has no property of a name.
        public init(from decoder: any Decoder) throws {
            constraints = try PropertyNames.keyPaths(from: decoder)
        }
    }

    /// Lists of properties that the store has indexes for.
    public final class Index<T: PersistentModel>: SchemaProperty {
        /// A list of properties, and the kind of its index.
        public enum Types<P: PersistentModel> {
            /// An index that finds equal values, and values in order.
            case binary([PartialKeyPath<P>])
            /// An index that finds places. A store with one can't be created: the container's initializer throws.
            case rtree([PartialKeyPath<P>])
        }

        /// The lists, by key paths.
        public let indices: [[PartialKeyPath<T>]]
        /// The lists of the kind that stores can't have.
        let places: [[PartialKeyPath<T>]]

        /// Lists of key paths of properties.
        ///
        /// `#Index` writes it. All indexes are binary ones.
        ///
        /// - Parameter indices: The lists.
        public init(_ indices: [PartialKeyPath<T>]...) {
            self.indices = indices
            places = []
        }

        /// Lists of key paths of properties, each with the kind of its index.
        ///
        /// `#Index` writes it. A list of the kind `rtree` makes the container's initializer throw.
        ///
        /// - Parameter indices: The lists.
        public init(_ indices: Types<T>...) {
            self.indices = indices.compactMap { if case .binary(let list) = $0 { list } else { nil } }
            places = indices.compactMap { if case .rtree(let list) = $0 { list } else { nil } }
        }

        /// Reads the lists, by the names of the properties.
        ///
        /// The indexes are binary ones.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: `DecodingError.dataCorrupted` if the class has no property of a name.
        public init(from decoder: any Decoder) throws {
            indices = try PropertyNames.keyPaths(from: decoder)
            places = []
        }
    }
}

/// Lists of key paths that a class declares.
protocol KeyPathLists: SchemaProperty {
    var keyPathLists: [[AnyKeyPath]] { get }
    /// Whether a list is of a kind that stores can't have.
    var hasPlaces: Bool { get }
}

extension KeyPathLists {
    /// The name: an empty string.
    public var name: String { "" }
    /// The name in the version before: an empty string.
    public var originalName: String { "" }
    /// Whether it is an attribute.
    public var isAttribute: Bool { false }
    /// Whether it is a relationship.
    public var isRelationship: Bool { false }
    /// Whether it is left out of the store.
    public var isTransient: Bool { false }
    /// Whether the value may be missing.
    public var isOptional: Bool { false }

    /// Writes the lists, by the names of the properties.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try PropertyNames.encode(keyPathLists, of: valueType, to: encoder)
    }
}

extension Schema.Unique: KeyPathLists {
    var keyPathLists: [[AnyKeyPath]] { constraints }
    var hasPlaces: Bool { false }
    /// The class.
    public var valueType: Any.Type { T.self }
    /// Whether no two models may have the same values.
    public var isUnique: Bool { true }
    /// Whether two have the same lists.
    ///
    /// The order of the lists, and that of the properties in them, counts.
    ///
    /// - Parameters:
    ///   - lhs: Some lists.
    ///   - rhs: Other lists.
    /// - Returns: Whether they are equal.
    public static func == (lhs: Schema.Unique<T>, rhs: Schema.Unique<T>) -> Bool { lhs.constraints == rhs.constraints }
    /// Hashes the lists.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }
}

extension Schema.Index: KeyPathLists {
    var keyPathLists: [[AnyKeyPath]] { indices }
    var hasPlaces: Bool { !places.isEmpty }
    /// The class.
    public var valueType: Any.Type { T.self }
    /// Whether no two models may have the same values.
    public var isUnique: Bool { false }
    /// Whether two have the same lists.
    ///
    /// The order of the lists, and that of the properties in them, counts.
    ///
    /// - Parameters:
    ///   - lhs: Some lists.
    ///   - rhs: Other lists.
    /// - Returns: Whether they are equal.
    public static func == (lhs: Schema.Index<T>, rhs: Schema.Index<T>) -> Bool { lhs.indices == rhs.indices }
    /// Hashes the lists.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(indices) }
}

/// Key paths of a class's properties as the names of the properties.
private enum PropertyNames {
    static func encode(_ lists: [[AnyKeyPath]], of type: Any.Type, to encoder: any Encoder) throws {
        guard let type = type as? any PersistentModel.Type else { return }
        let names = Dictionary(
            type.schemaMetadata.compactMap { metadata in metadata.keypath.map { ($0, metadata.name) } }
        ) { first, _ in first }
        try lists.map { $0.compactMap { names[$0] } }.encode(to: encoder)
    }

    static func keyPaths<T: PersistentModel>(from decoder: any Decoder) throws -> [[PartialKeyPath<T>]] {
        try [[String]](from: decoder).map { names in
            try names.map { name in
                let known = T.schemaMetadata.first { $0.name == name }?.keypath
                guard let keyPath = known as? PartialKeyPath<T> else {
                    throw DecodingError.dataCorrupted(
                        .init(
                            codingPath: decoder.codingPath,
                            debugDescription: "\(Schema.entityName(for: T.self)) has no property \(name)."))
                }
                return keyPath
            }
        }
    }
}
