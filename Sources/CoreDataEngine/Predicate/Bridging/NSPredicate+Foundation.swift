public import Foundation

extension PredicateFormatCreating where Self: NSPredicate {
    /// Creates a predicate from a type-safe one.
    ///
    /// A key path that is no property of the model, such as one of a computed property, gives a predicate whose fetch
    /// throws an error that names it: without the condition, all objects would be found.
    ///
    /// - Parameter predicate: A predicate, for example of `#Predicate`.
    /// - Returns: The predicate, or `nil` if a part has no counterpart. `init(translating:)` throws an error that names
    ///   the part.
    public init?<Input>(_ predicate: Predicate<Input>) {
        let translated: NSPredicate?
        do {
            translated = try FoundationPredicateTranslator.predicate(predicate)
        } catch {
            translated = KeyPathNames.Nameless.isOne(error) ? NSPredicate(invalid: error) : nil
        }
        guard let result = translated as? Self else { return nil }
        self = result
    }

    /// Creates a predicate from a type-safe one.
    ///
    /// The key paths have to be of classes whose key paths are known by name, such as managed object classes.
    ///
    /// - Parameter predicate: A predicate, for example of `#Predicate`.
    /// - Throws: An error that names the first part without a counterpart.
    public init<Input>(translating predicate: Predicate<Input>) throws {
        let translated = try FoundationPredicateTranslator.predicate(predicate)
        guard let result = translated as? Self else {
            throw PredicateError.evaluation("The predicate is not a \(Self.self): \(translated.predicateFormat)")
        }
        self = result
    }
}

extension NSSortDescriptor {
    /// Creates a descriptor from a type-safe one. If it can't be expressed, a fetch that uses it throws the reason.
    ///
    /// Off Apple's platforms, strings are always compared by their code points, whatever the comparator of the
    /// descriptor is. `init(translating:)` throws the reason at once.
    ///
    /// - Parameter sortDescriptor: The descriptor.
    public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
        do {
            try self.init(translating: sortDescriptor)
        } catch {
            self.init(subject: .invalid(error), ascending: sortDescriptor.order == .forward, selector: nil)
        }
    }

    /// Creates a descriptor from a type-safe one.
    ///
    /// Off Apple's platforms, strings are always compared by their code points, whatever the comparator of the
    /// descriptor is.
    ///
    /// - Parameter sortDescriptor: The descriptor.
    /// - Throws: An error if the descriptor has no key path, or one whose name isn't known.
    public convenience init<Compared>(translating sortDescriptor: SortDescriptor<Compared>) throws {
        guard let keyPath = sortDescriptor.keyPath else {
            throw PredicateError.evaluation("A sort descriptor without key path cannot be translated.")
        }
        self.init(
            subject: .key(try KeyPathNames.requiredName(of: keyPath)), ascending: sortDescriptor.order == .forward,
            selector: Self.selector(sortDescriptor.stringComparator), keyPath: keyPath)
    }

    /// The selector that compares as a string comparator does; off Apple's platforms there is only the lexical one.
    private static func selector(_ comparator: String.StandardComparator?) -> Selector {
        #if canImport(Darwin)
        if let comparator {
            if comparator == .localizedStandard { return Selector(("localizedStandardCompare:")) }
            if comparator == .localized { return Selector(("localizedCompare:")) }
        }
        #endif
        return Selector("compare:")
    }
}
