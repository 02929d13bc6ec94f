#if !canImport(ObjectiveC)
/// A pointer to a value which a method may replace, for the methods where Apple's API has one.
///
/// It is valid while the method runs that it was given to.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private let pointer: UnsafeMutablePointer<Pointee>

    /// Creates one for a pointer.
    ///
    /// The engine creates it for the methods that take one; programs only do so to call such a method themselves.
    ///
    /// - Parameter pointer: Has to stay where it is for as long as the pointer is used.
    public init(_ pointer: UnsafeMutablePointer<Pointee>) { self.pointer = pointer }

    /// The value.
    public var pointee: Pointee {
        get { pointer.pointee }
        nonmutating set { pointer.pointee = newValue }
    }
}
#endif
