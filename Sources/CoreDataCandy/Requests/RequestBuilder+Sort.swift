import OpenCoreDataKit

extension RequestBuilder where Step: SortableStep {
    /// Orders the results by an attribute, smaller values first.
    ///
    /// Objects without a value come first. Go on with `then` for equal values.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The request with the order.
    public func sorted<Value: DatabaseFieldValue>(
        by keyPath: KeyPath<Entity, Value>
    ) -> RequestBuilder<Entity, SortStep, Output> {
        sorted(by: .ascending, keyPath)
    }

    /// Orders the results by an attribute.
    ///
    /// In ascending order, objects without a value come first.
    ///
    /// - Parameters:
    ///   - direction: Whether smaller or larger values come first.
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The request with the order.
    public func sorted<Value: DatabaseFieldValue>(
        by direction: SortDirection, _ keyPath: KeyPath<Entity, Value>, comparison: SortComparison = .standard
    ) -> RequestBuilder<Entity, SortStep, Output> {
        next { $0.sorts.append(direction.descriptor(keyPath, comparison)) }
    }

    /// Orders the results by several attributes; the next decides where one finds no difference.
    ///
    /// In ascending order, objects without a value come first, unlike in memory. A store in a SQLite file can't sort by
    /// a custom closure.
    ///
    /// - Parameters:
    ///   - sort: The first attribute.
    ///   - more: Further attributes.
    /// - Returns: The request with the order.
    public func sorted(by sort: Sort<Entity>, _ more: Sort<Entity>...) -> RequestBuilder<Entity, SortStep, Output> {
        next { $0.sorts += ([sort] + more).map(\.nsSortDescriptor) }
    }
}

extension RequestBuilder where Step == SortStep {
    /// Orders results that the sorts so far find equal by an attribute, smaller values first.
    ///
    /// Has no effect where the earlier sorts find a difference.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The request with the further order.
    public func then<Value: DatabaseFieldValue>(by keyPath: KeyPath<Entity, Value>) -> Self {
        then(by: .ascending, keyPath)
    }

    /// Orders results that the sorts so far find equal by an attribute.
    ///
    /// Has no effect where the earlier sorts find a difference.
    ///
    /// - Parameters:
    ///   - direction: Whether smaller or larger values come first.
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    /// - Returns: The request with the further order.
    public func then<Value: DatabaseFieldValue>(
        by direction: SortDirection, _ keyPath: KeyPath<Entity, Value>, comparison: SortComparison = .standard
    ) -> Self {
        next { $0.sorts.append(direction.descriptor(keyPath, comparison)) }
    }

    /// Orders results that the sorts so far find equal by several attributes.
    ///
    /// Has no effect where the earlier sorts find a difference.
    ///
    /// - Parameters:
    ///   - sort: The next attribute.
    ///   - more: Further attributes.
    /// - Returns: The request with the further order.
    public func then(by sort: Sort<Entity>, _ more: Sort<Entity>...) -> Self {
        next { $0.sorts += ([sort] + more).map(\.nsSortDescriptor) }
    }
}
