import OpenCoreDataKit

extension RequestBuilder where Step == TargetStep {
    /// Asks for objects that fulfil a comparison, such as `\.name == "Zerator"`.
    ///
    /// The only predicate of a request: further ones are added with `and` and `or`.
    ///
    /// - Parameter predicate: The comparison.
    /// - Returns: The request with the predicate.
    public func `where`<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        next { $0.predicate = predicate.nsValue }
    }

    /// Asks for objects whose attribute fulfils an operator, such as `.hasPrefix("Z")`.
    ///
    /// A key path that reads no property of the model is an error of the program.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - operation: The operator with its value.
    /// - Returns: The request with the predicate.
    public func `where`<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(operation.predicate(keyPath))
    }

    /// Asks for objects whose attribute is true.
    ///
    /// Objects without a value aren't found.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The request with the predicate.
    public func `where`(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(keyPath == true)
    }

    /// Asks for objects whose attribute has one of some values.
    ///
    /// The same as the operator `.isIn(values)`: `nil` in the list finds nothing.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - values: The values.
    /// - Returns: The request with the predicate.
    public func `where`<Value: DatabaseFieldValue & Equatable>(
        _ keyPath: KeyPath<Entity, Value>, isIn values: [Value]
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        self.where(keyPath, .isIn(values))
    }

    /// Asks for objects whose attribute has none of some values.
    ///
    /// The same as the operator `.isNotIn(values)`: objects without a value are found.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - values: The values.
    /// - Returns: The request with the predicate.
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
    ///
    /// Predicates are joined from left to right, without precedence: `a.or(b).and(c)` means "(a or b) and c".
    ///
    /// - Parameter predicate: The comparison.
    /// - Returns: The request with both predicates.
    public func and<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        combined(.and, predicate.nsValue)
    }

    /// Asks for objects that fulfil everything so far and whose attribute fulfils an operator.
    ///
    /// Predicates are joined from left to right, without precedence.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - operation: The operator with its value.
    /// - Returns: The request with both predicates.
    public func and<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        and(operation.predicate(keyPath))
    }

    /// Asks for objects that fulfil everything so far and whose attribute is true.
    ///
    /// Predicates are joined from left to right, without precedence.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The request with both predicates.
    public func and(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        and(keyPath == true)
    }

    /// Asks for objects that fulfil everything so far, or a comparison.
    ///
    /// Predicates are joined from left to right, without precedence: `a.and(b).or(c)` means "(a and b) or c".
    ///
    /// - Parameter predicate: The comparison.
    /// - Returns: The request with both predicates.
    public func or<Value, TestValue>(
        _ predicate: FetchPredicate<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        combined(.or, predicate.nsValue)
    }

    /// Asks for objects that fulfil everything so far, or whose attribute fulfils an operator.
    ///
    /// Predicates are joined from left to right, without precedence.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - operation: The operator with its value.
    /// - Returns: The request with both predicates.
    public func or<Value, TestValue>(
        _ keyPath: KeyPath<Entity, Value>, _ operation: PredicateRightValue<Entity, Value, TestValue>
    ) -> RequestBuilder<Entity, PredicateStep, Output> {
        or(operation.predicate(keyPath))
    }

    /// Asks for objects that fulfil everything so far, or whose attribute is true.
    ///
    /// Predicates are joined from left to right, without precedence.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The request with both predicates.
    public func or(_ keyPath: KeyPath<Entity, Bool>) -> RequestBuilder<Entity, PredicateStep, Output> {
        or(keyPath == true)
    }
}
