import CoreDataPlatform
public import OpenCoreDataKit

/// Objects by their unique values.
///
/// The functions take values of any type that the attribute can hold. They are called on the context's queue, and neither
/// save nor throw: an attribute that the entity does not have stops the program.
extension ManagedObjectType where Self: NSManagedObject & UniqueIdentifiable {
    /// The condition that an object has a unique value.
    ///
    /// Use it in fetch requests of one's own. Nothing is checked here.
    ///
    /// - Parameter uniqueKeyValue: The value.
    /// - Returns: The condition.
    public static func uniqueObjectPredicate(withUniqueKeyValue uniqueKeyValue: Any) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: uniqueIDKey),
            rightExpression: NSExpression(forConstantValue: uniqueKeyValue), modifier: .direct, type: .equalTo)
    }

    // MARK: One object

    /// Inserts an object with a unique value, whether there is one with it already or not.
    ///
    /// Use ``fetchOrInsertObject(withUniqueKeyValue:inContext:withConfigurationBlock:)`` if there may be one. Nothing
    /// is saved.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value, which the object has before the block is called.
    ///   - context: Where.
    ///   - configure: Gives the object its other values.
    /// - Returns: The object.
    @discardableResult
    public static func insertObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext,
        configure: ManagedObjectConfigurationBlock? = nil
    ) -> Self {
        insert(key(uniqueKeyValue), context, configure)
    }

    /// Returns the object with a unique value, or `nil` if no object has it.
    ///
    /// A loaded object is found without a query. A deleted object isn't found, whether or not the deletion is saved.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value.
    ///   - context: The context to search.
    /// - Returns: The object, or `nil`.
    public static func fetchObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext
    ) -> Self? {
        find(key(uniqueKeyValue), context)
    }

    /// The object with a unique value among those that the context has loaded; the store is not asked.
    ///
    /// Objects that are faults aren't found, because their values aren't loaded.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value.
    ///   - context: Where to look.
    /// - Returns: The object, or `nil`.
    public static func materialiseObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext
    ) -> Self? {
        findLoaded(key(uniqueKeyValue), context)
    }

    /// The object with a unique value, or a new one that has it.
    ///
    /// Loaded and unsaved objects of the context are found, too. Two contexts can insert the same value at the same
    /// time, unless the model has a uniqueness constraint.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value.
    ///   - context: Where.
    ///   - configure: Gives the object its other values, whether it is new or not.
    /// - Returns: The object, which may be new.
    @discardableResult
    public static func fetchOrInsertObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext,
        withConfigurationBlock configure: ManagedObjectConfigurationBlock? = nil
    ) -> Self {
        let key = key(uniqueKeyValue)
        guard let found = find(key, context) else { return insert(key, context, configure) }
        configure?(found)
        return found
    }

    // MARK: Many objects

    /// Inserts or updates an object for each of many things that are to be brought in.
    ///
    /// What is there already is found with one query, when the call begins. Things with equal values stand for one object.
    ///
    /// - Parameters:
    ///   - intermediates: What to bring in. With an empty array nothing happens.
    ///   - context: Where.
    ///   - configureProperties: Gives an object the values of its thing, one after the other; new objects have their
    ///     unique value already.
    public static func insertOrUpdate<Intermediate: UniqueIdentifiable>(
        intermediates: [Intermediate], inContext context: NSManagedObjectContext,
        configureProperties: (Intermediate, Self) -> Void
    ) {
        guard !intermediates.isEmpty else { return }
        let lookup: KeyLookup<Self, Intermediate.UniqueIDValue> = lookup(context)
        var known = demand { try lookup.existing(Set(intermediates.map(\.uniqueIDValue))) }
        for intermediate in intermediates {
            let value = intermediate.uniqueIDValue
            let object = known[value] ?? insert(value, lookup)
            known[value] = object
            configureProperties(intermediate, object)
        }
    }

    // MARK: Looking up

    private static func lookup<Key: Hashable>(_ context: NSManagedObjectContext) -> KeyLookup<Self, Key> {
        demand { try KeyLookup(self, entity: entityName, attribute: uniqueIDKey, in: context) }
    }

    /// A value as one that can be compared.
    private static func key(_ value: Any) -> any Hashable {
        guard let key = OptionalValue.flatten((value as? AnyHashable)?.base ?? value) as? any Hashable else {
            programmerError(
                "\(ValueDescription.string(of: value)) is no value of the attribute '\(uniqueIDKey)' that objects of \(self) differ in."
            )
        }
        return key
    }

    private static func find<Key: Hashable>(_ key: Key, _ context: NSManagedObjectContext) -> Self? {
        demand { try lookup(context).first(key) }
    }

    private static func findLoaded<Key: Hashable>(_ key: Key, _ context: NSManagedObjectContext) -> Self? {
        lookup(context).loaded(key)
    }

    private static func insert<Key: Hashable>(
        _ key: Key, _ context: NSManagedObjectContext, _ configure: ManagedObjectConfigurationBlock?
    ) -> Self {
        let object = insert(key, lookup(context))
        configure?(object)
        return object
    }

    private static func insert<Key: Hashable>(_ key: Key, _ lookup: KeyLookup<Self, Key>) -> Self {
        let object = insertObject(inContext: lookup.context)
        lookup.set(key, of: object)
        return object
    }
}
