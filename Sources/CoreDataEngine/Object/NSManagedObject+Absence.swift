import Foundation

/// Properties that have no value although their type has no `nil`.
extension NSManagedObject {
    private static let noValue = "there is no value."

    /// A value that represents one that is not there.
    @inline(never)
    final func absent<Value>(_ value: Value, _ property: ResolvedProperty) -> Value {
        // Data that isn't there is empty on Apple's platforms too, as strings and numbers are.
        if !(value is Data) { recordAbsence(of: property.name, type: Value.self) }
        return value
    }

    /// Reports that a property has no value, if it could have one.
    private func recordAbsence(of property: String, type: Any.Type) {
        // A new object has no values until they are set, and one whose row is gone has none at all.
        guard !layout.isProbe, !state.isInserted, state.isDisjoint(with: [.inaccessible, .removed, .deleted]),
            table != nil
        else { return }
        UnreadableValues.record(property, of: layout.name, type: type, Self.noValue)
    }

    /// A value that represents one that is not there, in an accessor whose type has no `nil`. Reports the property.
    ///
    /// Generated accessors call it; there is no need to.
    ///
    /// - Parameters:
    ///   - value: What is read instead.
    ///   - property: The name of the property.
    public final func _absent<Value>(_ value: Value, _ property: String) -> Value {
        recordAbsence(of: property, type: Value.self)
        return value
    }

    /// An object that represents one that is not there, in an accessor whose type has no `nil`. Reports the property.
    ///
    /// The object has the values of a new one. It belongs to no context and is never saved. Where it is assigned to a
    /// to-one, it counts as nil, or as the object that the property has and can't show because of its class. Generated
    /// accessors call this; there is no need to.
    ///
    /// - Parameter property: The to-one.
    public final func _standIn<Destination: NSManagedObject>(
        for property: ManagedProperty<Destination?>
    ) -> Destination {
        // An object of another class is logged already.
        let original = layout.slot(named: property.name).flatMap { $0.kind == .toOne ? toOneObject($0) : nil }
        if original == nil { recordAbsence(of: property.name, type: Destination.self) }
        let declared = layout.relationship(named: property.name)?.destination.subtree ?? []
        let entity = (declared + layout.model.entities).first { candidate in
            !candidate.entity.isAbstract
                && ManagedObjectClass.of(candidate) is Destination.Type
        }
        guard let entity else {
            programmerError(
                "\(layout.name).\(property.name) has no value, its type is not optional, and no entity has the class "
                    + "\(Destination.self).")
        }
        let object = Destination(entity: entity.entity, insertInto: nil)
        object.ensureExtras().isStandIn = true
        object.ensureExtras().original = original
        return object
    }

    /// Whether the object only represents one that is missing, or that a property can't show.
    final var isStandIn: Bool { extras?.isStandIn == true }

    /// The object that a stand-in represents.
    final var original: NSManagedObject? { extras?.original }
}
