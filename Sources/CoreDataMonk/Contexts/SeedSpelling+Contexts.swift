// The spelling of the library's first users, with capitals.

extension CoreDataContext.UpdateTarget {
    /// The same as ``mainContext``.
    public static var MainContext: Self { .mainContext }
    /// The same as ``rootContext(autoMerge:)``.
    ///
    /// - Parameter autoMerge: Whether the main context merges what the root context saves.
    /// - Returns: The target.
    public static func RootContext(autoMerge: Bool) -> Self { .rootContext(autoMerge: autoMerge) }
    /// The same as ``persistentStore``.
    public static var PersistentStore: Self { .persistentStore }
}

extension CoreDataContext.UpdateOrder {
    /// The same as ``serial``.
    public static var Serial: Self { .serial }
    /// The same as ``default``.
    public static var Default: Self { .default }
}

extension CoreDataStack.RootContextType {
    /// The same as ``shared``.
    public static var Shared: Self { .shared }
    /// The same as ``none``, to be written with the type in front where an optional could be meant.
    public static var None: Self { .none }
}
