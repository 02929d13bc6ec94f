/// Objects whose values can be read by the names of their properties, in predicates, sort descriptors and key paths.
///
/// Managed objects, dictionaries and collections can be read without it. Other Swift values are read by reflection,
/// which sees stored properties only; adopt the protocol to offer more.
public protocol KeyValueCoding {
    /// The value of a property; `nil` if it has none.
    ///
    /// It is called when a predicate or sort descriptor is evaluated in memory, on the thread that evaluates.
    ///
    /// - Parameter key: The name of a property.
    func value(forKey key: String) -> Any?
}

/// Objects whose methods `FUNCTION(…)` can call by their selectors.
protocol ExpressionMethods {
    /// Calls a method.
    ///
    /// - Throws: An error that names the method if it doesn't exist.
    func callMethod(_ selector: String, _ arguments: [Any?]) throws -> Any?
}

/// Objects that can distinguish an unknown key from a missing value.
package protocol ThrowingKeyValueCoding {
    /// The value of a property.
    ///
    /// - Throws: An error that names object and key if there is no such property.
    func predicateValue(forKey key: String) throws -> Any?
}

/// Descriptions with a user info of the application's.
protocol UserInfoHolding {
    var userInfo: [AnyHashable: Any]? { get }
}
