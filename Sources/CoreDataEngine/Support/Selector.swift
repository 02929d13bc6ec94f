#if !canImport(ObjectiveC)
/// The name of a method, for the parameters where Apple's API takes one.
///
/// Nothing is called by name: the engine knows the selectors that compare, such as `caseInsensitiveCompare:`.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, for example `localizedStandardCompare:`.
    public let description: String

    /// Creates the selector of a name.
    ///
    /// The name isn't checked: sorting by a selector that isn't known makes a fetch throw.
    ///
    /// - Parameter name: The name, with a colon for each argument.
    public init(_ name: String) { description = name }

    /// Creates the selector of a name.
    ///
    /// It lets a string literal represent a selector.
    ///
    /// - Parameter value: The name, with a colon for each argument.
    public init(stringLiteral value: String) { description = value }
}

/// The name of a selector.
///
/// It is there for code that is compiled for Apple's systems as well; ``Selector/description`` is the same string.
///
/// - Parameter selector: The selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

/// The selector of a name.
///
/// It is there for code that is compiled for Apple's systems as well; ``Selector/init(_:)`` does the same. The name
/// isn't checked.
///
/// - Parameter name: The name, with a colon for each argument.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }
#endif
