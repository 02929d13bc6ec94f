import CoreDataEngine

// @unchecked Sendable because nothing in it changes once it is made.
/// The entities of a store, with their properties.
public final class Schema: Codable, Hashable, @unchecked Sendable {
    /// The number of a version.
    public struct Version: Codable, Comparable, Hashable, Sendable, CustomStringConvertible {
        /// The first number.
        public let major: Int
        /// The second number.
        public let minor: Int
        /// The third number.
        public let patch: Int

        /// Creates a version.
        ///
        /// Versions are compared number by number, so 1.10.0 comes after 1.9.0.
        ///
        /// - Parameters:
        ///   - major: The first number.
        ///   - minor: The second number.
        ///   - patch: The third number.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// The numbers with dots between them.
        public var description: String { "\(major).\(minor).\(patch)" }

        /// Whether a version comes before another one.
        ///
        /// - Parameters:
        ///   - lhs: A version.
        ///   - rhs: Another version.
        public static func < (lhs: Version, rhs: Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
        }
    }

    /// What a model class says of one of its properties.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath?
        let defaultValue: Any?
        let metadata: (any SchemaProperty)?

        /// Describes a property. The macro `@Model` writes this.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - keypath: The property.
        ///   - defaultValue: The initial value.
        ///   - metadata: What `@Attribute` or `@Relationship` says of the property.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }

        /// What a class says of several of its properties together.
        ///
        /// `#Unique` leads to it.
        ///
        /// - Parameter constraints: The lists.
        public init<T>(_ constraints: Unique<T>) {
            self.init(constraint: constraints)
        }

        /// What a class says of several of its properties together.
        ///
        /// `#Index` leads to it.
        ///
        /// - Parameter indices: The lists.
        public init<T>(_ indices: Index<T>) {
            self.init(constraint: indices)
        }

        private init(constraint: any SchemaProperty) {
            name = ""
            keypath = nil
            defaultValue = nil
            metadata = constraint
        }
    }

    /// The version of the models.
    public let version: Version
    /// The entities, in the order in which their classes were met.
    public let entities: [Entity]
    /// The entities by their names.
    public let entitiesByName: [String: Entity]
    /// The version of the form that schemas are written in.
    public let encodingVersion = Version(1, 0, 0)
    /// The version of the form that schemas are written in.
    public static let schemaEncodingVersion = Version(1, 0, 0)

    /// The classes, by the names of their entities.
    let types: [String: any PersistentModel.Type]
    /// What is wrong with the classes, for the container that is made with them.
    let problem: (any Error)?

    /// A schema without entities.
    ///
    /// A container can't be created with it: its initializer throws `SwiftDataError.loadIssueModelContainer`.
    public convenience init() { self.init([], version: Version(1, 0, 0)) }

    /// Creates a schema of entities that are described one by one.
    ///
    /// The schema has no classes, so contexts can't make models of its entities.
    ///
    /// - Parameters:
    ///   - entities: The entities.
    ///   - version: The version of the models.
    public init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        self.version = version
        self.entities = entities
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        types = [:]
        problem = nil
    }

    /// Creates the schema of classes, and of those that they have relationships with.
    ///
    /// What is wrong with a class, such as a property of a type that no store can keep, is thrown when a container is
    /// made with the schema.
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - version: The version of the models.
    public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        var builder = SchemaBuilder()
        builder.add(types)
        self.version = version
        entities = builder.finish()
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        self.types = builder.types
        problem = builder.problem
    }

    /// Creates the schema of classes, and of those that they have relationships with.
    ///
    /// What is wrong with a class is thrown when a container is made with the schema.
    ///
    /// ```swift
    /// let schema = Schema(Book.self, Author.self, version: Schema.Version(2, 0, 0))
    /// ```
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - version: The version of the models.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Reads a schema that was written with `encode(to:)`.
    ///
    /// The classes are looked up by their names; the schema of classes that the program has can be used for a container.
    ///
    /// - Parameter decoder: Where it is read from.
    public init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        let classes = form.classes.compactMapValues { CodedType.type(named: $0) as? any PersistentModel.Type }
        for entity in form.entities { entity.link(in: form.entities) }
        version = form.version
        entities = form.entities
        entitiesByName = Dictionary(form.entities.map { ($0.name, $0) }) { first, _ in first }
        types = classes
        let unknown = form.classes.keys.filter { classes[$0] == nil }.min()
        problem = unknown.map {
            SwiftDataError(.unknownSchema, "The program has no class for the entity \($0) of a schema that was read.")
        }
        for (name, type) in classes { entitiesByName[name]?.adoptKeyPaths(of: type, classes) }
    }

    /// Writes the version, the entities and the names of their classes.
    ///
    /// Key paths are written as names. ``init(from:)`` finds them again in the classes.
    ///
    /// - Parameter encoder: Where they are written to.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try Form(
            encodingVersion: encodingVersion, version: version, entities: entities,
            classes: types.compactMapValues { CodedType.name(of: $0) }
        ).encode(to: encoder)
    }

    private struct Form: Codable {
        var encodingVersion: Version
        var version: Version
        var entities: [Entity]
        var classes: [String: String]
    }

    /// Returns the entity of a class, or `nil` if the schema doesn't have the class.
    ///
    /// Classes are compared by the names of their entities.
    ///
    /// - Parameter type: The class.
    /// - Returns: The entity, or `nil`.
    public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
        entitiesByName[Self.entityName(for: type)]
    }

    /// Returns the name of a class's entity, which is the name of the class without its module.
    ///
    /// Two classes of the same name in different modules have the same entity name.
    ///
    /// - Parameter type: The class.
    /// - Returns: The name.
    public static func entityName<T: PersistentModel>(for type: T.Type) -> String { entityName(ofType: type) }

    static func entityName(ofType type: any PersistentModel.Type) -> String { String(describing: type) }

    /// Whether two schemas have the same version and the same entities.
    ///
    /// - Parameters:
    ///   - lhs: A schema.
    ///   - rhs: Another schema.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs === rhs || (lhs.version == rhs.version && Set(lhs.entities) == Set(rhs.entities))
    }

    /// Hashes what is compared.
    ///
    /// Equal schemas have equal hash values; the reverse isn't true.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(entities.count)
    }
}

/// A property of an entity.
public protocol SchemaProperty: Codable, Hashable {
    /// The name.
    var name: String { get }
    /// The name in the version before.
    var originalName: String { get }
    /// The type of the value.
    var valueType: Any.Type { get }
    /// Whether it is an attribute.
    var isAttribute: Bool { get }
    /// Whether it is a relationship.
    var isRelationship: Bool { get }
    /// Whether it is left out of the store.
    var isTransient: Bool { get }
    /// Whether the value may be missing.
    var isOptional: Bool { get }
    /// Whether no two models may have the same value.
    var isUnique: Bool { get }
}
