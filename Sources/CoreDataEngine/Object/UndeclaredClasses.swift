import Synchronization

/// Objects in relationships whose class is neither that of the property nor a subclass of it.
///
/// Objective-C hands them out all the same. In Swift that is safe only where the property's class adds nothing to one that
/// the object has as well; elsewhere the typed property leaves the object out, and `value(forKey:)` returns it.
enum UndeclaredClasses {
    private struct Pair: Hashable {
        let declared: ObjectIdentifier
        let actual: ObjectIdentifier
    }

    private static let interchangeable = Mutex<[Pair: Bool]>([:])
    private static let logged = Mutex<Set<String>>([])
    /// Whether an object was left out of a typed property.
    static let hasLeftOut = Atomic<Bool>(false)

    static func canBeHandedOut(_ actual: NSManagedObject.Type, as declared: NSManagedObject.Type) -> Bool {
        let pair = Pair(declared: ObjectIdentifier(declared), actual: ObjectIdentifier(actual))
        return interchangeable.withLock { known in
            if let answer = known[pair] { return answer }
            let answer = ClassLayout.isInterchangeable(declared, with: actual)
            known[pair] = answer
            return answer
        }
    }

    /// Logs both classes, once for each property.
    static func record(
        _ actual: NSManagedObject.Type, in property: String, of entity: String, declared: NSManagedObject.Type,
        isHandedOut: Bool
    ) {
        guard isHandedOut else {
            hasLeftOut.store(true, ordering: .relaxed)
            return UnreadableValues.record(
                property, of: entity, type: declared,
                "an object that it leads to is of the class \(actual). value(forKey:) returns the object; declare the "
                    + "property with a class that both inherit from.")
        }
        let sentence =
            "The property '\(property)' of \(entity) is declared with the class \(declared), and an object that it leads to "
            + "is of the class \(actual). It is handed out as it is."
        if logged.withLock({ $0.insert(sentence).inserted }) { DiagnosticLog.warn("OpenCoreData", sentence) }
    }
}

extension NSManagedObject {
    /// An object of a relationship as the class of the property, although it is of another one; nil if that isn't safe.
    @inline(never) @usableFromInline
    final func undeclared<Declared: NSManagedObject>(
        _ object: NSManagedObject, as declared: Declared.Type, _ property: ResolvedProperty
    ) -> Declared? {
        let actual = type(of: object)
        let isHandedOut = UndeclaredClasses.canBeHandedOut(actual, as: declared)
        UndeclaredClasses.record(
            actual, in: property.name, of: layout.name, declared: declared, isHandedOut: isHandedOut)
        guard isHandedOut else { return nil }
        return Unmanaged<Declared>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
    }

    /// Sets the members of a property's to-many, which are of a class. Those that the property could not show stay.
    final func setMembers<Declared: NSManagedObject>(
        _ property: ResolvedProperty, _ members: ContiguousArray<NSManagedObject>, of declared: Declared.Type
    ) {
        guard UndeclaredClasses.hasLeftOut.load(ordering: .relaxed) else { return setMembers(property, members) }
        let hidden = self.members(property).filter { member in
            !(member is Declared) && !UndeclaredClasses.canBeHandedOut(type(of: member), as: declared)
        }
        setMembers(property, members + hidden)
    }
}
