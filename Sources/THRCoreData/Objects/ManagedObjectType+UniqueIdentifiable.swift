import CoreDataPlatform
public import OpenCoreDataKit

/// Objects by their unique values.
///
/// The functions take values of any type that the attribute can hold. Call them on the context's queue. They neither save
/// nor throw; if the entity doesn't have the attribute, the program stops.
extension ManagedObjectType where Self: NSManagedObject & UniqueIdentifiable {
    /// The condition that an object has a unique value.
    ///
    /// Use it in your own fetch requests. The value isn't checked.
    ///
    /// - Parameter uniqueKeyValue: The value.
    /// - Returns: The condition.
    public static func uniqueObjectPredicate(withUniqueKeyValue uniqueKeyValue: Any) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: uniqueIDKey),
            rightExpression: NSExpression(forConstantValue: uniqueKeyValue), modifier: .direct, type: .equalTo)
    }

    // MARK: One object

    /// Inserts an object with a unique value, even if another object already has the value.
    ///
    /// Use ``fetchOrInsertObject(withUniqueKeyValue:inContext:withConfigurationBlock:)`` if there may be one. The
    /// object isn't saved.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value, which the object has before the block is called.
    ///   - context: The context of the object.
    ///   - configure: Sets the object's other values.
    /// - Returns: The object.
    @discardableResult
    public static func insertObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext,
        configure: ManagedObjectConfigurationBlock? = nil
    ) -> Self {
        insert(key(uniqueKeyValue, context), context, configure)
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
        find(key(uniqueKeyValue, context), context)
    }

    /// Returns the object with a unique value among those that the context has loaded, without a query.
    ///
    /// Objects that are faults aren't found, because their values aren't loaded.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value.
    ///   - context: The context to search.
    /// - Returns: The object, or `nil`.
    public static func materialiseObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext
    ) -> Self? {
        findLoaded(key(uniqueKeyValue, context), context)
    }

    /// Returns the object with a unique value, or inserts one.
    ///
    /// Loaded and unsaved objects of the context are found, too. Two contexts can insert the same value at the same
    /// time, unless the model has a uniqueness constraint.
    ///
    /// - Parameters:
    ///   - uniqueKeyValue: The value.
    ///   - context: The context of the object.
    ///   - configure: Sets the object's other values, whether it is new or not.
    /// - Returns: The object, which may be new.
    @discardableResult
    public static func fetchOrInsertObject(
        withUniqueKeyValue uniqueKeyValue: Any, inContext context: NSManagedObjectContext,
        withConfigurationBlock configure: ManagedObjectConfigurationBlock? = nil
    ) -> Self {
        let key = key(uniqueKeyValue, context)
        guard let found = find(key, context) else { return insert(key, context, configure) }
        configure?(found)
        return found
    }

    // MARK: Many objects

    /// Inserts or updates an object for each item of an import.
    ///
    /// Existing objects are found with one query when the call begins. Items with equal values belong to the same object.
    ///
    /// - Parameters:
    ///   - intermediates: The items. If the array is empty, nothing happens.
    ///   - context: The context of the objects.
    ///   - configureProperties: Sets the values of an item's object. It is called for one item after the other; new objects
    ///     already have their unique value.
    public static func insertOrUpdate<Intermediate: UniqueIdentifiable>(
        intermediates: [Intermediate], inContext context: NSManagedObjectContext,
        configureProperties: (Intermediate, Self) -> Void
    ) {
        guard !intermediates.isEmpty else { return }
        let values = intermediates.map(\.uniqueIDValue)
        switch decimals(values).map({ NumberKeys($0, of: attributeType(context)) }) {
        case .integers(let keys): insertOrUpdate(zip(intermediates, keys), context, configureProperties)
        case .floats(let keys): insertOrUpdate(zip(intermediates, keys), context, configureProperties)
        case .doubles(let keys): insertOrUpdate(zip(intermediates, keys), context, configureProperties)
        case .decimals(let keys): insertOrUpdate(zip(intermediates, keys), context, configureProperties)
        case nil: insertOrUpdate(zip(intermediates, values), context, configureProperties)
        }
    }

    private static func insertOrUpdate<Intermediate, Key: Hashable>(
        _ intermediates: Zip2Sequence<[Intermediate], [Key]>, _ context: NSManagedObjectContext,
        _ configureProperties: (Intermediate, Self) -> Void
    ) {
        let lookup: KeyLookup<Self, Key> = lookup(context)
        var known = demand { try lookup.existing(intermediates.map(\.1)) }
        for (intermediate, value) in intermediates {
            let object = known[value] ?? insert(value, lookup)
            known[value] = object
            configureProperties(intermediate, object)
        }
    }

    /// The values as Swift's decimal numbers, if they are Foundation's, which can't be hashed outside Apple's systems.
    private static func decimals<Value>(_ values: [Value]) -> [Decimal]? {
        if Value.self == String.self || Value.self == UUID.self || Value.self is any BinaryInteger.Type { return nil }
        let plain = values.map { OptionalValue.flatten(($0 as? AnyHashable)?.base ?? $0) }
        // A cast would make one of a `Decimal`.
        guard plain.contains(where: { $0.map { type(of: $0) is NSDecimalNumber.Type } ?? false }) else { return nil }
        return plain.map { value in
            guard let number = value as? NSNumber else {
                programmerError(
                    "\(ValueDescription.string(of: value)) and decimal numbers can't both be values of '\(uniqueIDKey)' of \(self)."
                )
            }
            return number.decimalValue
        }
    }

    // MARK: Looking up

    private static func lookup<Key: Hashable>(_ context: NSManagedObjectContext) -> KeyLookup<Self, Key> {
        demand { try KeyLookup(self, entity: entityName, attribute: uniqueIDKey, in: context) }
    }

    /// A value as one that can be compared and hashed.
    private static func key(_ value: Any, _ context: NSManagedObjectContext) -> any Hashable {
        let value = OptionalValue.flatten(value)
        if let number = value as? NSDecimalNumber {
            return NumberKeys([number.decimalValue], of: attributeType(context)).first ?? number.decimalValue
        }
        guard let value, let key = OptionalValue.flatten((value as? AnyHashable)?.base ?? value) as? any Hashable else {
            programmerError(
                "\(ValueDescription.string(of: value)) can't be a value of '\(uniqueIDKey)', the attribute that identifies objects of \(self)."
            )
        }
        return key
    }

    private static func attributeType(_ context: NSManagedObjectContext) -> NSAttributeType {
        let lookup: KeyLookup<Self, Decimal> = lookup(context)
        return lookup.attributeType
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
