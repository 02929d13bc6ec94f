public import class CoreDataEngine.ValueTransformer

extension Schema {
    /// An attribute of an entity.
    public class Attribute: SchemaProperty {
        /// How an attribute is kept.
        public struct Option: Codable, Hashable, Sendable {
            enum Kind: Codable, Hashable, Sendable {
                case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, spotlight, ephemeral
                case codable
                case transformable(String)
            }

            let kind: Kind

            /// No two models may have the same value.
            public static var unique: Option { Option(kind: .unique) }
            /// Large data may be kept in files of its own beside the store.
            public static var externalStorage: Option { Option(kind: .externalStorage) }
            /// Kept in the model, without effect.
            public static var allowsCloudEncryption: Option { Option(kind: .allowsCloudEncryption) }
            /// The history keeps the value when the model is deleted.
            public static var preserveValueOnDeletion: Option { Option(kind: .preserveValueOnDeletion) }
            /// Kept, without effect.
            public static var spotlight: Option { Option(kind: .spotlight) }

            /// Changes are tracked, and the value isn't saved.
            public static var ephemeral: Option { Option(kind: .ephemeral) }
            /// The value is kept as what its own coding makes of it.
            public static var codable: Option { Option(kind: .codable) }

            /// A value transformer that is registered under a name makes data of the value.
            ///
            /// Register the transformer before a container is made.
            ///
            /// - Parameter transformerName: The name.
            /// - Returns: The option.
            public static func transformable(by transformerName: String) -> Option {
                Option(kind: .transformable(transformerName))
            }

            /// A value transformer that is registered under the name of its class makes data of the value.
            ///
            /// Register the transformer before a container is made. The name of the class doesn't include its module.
            ///
            /// - Parameter transformerType: The class of the transformer.
            /// - Returns: The option.
            public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
                Option(kind: .transformable(String(describing: transformerType)))
            }
        }

        /// The name.
        public internal(set) var name: String
        /// The name in the version before.
        public internal(set) var originalName: String
        /// How it is kept.
        public let options: [Option]
        /// The type of the value.
        public internal(set) var valueType: Any.Type
        /// The value of new models, and of stored ones that have none.
        public internal(set) var defaultValue: Any?
        /// A string that makes the version hash different from that of an equal one.
        public let hashModifier: String?

        /// Whether the value may be missing.
        public var isOptional: Bool { valueType is any OptionalType.Type }
        /// Whether no two models may have the same value.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether it is left out of the store.
        public var isTransient: Bool { options.contains(.ephemeral) }
        /// Whether the value is kept as what its own coding makes of it.
        public var isCodable: Bool { options.contains(.codable) }
        /// Whether it is an attribute.
        public var isAttribute: Bool { true }
        /// Whether it is a relationship.
        public var isRelationship: Bool { false }
        /// Whether a value transformer makes data of the value.
        public var isTransformable: Bool { transformerName != nil }

        /// Whether an option says how the value is kept, whatever its type is.
        var hasOwnForm: Bool { isTransformable || isCodable || isTransient }

        var transformerName: String? {
            for case .transformable(let name) in options.map(\.kind) { return name }
            return nil
        }

        /// What `@Attribute` says.
        ///
        /// The name and the type of the property are added when the schema is made.
        ///
        /// - Parameters:
        ///   - options: How the value is kept.
        ///   - originalName: The name in the version before, or `nil` if it is the same.
        ///   - hashModifier: A string that makes it another version of the attribute when it changes.
        public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            self.init(
                name: "", originalName: originalName, options: options, valueType: Never.self,
                hashModifier: hashModifier)
        }

        /// Creates an attribute.
        ///
        /// For schemas that are made without classes.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - originalName: The name in the version before, or `nil` if it is the same.
        ///   - options: What is said in `@Attribute`.
        ///   - valueType: The type of the values.
        ///   - defaultValue: The initial value.
        ///   - hashModifier: A string that makes it another version of the attribute when it changes.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.originalName = originalName ?? name
            self.options = options
            self.valueType = valueType
            self.defaultValue = defaultValue
            self.hashModifier = hashModifier
        }

        // MARK: Coding

        private enum CodingKeys: CodingKey { case name, originalName, options, valueType, defaultValue, hashModifier }

        /// Reads an attribute whose type the program has.
        ///
        /// A default value is read only if its type is `Decodable`.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: The decoder's error, also if the program doesn't have the type.
        public required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            originalName = try container.decode(String.self, forKey: .originalName)
            options = try container.decode([Option].self, forKey: .options)
            valueType = try CodedType.type(named: try container.decode(String.self, forKey: .valueType), decoder)
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            if let type = valueType as? any Decodable.Type, container.contains(.defaultValue) {
                func open<Value: Decodable>(_ type: Value.Type) throws -> Any {
                    try container.decode(type, forKey: .defaultValue)
                }
                defaultValue = try open(type)
            }
        }

        /// Writes what the attribute is, with the value that new models have.
        ///
        /// A default value is written only if its type can be encoded and decoded.
        ///
        /// - Parameter encoder: The encoder.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(originalName, forKey: .originalName)
            try container.encode(options, forKey: .options)
            try container.encode(CodedType.name(of: valueType), forKey: .valueType)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            if let value = defaultValue as? any Encodable, valueType is any Decodable.Type {
                try container.encode(value, forKey: .defaultValue)
            }
        }

        /// Whether two attributes are described in the same way.
        ///
        /// - Parameters:
        ///   - lhs: An attribute.
        ///   - rhs: Another attribute.
        public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
            lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
                && lhs.valueType == rhs.valueType && lhs.hashModifier == rhs.hashModifier
        }

        /// Hashes what is compared.
        ///
        /// Only the name counts.
        ///
        /// - Parameter hasher: The hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// An attribute that is kept as several elements: a structure or an enumeration.
    public final class CompositeAttribute: Attribute {
        private enum ElementKeys: CodingKey { case properties }

        /// The elements.
        public internal(set) var properties: [Attribute] = []

        /// An attribute without elements yet.
        ///
        /// The schema adds the elements.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - originalName: The name in the version before, or `nil` if it is the same.
        ///   - options: What is said in `@Attribute`.
        ///   - valueType: The type of the values.
        ///   - defaultValue: The initial value.
        ///   - hashModifier: A string that makes it another version of the attribute when it changes.
        public override init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            super.init(
                name: name, originalName: originalName, options: options, valueType: valueType,
                defaultValue: defaultValue, hashModifier: hashModifier)
        }

        /// Reads an attribute and its elements.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: The decoder's error, also if the program doesn't have a type.
        public required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: ElementKeys.self)
            properties = try container.decode([CodedProperty].self, forKey: .properties)
                .compactMap { $0.property as? Attribute }
            try super.init(from: decoder)
        }

        /// Writes the attribute and its elements.
        ///
        /// - Parameter encoder: The encoder.
        /// - Throws: The encoder's error.
        public override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: ElementKeys.self)
            try container.encode(properties.compactMap(CodedProperty.init), forKey: .properties)
        }
    }
}
