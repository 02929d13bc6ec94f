/// Distinguishes the initializer of managed objects that every subclass has from the one that a subclass may override.
///
/// Swift calls only a `required` initializer of a class that is known at run time, and takes no `override` of one that
/// doesn't repeat the word. ``NSManagedObject/init(entity:insertInto:)`` can be overridden as it is; where it can't be
/// called, Swift finds the initializer that has one more parameter, of this type and with a default.
public struct _AnyManagedObjectClass: Sendable {
    /// The only value.
    @inlinable
    public init() {}
}
