import CoreDataEngine

/// The names of models' key paths in the engine's predicates.
enum SchemaKeyPaths {
    /// What represents the identity of a model; the predicate gets the model itself instead.
    static let identity = "_$identity"

    static func register(_ schema: Schema) {
        for type in schema.types.values { register(type) }
    }

    private static func register<Model: PersistentModel>(_ type: Model.Type) {
        KeyPathNames.register(\Model.persistentModelID, name: identity)
        if Model.ID.self == PersistentIdentifier.self { KeyPathNames.register(\Model.id, name: identity) }
        for property in type.schemaMetadata {
            guard let keyPath = property.keypath else { continue }
            let isByOption = (property.metadata as? Schema.Attribute)?.hasOwnForm == true
            let name = isByOption ? property.name : name(of: property.name, Swift.type(of: keyPath).valueType)
            KeyPathNames.register(keyPath, name: name)
            KeyPathNames.register(ModelDescriptor.keyPath(keyPath, of: type), name: name)
        }
    }

    /// An enumeration with a raw value is found by its element.
    static func name(of property: String, _ type: Any.Type) -> String {
        let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
        if case .raw = EnumSlots.layout(of: wrapped) { return "\(property).\(property)" }
        return property
    }
}
