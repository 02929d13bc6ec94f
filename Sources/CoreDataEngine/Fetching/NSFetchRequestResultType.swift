/// What the elements of a fetch's result are.
public struct NSFetchRequestResultType: OptionSet, Hashable, Sendable {
    /// Apple's number for the type.
    public let rawValue: UInt

    /// Creates a type from Apple's number for it.
    ///
    /// Programs use the constants, such as ``managedObjectIDResultType``.
    ///
    /// - Parameter rawValue: Apple's number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType = NSFetchRequestResultType([])
    /// `NSManagedObjectID`s.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries by property name.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// One number: how many objects match.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
