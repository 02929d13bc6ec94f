#if !canImport(ObjectiveC)
public import Foundation

/// Turns a value into another, and back where it can.
///
/// A transformable attribute that names a registered transformer is saved as the data that `transformedValue(_:)`
/// gives, and read with `reverseTransformedValue(_:)`. Subclasses of `NSSecureUnarchiveFromDataTransformer` work the
/// other way round, as Core Data has it.
///
/// Registered transformers are used from every thread on which objects are read or saved; a transformer must not
/// change after it was registered.
open class ValueTransformer: NSObject, RegisteredTransformer {

    /// Registers a transformer under a name, for the whole process.
    ///
    /// A transformer that was registered under the name is replaced. Register transformers before stores are added
    /// whose models name them. May be called on any thread.
    ///
    /// - Parameters:
    ///   - transformer: The transformer; `nil` removes the name.
    ///   - name: The name.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        ValueTransformerRegistry.shared.set(transformer, for: name)
    }

    /// The names under which transformers are registered.
    ///
    /// They are sorted, and include those of the constants of ``NSValueTransformerName``.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        ValueTransformerRegistry.shared.names
    }

    /// The class of what `transformedValue(_:)` gives.
    ///
    /// Override it in a subclass. This class returns `NSObject`.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether `reverseTransformedValue(_:)` can be used.
    ///
    /// Override it to return `false` for a transformation that loses information. This class returns `true`.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Returns the transformed value. This class returns the value itself.
    ///
    /// A save calls it for the values of transformable attributes that name the transformer. For a subclass of
    /// `NSSecureUnarchiveFromDataTransformer`, reading calls it.
    ///
    /// - Parameter value: The value.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Returns the value that was transformed. This class transforms again, because most transformations are their
    /// own reverse.
    ///
    /// Reading an object calls it for the stored data of transformable attributes that name the transformer. For a
    /// subclass of `NSSecureUnarchiveFromDataTransformer`, a save calls it.
    ///
    /// - Parameter value: A transformed value.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// Gives `ValueTransformer` the initializer that returns a registered object: only an extension of a protocol may
/// replace `self`.
public protocol RegisteredTransformer {}

extension RegisteredTransformer where Self: ValueTransformer {
    /// The transformer that is registered under a name; `nil` if no transformer is registered, or it has another
    /// class.
    ///
    /// A name that isn't registered is never looked up as the name of a class.
    ///
    /// - Parameter name: The name that the transformer was registered under.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformerRegistry.shared.transformer(for: name) as? Self else { return nil }
        self = transformer
    }
}
#endif
