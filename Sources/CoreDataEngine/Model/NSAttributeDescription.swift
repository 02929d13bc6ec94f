public import Foundation

/// An attribute of an entity: a property that holds one value.
// Descriptions are immutable once their model is in use, and confined to the code that builds them before that.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    /// The kind of value an attribute holds, in the spelling of newer code: `.string`, `.integer64`.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The same type in the spelling of older code.
        public var rawValue: NSAttributeType

        /// Creates the type that older code spells in this way.
        ///
        /// The values are the same; `attributeType` and `type` of an attribute always agree.
        ///
        /// - Parameter rawValue: The type in the spelling of older code.
        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// No type; for transient attributes only.
        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        /// Integers of 16 bits.
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        /// Integers of 32 bits.
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        /// Integers of 64 bits.
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        /// Decimal numbers.
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        /// Floating-point numbers of 64 bits.
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        /// Floating-point numbers of 32 bits.
        public static let float = AttributeType(rawValue: .floatAttributeType)
        /// Strings.
        public static let string = AttributeType(rawValue: .stringAttributeType)
        /// Truth values.
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        /// Points in time.
        public static let date = AttributeType(rawValue: .dateAttributeType)
        /// Data.
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        /// Universally unique identifiers.
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        /// URLs.
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        /// Values of any class that a value transformer makes data of.
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        /// Identifiers of managed objects; not for attributes that are stored.
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        /// Several attributes as one.
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }

    /// Creates an attribute of undefined type without a name.
    ///
    /// Set the name and the type before you give it to an entity. It is optional and has no default value.
    ///
    /// ```swift
    /// let title = NSAttributeDescription()
    /// title.name = "title"
    /// title.attributeType = .stringAttributeType
    /// ```
    public override init() {
        super.init()
    }

    /// Creates a description from an archive.
    ///
    /// The attribute belongs to no entity, so it can be given to one.
    ///
    /// - Parameter coder: a keyed unarchiver.
    /// - Returns: nil when the archive holds no description of this kind.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The kind of value the attribute holds. The default is `.undefinedAttributeType`.
    open var attributeType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The same as ``attributeType`` in the spelling of newer code.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The name of the class of the attribute's values. It follows ``attributeType`` unless it is set.
    open var attributeValueClassName: String? {
        get { explicitValueClassName ?? attributeType.defaultValueClassName }
        set {
            requireEditable()
            explicitValueClassName = newValue
        }
    }

    /// The value that a new object starts with.
    open var defaultValue: Any? {
        willSet { requireEditable() }
    }

    /// The name of the value transformer of a transformable attribute; nil for the archiving default one.
    open var valueTransformerName: String? {
        willSet { requireEditable() }
    }

    /// Whether large binary values may be kept in files of their own beside the store.
    open var allowsExternalBinaryDataStorage: Bool = false {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// Whether the value is kept in the history of the store when an object is deleted.
    open var preservesValueInHistoryOnDeletion: Bool = false {
        willSet { requireEditable() }
        didSet { declaringEntity?.structureChanged() }
    }

    /// The flag of Apple's cloud mirroring. It is kept in the model and has no other effect.
    open var allowsCloudEncryption: Bool = false {
        willSet { requireEditable() }
    }

    /// Makes a value of its own for each new object; it comes before ``defaultValue``. Only a model made in code has it.
    package final var freshDefault: (() -> Any?)? {
        willSet { requireEditable() }
    }

    /// The value class name as it was set, nil when it was not.
    package final var explicitValueClassName: String?

    package override func makeEmptyCopy() -> NSPropertyDescription { NSAttributeDescription() }

    package override func copyState(to copy: NSPropertyDescription) {
        super.copyState(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeType = attributeType
        copy.explicitValueClassName = explicitValueClassName
        copy.defaultValue = defaultValue
        copy.freshDefault = freshDefault
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
    }
}
