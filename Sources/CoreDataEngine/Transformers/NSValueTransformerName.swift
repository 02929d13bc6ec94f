#if !canImport(ObjectiveC)
/// The name of a value transformer. The values of the constants are Apple's.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as a string.
    public let rawValue: String

    /// Creates a name.
    ///
    /// It is the spelling for constants in an extension.
    ///
    /// ```swift
    /// extension NSValueTransformerName {
    ///     static let color = NSValueTransformerName("ColorTransformer")
    /// }
    /// ```
    ///
    /// - Parameter rawValue: The name as a string.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a name.
    ///
    /// - Parameter rawValue: The name as a string.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Negates a boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether a value is nil.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether a value is not nil.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Reads an archive; the oldest of its kind, and read as a keyed one.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// Reads a keyed archive.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Reads a keyed archive of allowed classes only.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
#endif
