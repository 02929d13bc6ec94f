import OpenCoreDataKit

extension RequestBuilder where Step: SortableStep {
    /// Orders the results by an attribute, smaller values first.
    public func sorted<Value: DatabaseFieldValue>(
        by keyPath: KeyPath<Entity, Value>
    ) -> RequestBuilder<Entity, SortStep, Output> {
        sorted(by: .ascending, keyPath)
    }

    /// Orders the results by an attribute.
    ///
    /// - Parameters:
    ///   - direction: Whether smaller or larger values come first.
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    public func sorted<Value: DatabaseFieldValue>(
        by direction: SortDirection, _ keyPath: KeyPath<Entity, Value>, comparison: SortComparison = .standard
    ) -> RequestBuilder<Entity, SortStep, Output> {
        next { $0.sorts.append(direction.descriptor(keyPath, comparison)) }
    }

    /// Orders the results by several attributes; the next decides where one finds no difference.
    public func sorted(by sort: Sort<Entity>, _ more: Sort<Entity>...) -> RequestBuilder<Entity, SortStep, Output> {
        next { $0.sorts += ([sort] + more).map(\.nsSortDescriptor) }
    }
}

extension RequestBuilder where Step == SortStep {
    /// Orders results that the sorts so far find equal by an attribute, smaller values first.
    public func then<Value: DatabaseFieldValue>(by keyPath: KeyPath<Entity, Value>) -> Self {
        then(by: .ascending, keyPath)
    }

    /// Orders results that the sorts so far find equal by an attribute.
    ///
    /// - Parameters:
    ///   - direction: Whether smaller or larger values come first.
    ///   - keyPath: The attribute.
    ///   - comparison: How strings are compared.
    public func then<Value: DatabaseFieldValue>(
        by direction: SortDirection, _ keyPath: KeyPath<Entity, Value>, comparison: SortComparison = .standard
    ) -> Self {
        next { $0.sorts.append(direction.descriptor(keyPath, comparison)) }
    }

    /// Orders results that the sorts so far find equal by several attributes.
    public func then(by sort: Sort<Entity>, _ more: Sort<Entity>...) -> Self {
        next { $0.sorts += ([sort] + more).map(\.nsSortDescriptor) }
    }
}
