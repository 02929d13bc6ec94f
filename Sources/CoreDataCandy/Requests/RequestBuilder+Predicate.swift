import OpenCoreDataKit

extension RequestBuilder where Step == TargetStep {
    /// Asks for objects that fulfil a comparison, such as `\.name == "Zerator"`.
    public func `where`<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        next { $0.predicate = predicate.nsValue }
    }

    /// Asks for objects whose attribute fulfils an operator, such as `.hasPrefix("Z")`.
    public func `where`<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(operation.predicate(keyPath))
    }

    /// Asks for objects whose attribute is true.
    public func `where`(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(keyPath == true)
    }

    /// Asks for objects whose attribute has one of some values.
    public func `where`<Value: DatabaseFieldValue & Equatable>(
        _ keyPath: KeyPath<Entity, Value>, isIn values: [Value]
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(keyPath, .isIn(values))
    }

    /// Asks for objects whose attribute has none of some values.
    public func `where`<Value: DatabaseFieldValue & Equatable>(
        _ keyPath: KeyPath<Entity, Value>, isNotIn values: [Value]
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(keyPath, .isNotIn(values))
    }
}

// MARK: Compounds

extension RequestBuilder where Step == PredicateStep {
    private func combined(
        _ type: NSCompoundPredicate.LogicalType, _ predicate: NSPredicate
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        next { parts in
            let both = [parts.predicate, predicate].compactMap(\.self)
            parts.predicate = NSCompoundPredicate(type: type, subpredicates: both)
        }
    }

    /// Asks for objects that fulfil everything so far and a comparison.
    public func and<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        combined(.and, predicate.nsValue)
    }

    /// Asks for objects that fulfil everything so far and whose attribute fulfils an operator.
    public func and<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        and(operation.predicate(keyPath))
    }

    /// Asks for objects that fulfil everything so far and whose attribute is true.
    public func and(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        and(keyPath == true)
    }

    /// Asks for objects that fulfil everything so far, or a comparison.
    public func or<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        combined(.or, predicate.nsValue)
    }

    /// Asks for objects that fulfil everything so far, or whose attribute fulfils an operator.
    public func or<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        or(operation.predicate(keyPath))
    }

    /// Asks for objects that fulfil everything so far, or whose attribute is true.
    public func or(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        or(keyPath == true)
    }
}
