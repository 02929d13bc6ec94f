/// The methods of objects that the engine calls only where a class overrides them.
extension OverriddenMethod {
    private final class Plain: NSManagedObject {}

    private init(_ overriding: NSManagedObject.Type) {
        self.init(of: NSManagedObject.self, overriding: overriding, plain: Plain.self)
    }

    private final class ValidatesValues: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws {}
    }

    private final class ValidatesByReference: NSManagedObject {
        #if !canImport(ObjectiveC)
        override func validateValue(
            _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
        ) throws {}
        #endif
    }

    private final class WatchesChanges: NSManagedObject {
        override func willChangeValue(forKey key: String) {}
    }

    private final class WatchesChanged: NSManagedObject {
        override func didChangeValue(forKey key: String) {}
    }

    private final class SetsPrimitives: NSManagedObject {
        override func setPrimitiveValue(_ value: Any?, forKey key: String) {}
    }

    /// `validateValue(_:forKey:)`.
    package static let validateValue = OverriddenMethod(ValidatesValues.self)
    /// Its form with a pointer.
    package static let validateByReference = OverriddenMethod(ValidatesByReference.self)
    /// Either form of `validateValue(_:forKey:)`.
    static let validation = EitherOverriddenMethod(validateValue, validateByReference)
    /// `willChangeValue(forKey:)` or `didChangeValue(forKey:)`.
    static let changes = EitherOverriddenMethod(
        OverriddenMethod(WatchesChanges.self), OverriddenMethod(WatchesChanged.self))
    /// `setPrimitiveValue(_:forKey:)`.
    static let setPrimitiveValue = OverriddenMethod(SetsPrimitives.self)
}
