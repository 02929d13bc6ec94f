/// Values instead of objects: functions over the objects that a query finds, as a whole or group by group.
///
/// A summary reads what the stores have: unsaved changes are not part of it.
///
/// ```swift
/// let mean: Double? = try context.value(Query(Person.self).average(\.age))
/// let rows = try context.rows(Query(Person.self).summarized(.average(\.age), .count(), by: \.city))
/// ```
public struct Summary<T: NSManagedObject> {
    let query: Query<T>
    let columns: [Aggregate<T>]
    let groups: [String]
    let having: NSPredicate?
    private(set) var order: [NSSortDescriptor]?
    /// Why it can't be computed, if that is known already.
    let problem: String?

    init(_ query: Query<T>, _ columns: [Aggregate<T>], groups: [String], having: NSPredicate?, problem: String? = nil) {
        self.query = query
        self.columns = columns
        self.groups = groups
        self.having = having
        self.problem = problem
    }

    /// Orders the rows by a column, which may be a computed one; replaces the order of the query.
    ///
    /// Called again, it sorts rows with equal values by the further column. A name that isn't a column makes running
    /// the summary throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - ascending: Whether smaller values come first.
    /// - Returns: The changed summary.
    public func sorted(by name: String, ascending: Bool = true) -> Self {
        var copy = self
        copy.order = (order ?? []) + [NSSortDescriptor(key: name, ascending: ascending)]
        return copy
    }
}

// @unchecked Sendable as a query is.
extension Summary: @unchecked Sendable {}

extension Summary {
    /// Limits the result.
    ///
    /// Use it with an order, for example for the ten largest groups. A negative number makes running the summary throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter count: The largest number of rows; 0 means no limit.
    /// - Returns: The changed summary.
    public func limit(_ count: Int) -> Self {
        Summary(query.limit(count), columns, groups: groups, having: having, problem: problem).ordered(as: self)
    }

    /// Sorts the rows. Replaces the order of the query.
    ///
    /// Called again, it sorts rows with equal values by the further property. If the property is a column under another
    /// name, that column is used.
    ///
    /// - Parameters:
    ///   - keyPath: A property that is grouped by, or a plain one.
    ///   - order: The direction.
    /// - Returns: The changed summary.
    public func sorted(by keyPath: PartialKeyPath<T>, _ order: SortOrder = .forward) -> Self {
        do {
            let path = try PropertyPath.name(of: keyPath)
            let column = columns.first { column in
                if case .property(path) = column.content { true } else { false }
            }
            return sorted(by: column?.name ?? path, ascending: order == .forward)
        } catch {
            return Summary(
                query, columns, groups: groups, having: having, problem: problem ?? DatabaseError.sentence(error))
        }
    }

    private func ordered(as other: Summary) -> Self {
        var copy = self
        copy.order = other.order
        return copy
    }
}

extension Query {
    /// Computes columns group by group.
    ///
    /// Mistakes, such as an unknown property, a plain column that isn't grouped by, or two columns of one name, are
    /// thrown when the summary is run.
    ///
    /// ```swift
    /// let perCity = Query(Person.self).summarized(.average(\.age, as: "mean"), .count(), by: \.city)
    /// let rows = try context.rows(perCity.sorted(by: "count", ascending: false))
    /// ```
    ///
    /// - Parameters:
    ///   - columns: What to compute. The properties that are grouped by are columns of their own, before these.
    ///   - keyPaths: What to group by. Objects without a value are a group of their own. Without groups there is one row.
    ///   - having: Which groups to leave in; names grouped properties, and columns by their names.
    /// - Returns: The summary, to be run with `rows(_:)` or `value(_:)` of a context.
    public func summarized(
        _ columns: Aggregate<T>..., by keyPaths: PartialKeyPath<T>..., having: NSPredicate? = nil
    ) -> Summary<T> {
        do {
            let groups = try keyPaths.map { try PropertyPath.name(of: $0) }
            return summarized(columns, by: groups, having: having)
        } catch {
            return Summary(
                self, columns, groups: [], having: having, problem: DatabaseError.sentence(error))
        }
    }

    /// Computes columns group by group, grouped by properties that are named.
    ///
    /// For properties that are known only at run time. Without groups, the summary has one row if it computes anything,
    /// or one row for each object.
    ///
    /// - Parameters:
    ///   - columns: What to compute, or plain properties. Those grouped by are added when they are missing.
    ///   - groups: The properties to group by, or paths over to-one relationships.
    ///   - having: Which groups to leave in.
    /// - Returns: The summary.
    public func summarized(_ columns: [Aggregate<T>], by groups: [String], having: NSPredicate? = nil) -> Summary<T> {
        let named = Set(
            columns.compactMap { column in
                if case .property(let path) = column.content { path } else { nil }
            })
        let missing = groups.filter { !named.contains($0) }.map { Aggregate<T>.field(named: $0) }
        return Summary(self, missing + columns, groups: groups, having: having)
    }

    /// Computes exactly the columns given, without those grouped by.
    package func exactly(_ columns: [Aggregate<T>], by groups: [String], having: NSPredicate?) -> Summary<T> {
        Summary(self, columns, groups: groups, having: having)
    }

    // MARK: One value

    /// Returns a summary of the values of properties, with a row for each object.
    ///
    /// The conditions, the order and the range of the query apply. Values of to-one relationships are identifiers. With
    /// ``distinct()``, equal rows come once.
    ///
    /// - Parameter keyPaths: The properties.
    /// - Returns: The summary.
    public func values(of keyPaths: PartialKeyPath<T>...) -> Summary<T> {
        Summary(self, keyPaths.map { .field($0) }, groups: [], having: nil)
    }

    /// The mean of a property.
    ///
    /// Objects without a value don't count. The value is a `Double`, or a `Decimal` for decimal attributes, and `nil`
    /// if no object has a value.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column, to be run with `value(_:)` of a context.
    public func average(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.average(keyPath, as: name))
    }

    /// The sum of a property; 0 for no values.
    ///
    /// Integers add up to an integer, and decimals to an exact decimal. Properties that aren't numbers make running the
    /// summary throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// ```swift
    /// let pages: Int? = try context.value(Query(Book.self).sum(\.pages))
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func sum(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.sum(keyPath, as: name))
    }

    /// The smallest value of a property.
    ///
    /// Works for numbers, dates, strings and other attributes with an order. The value is `nil` if no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func min(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.min(keyPath, as: name))
    }

    /// The largest value of a property.
    ///
    /// Works for numbers, dates, strings and other attributes with an order. The value is `nil` if no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func max(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.max(keyPath, as: name))
    }

    /// The median of a property.
    ///
    /// Works for numbers, dates and strings. Of an even number of values it is the mean of the middle two for numbers,
    /// and the lower of the two for dates and strings.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func median(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.median(keyPath, as: name))
    }

    /// The standard deviation of a property, as of a whole population.
    ///
    /// Works for numbers only. A single value has a deviation of 0, and without values the result is `nil`.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func standardDeviation(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.standardDeviation(keyPath, as: name))
    }

    /// The number of objects that have a value.
    ///
    /// Objects without a value aren't counted; `count(_:)` of a context counts all objects of a query, including
    /// unsaved ones.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - name: The name of the column; by default the property's.
    /// - Returns: A summary of one column.
    public func count(_ keyPath: PartialKeyPath<T>, as name: String? = nil) -> Summary<T> {
        summarized(.count(keyPath, as: name))
    }
}
