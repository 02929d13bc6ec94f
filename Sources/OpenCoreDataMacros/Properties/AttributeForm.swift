import CoreDataPlatform

/// The form of a Swift type as an attribute of a model.
public struct AttributeForm<Value> {
    /// The attribute's type.
    let type: NSAttributeDescription.AttributeType
    /// Whether there may be no value.
    let isOptional: Bool
    /// The name of the value transformer, for a transformable attribute that has one.
    var transformerName: String?
    /// A value as models keep default values.
    let modelValue: (Value) -> Any?

    /// Describes values that a model keeps in a form of its own.
    init(
        _ type: NSAttributeDescription.AttributeType, isOptional: Bool = false,
        modelValue: @escaping (Value) -> Any?
    ) {
        self.type = type
        self.isOptional = isOptional
        self.modelValue = modelValue
    }
}

/// The form of a Swift type as a relationship of a model.
public struct RelationshipForm {
    /// The class of the objects at the other end.
    let destination: NSManagedObject.Type
    let isToMany: Bool
    let isOrdered: Bool
}
