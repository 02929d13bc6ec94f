/// Summaries as fetch requests.
extension Summary {
    func request(for layout: EntityLayout, in context: NSManagedObjectContext) throws -> NSFetchRequest<FetchedRow> {
        if let problem { throw SummaryColumn.invalid(problem, layout) }
        let request: NSFetchRequest<FetchedRow> = try query.request(for: layout, in: context)
        let columns = try columns.map { try SummaryColumn($0, of: layout) }
        try checkNames(columns, layout)
        try checkGroups(columns, layout)
        request.resultType = .dictionaryResultType
        request.fetchBatchSize = 0
        request.relationshipKeyPathsForPrefetching = nil
        // A plain column goes by its path, so that the engine sees what it is grouped by; its name is given afterwards.
        request.propertiesToFetch = columns.map { column -> Any in column.path.map { $0 as Any } ?? column.description }
        request.propertiesToGroupBy = groups.isEmpty ? nil : groups
        request.havingPredicate = having
        if let order { request.sortDescriptors = order.map { pathOrder($0, columns) } }
        return request
    }

    private func pathOrder(_ descriptor: NSSortDescriptor, _ columns: [SummaryColumn]) -> NSSortDescriptor {
        guard let path = columns.first(where: { $0.description.name == descriptor.key })?.path else {
            return descriptor
        }
        return NSSortDescriptor(key: path, ascending: descriptor.ascending)
    }

    private func checkNames(_ columns: [SummaryColumn], _ layout: EntityLayout) throws {
        var names: Set<String> = []
        for column in columns where !names.insert(column.description.name).inserted {
            throw SummaryColumn.invalid(
                "Two columns are named '\(column.description.name)'; give one of them another name.", layout)
        }
        guard !columns.isEmpty else { throw SummaryColumn.invalid("The summary has no columns.", layout) }
        for descriptor in order ?? [] where !names.contains(descriptor.key ?? "") {
            throw SummaryColumn.invalid(
                "There is no column '\(descriptor.key ?? "")' to order by. There are: "
                    + "\(names.sorted().joined(separator: ", ")).", layout)
        }
    }

    private func checkGroups(_ columns: [SummaryColumn], _ layout: EntityLayout) throws {
        for group in groups { _ = try SummaryColumn(Aggregate<T>.field(named: group), of: layout) }
        if groups.isEmpty, having != nil {
            throw SummaryColumn.invalid("The summary has a condition on groups, but isn't grouped by anything.", layout)
        }
        let isSummed = !groups.isEmpty || columns.contains(where: \.isComputed)
        for column in columns {
            guard let path = column.path, isSummed, !groups.contains(path) else { continue }
            throw SummaryColumn.invalid(
                "'\(path)' is neither grouped by nor computed, so it has no single value for a group.", layout)
        }
        if let error = having?.formatError { throw SummaryColumn.invalid(DatabaseError.sentence(error), layout) }
    }

    /// The rows for what the engine answered.
    func rows(_ found: [FetchedRow], _ layout: EntityLayout) throws -> [Row] {
        let keys = columns.map { column in
            if case .property(let path) = column.content { (path, column.name) } else { (column.name, column.name) }
        }
        return found.map { row in
            let dictionary = row.valuesByName
            var values: [String: any Sendable] = [:]
            for (key, name) in keys { values[name] = dictionary[key].flatMap { StoredValue.sendable($0) } }
            return Row(entity: layout.name, names: keys.map(\.1), values: values)
        }
    }
}

/// Running summaries. Both belong to the context's queue and read what the stores have, without unsaved changes.
extension NSManagedObjectContext {
    /// Returns one row for each group, or for each object if the summary computes nothing.
    ///
    /// The store computes the rows from what was saved; unsaved changes don't count, not even those of this context.
    /// Without groups, a summary with computed columns has exactly one row. Without an order, rows come in any order.
    ///
    /// - Parameter summary: The summary.
    /// - Returns: The rows.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` for unknown properties, functions that don't fit their
    ///   types, plain properties that aren't grouped by, and equal names of columns.
    public func rows<T>(_ summary: Summary<T>) throws -> [Row] {
        let layout = try entityLayout(of: summary.query)
        let request = try summary.request(for: layout, in: self)
        return try DatabaseError.translating(layout, request.predicate) {
            try summary.rows(fetch(request), layout)
        }
    }

    /// Returns the only value of a summary's first row. Counts and sums of an empty set are 0.
    ///
    /// The type is inferred from the variable that takes the value. A summary with several columns throws
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// ```swift
    /// let oldest: Int? = try context.value(Query(Person.self).max(\.age))
    /// ```
    ///
    /// - Parameter summary: A summary of one column.
    /// - Returns: The value, or `nil` if the row has none.
    /// - Throws: The errors of ``rows(_:)``, and ``DatabaseError/undecodable(entity:property:value:type:)`` if the
    ///   value isn't a `V`.
    public func value<T, V>(_ summary: Summary<T>) throws -> V? {
        guard summary.columns.count == 1, let name = summary.columns.first?.name else {
            let layout = try entityLayout(of: summary.query)
            throw SummaryColumn.invalid(
                "The summary has to have one column, but has \(summary.columns.count) columns.", layout)
        }
        return try rows(summary).first?.value(name)
    }
}
