import CoreDataEngine

/// Makes the slot that fits a type.
enum SlotFactory {
    static func slot<Value>(_ name: String, _ owner: any PersistentModel.Type) -> ModelSlot<Value> {
        let made = slot(name, of: Value.self)
        guard let slot = made as? ModelSlot<Value> else {
            programmerError("\(owner).\(name) has the type \(Value.self), which a model can't store.")
        }
        return slot
    }

    static func transformable<Value>(_ name: String, _ type: Value.Type) -> ModelSlot<Value> {
        guard let wrapped = (type as? any OptionalType.Type)?.transformableSlot(name) as? ModelSlot<Value> else {
            return TransformableSlot<Value>(name)
        }
        return wrapped
    }

    static func transformable(_ name: String, of type: Any.Type) -> AnyModelSlot {
        func open<Value>(_ type: Value.Type) -> AnyModelSlot { transformable(name, type) }
        return _openExistential(type, do: open)
    }

    static func codable<Value: Codable>(_ name: String, _ type: Value.Type) -> ModelSlot<Value> {
        (type as? any OptionalType.Type)?.codableSlot(name) as? ModelSlot<Value> ?? JSONSlot<Value>(name)
    }

    static func codable(_ name: String, of type: Any.Type) -> AnyModelSlot? {
        guard let type = type as? any Codable.Type else { return nil }
        func open<Value: Codable>(_ type: Value.Type) -> AnyModelSlot { codable(name, type) }
        return open(type)
    }

    static func ephemeral<Value>(_ name: String, _ type: Value.Type) -> ModelSlot<Value> {
        let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
        guard ScalarTypes.type(of: wrapped) != nil, let slot = slot(name, of: type) as? ModelSlot<Value> else {
            return transformable(name, type)
        }
        return slot
    }

    static func ephemeral(_ name: String, of type: Any.Type) -> AnyModelSlot {
        func open<Value>(_ type: Value.Type) -> AnyModelSlot { ephemeral(name, type) }
        return _openExistential(type, do: open)
    }

    /// The slot for a type; nil for one that no model can have.
    static func slot(_ name: String, of type: Any.Type, isOptional: Bool = false) -> AnyModelSlot? {
        if let optional = type as? any OptionalType.Type { return optional.slot(name) }
        switch ValueShape.of(type) {
        case .scalar: return scalar(name, type)
        case .model(let model): return toOne(name, model)
        case .models(let model): return toMany(name, model)
        case .enumeration: return EnumSlots.slot(name, type)
        case .structure:
            guard let type = type as? any Codable.Type else { return nil }
            func open<Value: Codable>(_ type: Value.Type) -> AnyModelSlot {
                StructSlot<Value>(name, isOptional: isOptional)
            }
            return open(type)
        case .list(let element):
            func open<Element>(_ type: Element.Type) -> AnyModelSlot { ArchivedListSlot<Element>(name) }
            return _openExistential(element, do: open)
        case .json:
            guard let type = type as? any Codable.Type else { return nil }
            func open<Value: Codable>(_ type: Value.Type) -> AnyModelSlot { JSONSlot<Value>(name) }
            return open(type)
        case .unsupported: return nil
        }
    }

    private static func scalar(_ name: String, _ type: Any.Type) -> AnyModelSlot? {
        // Before what other modules may make of unsigned integers: a column has their bits.
        if let type = type as? any (FixedWidthInteger & UnsignedInteger).Type { return integer(name, type) }
        if let common = CommonSlots.slot(name, of: type) { return common }
        if let type = type as? any OptionalManagedValue.Type {
            func open<Scalar: OptionalManagedValue>(_ type: Scalar.Type) -> AnyModelSlot { ScalarSlot<Scalar>(name) }
            return open(type)
        }
        return (type as? any FixedWidthInteger.Type).map { integer(name, $0) }
    }

    private static func integer(_ name: String, _ type: any FixedWidthInteger.Type) -> AnyModelSlot {
        func open<Integer: FixedWidthInteger>(_ type: Integer.Type) -> AnyModelSlot { IntegerSlot<Integer>(name) }
        return open(type)
    }

    private static func toOne(_ name: String, _ model: any PersistentModel.Type) -> AnyModelSlot {
        func open<Model: PersistentModel>(_ type: Model.Type) -> AnyModelSlot { ToOneSlot<Model>(name) }
        return open(model)
    }

    private static func toMany(_ name: String, _ model: any PersistentModel.Type) -> AnyModelSlot {
        func open<Model: PersistentModel>(_ type: Model.Type) -> AnyModelSlot { ToManySlot<Model>(name) }
        return open(model)
    }
}

/// An optional, whatever it wraps.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    static func slot(_ name: String) -> AnyModelSlot?
    static func transformableSlot(_ name: String) -> AnyModelSlot?
    static func codableSlot(_ name: String) -> AnyModelSlot?
    static var none: Any { get }
    var content: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    static var none: Any {
        let nothing: Self = nil
        return nothing as Any
    }
    var content: Any? { self }

    static func slot(_ name: String) -> AnyModelSlot? {
        (SlotFactory.slot(name, of: Wrapped.self, isOptional: true) as? ModelSlot<Wrapped>)?.optional()
    }

    static func codableSlot(_ name: String) -> AnyModelSlot? {
        guard let type = Wrapped.self as? any Codable.Type else { return nil }
        func open<Value: Codable>(_ type: Value.Type) -> Any { JSONSlot<Value>(name) }
        return (open(type) as? ModelSlot<Wrapped>).map { OptionalSlot($0) }
    }

    static func transformableSlot(_ name: String) -> AnyModelSlot? {
        OptionalSlot(TransformableSlot<Wrapped>(name))
    }
}

/// An array, whatever its elements are.
protocol ArrayType {
    static var element: Any.Type { get }
}

extension Array: ArrayType {
    static var element: Any.Type { Element.self }
}
