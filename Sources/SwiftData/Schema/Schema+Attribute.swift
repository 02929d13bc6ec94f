import CoreDataEngine

extension Schema {
    /// An attribute of an entity.
    public class Attribute: SchemaProperty {
        /// How an attribute is kept.
        public struct Option: Hashable, Sendable {
            enum Kind: Hashable, Sendable {
                case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, spotlight
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

            /// A value transformer makes data of the value.
            public static func transformable(by transformerName: String) -> Option {
                Option(kind: .transformable(transformerName))
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
        public var isTransient: Bool { false }
        /// Whether it is an attribute.
        public var isAttribute: Bool { true }
        /// Whether it is a relationship.
        public var isRelationship: Bool { false }
        /// Whether a value transformer makes data of the value.
        public var isTransformable: Bool { transformerName != nil }

        var transformerName: String? {
            for case .transformable(let name) in options.map(\.kind) { return name }
            return nil
        }

        /// What `@Attribute` says.
        public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            self.init(
                name: "", originalName: originalName, options: options, valueType: Never.self,
                hashModifier: hashModifier)
        }

        /// Creates one of its parts.
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

        /// Whether two say the same.
        public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
            lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
                && lhs.valueType == rhs.valueType && lhs.hashModifier == rhs.hashModifier
        }

        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// An attribute that is kept as several elements: a structure or an enumeration.
    public final class CompositeAttribute: Attribute {
        /// The elements.
        public internal(set) var properties: [Attribute] = []
    }
}
