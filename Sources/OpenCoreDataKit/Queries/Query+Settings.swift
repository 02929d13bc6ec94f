/// Conditions, order, window and the way in which objects are loaded.
extension Query {
    // MARK: Conditions

    /// Adds a condition.
    ///
    /// ```swift
    /// Query(Book.self).filter(#Predicate { $0.pages > 300 && $0.title.contains("o") })
    /// ```
    ///
    /// The predicate is translated once, here. Several conditions all have to be true. A predicate that can't be
    /// translated makes running the query throw ``DatabaseError/invalidQuery(entity:reason:)`` with the reason.
    ///
    /// - Parameter predicate: The condition. Running the query throws an error if stores can't evaluate a part of it.
    /// - Returns: The changed query.
    public func filter(_ predicate: Predicate<T>) -> Self {
        do {
            return adding(.filter(try Translation.predicate(predicate)))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }

    /// Adds a condition.
    ///
    /// For conditions that are made at run time, such as those of a search form. Use `#Predicate` where the compiler
    /// can check the properties.
    ///
    /// - Parameter predicate: The condition. Several conditions all have to be true.
    /// - Returns: The changed query.
    public func filter(_ predicate: NSPredicate) -> Self { adding(.filter(predicate)) }

    // MARK: Order

    /// Sorts the result. Objects without a value come first in ascending order.
    ///
    /// Replaces an earlier order. Objects with equal values come in any order, so add a descriptor of a unique property
    /// if pages of results have to be stable.
    ///
    /// ```swift
    /// let query = Query(Book.self).sorted(SortDescriptor(\.year, order: .reverse), SortDescriptor(\.title))
    /// ```
    ///
    /// - Parameter descriptors: The first descriptor decides; the next one decides between equal values.
    /// - Returns: The changed query.
    public func sorted(_ descriptors: SortDescriptor<T>...) -> Self { sorted(descriptors) }

    /// Sorts the result.
    ///
    /// Replaces an earlier order. A descriptor that compares in a way stores don't know makes running the query throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter descriptors: The first descriptor decides; an empty list removes the order.
    /// - Returns: The changed query.
    public func sorted(_ descriptors: [SortDescriptor<T>]) -> Self {
        do {
            return adding(.order(try descriptors.map { try Translation.sortDescriptor($0) }))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }

    /// Sorts the result by descriptors that name their keys.
    ///
    /// Replaces an earlier order. Use it for keys that are known only at run time. An unknown key is an error when the
    /// query is run.
    ///
    /// - Parameter descriptors: The first descriptor decides; the next one decides between equal values.
    /// - Returns: The changed query.
    @_disfavoredOverload
    public func sorted(_ descriptors: NSSortDescriptor...) -> Self { adding(.order(descriptors)) }

    /// Sorts the result by descriptors that name their keys.
    ///
    /// Replaces an earlier order.
    ///
    /// - Parameter descriptors: The first descriptor decides; an empty list removes the order.
    /// - Returns: The changed query.
    @_disfavoredOverload
    public func sorted(_ descriptors: [NSSortDescriptor]) -> Self { adding(.order(descriptors)) }

    // MARK: Window

    /// Limits the result.
    ///
    /// Unsaved objects of the context count. A negative number makes running the query throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter count: The largest number of objects; 0 means no limit.
    /// - Returns: The changed query.
    public func limit(_ count: Int) -> Self {
        adding(count < 0 ? .impossible("The limit is \(count), and can't be negative.") : .limit(count))
    }

    /// Skips objects at the beginning, in the sort order.
    ///
    /// The store has to go through the objects that are skipped, so later pages take longer; `after(_:)` doesn't have
    /// this cost. A negative number makes running the query throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter count: The number of objects to skip.
    /// - Returns: The changed query.
    public func offset(_ count: Int) -> Self {
        adding(count < 0 ? .impossible("The offset is \(count), and can't be negative.") : .offset(count))
    }

    /// Loads objects in batches when they are used.
    ///
    /// Only `allInBatches(_:)` of a context creates the objects batch by batch as well. A negative number
    /// makes running the query throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter count: The size of a batch; 0 loads all objects at once.
    /// - Returns: The changed query.
    public func batched(by count: Int) -> Self {
        adding(count < 0 ? .impossible("The batch size is \(count), and can't be negative.") : .batch(count))
    }

    // MARK: Loading

    /// Loads related objects along with the result, with one query for each relationship instead of one for each
    /// object.
    ///
    /// Replaces relationships that were named before. Use it for relationships that the program reads for every object
    /// of the result. Naming an attribute makes running the query throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// ```swift
    /// let query = Query(Author.self).prefetching(\.books)
    /// ```
    ///
    /// - Parameter keyPaths: The relationships.
    /// - Returns: The changed query.
    public func prefetching(_ keyPaths: PartialKeyPath<T>...) -> Self { naming(keyPaths) { .prefetch($0) } }

    /// Loads related objects along with the result.
    ///
    /// Replaces relationships that were named before. An unknown name makes running the query throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``, with the names that the entity has.
    ///
    /// - Parameter paths: The relationships. A path such as `author.books` has several levels.
    /// - Returns: The changed query.
    public func prefetching(paths: [String]) -> Self { adding(.prefetch(paths)) }

    /// Names the attributes that the caller needs. Others are loaded on access.
    ///
    /// This is a hint: the engine reads whole rows, which is faster than reading parts of them. The names are checked.
    ///
    /// - Parameter keyPaths: The attributes.
    /// - Returns: The changed query.
    public func fields(_ keyPaths: PartialKeyPath<T>...) -> Self { naming(keyPaths) { .fields($0) } }

    /// Names the attributes that the caller needs.
    ///
    /// Replaces names that were given before. It is a hint, as in ``fields(_:)``, and an unknown name makes running the
    /// query throw ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameter names: The names of the attributes.
    /// - Returns: The changed query.
    public func fields(named names: [String]) -> Self { adding(.fields(names)) }

    /// Leaves out objects of subentities.
    ///
    /// By default, a query for an entity also finds the objects of its subentities.
    ///
    /// - Returns: The changed query.
    public func exactEntity() -> Self { adding(.exactEntity) }

    /// Leaves unsaved changes of the context, and of those above it, out of account when matching and ordering.
    ///
    /// New objects aren't found, changed ones are matched by the values in the store, and deleted ones are found until
    /// they are saved. The returned objects still have their unsaved values.
    ///
    /// - Returns: The changed query.
    public func storedOnly() -> Self { adding(.storedOnly) }

    /// Returns objects without reading their values, which are loaded on access.
    ///
    /// Use it for objects that are only deleted, related to others or identified. Reading a property of such an object
    /// costs a query of its own, so don't use it for objects that are displayed.
    ///
    /// - Returns: The changed query.
    public func asFaults() -> Self { adding(.asFaults) }

    /// Removes equal rows of a ``Summary``. Objects differ always.
    ///
    /// Columns decide what is equal, so it belongs to summaries of plain properties:
    ///
    /// ```swift
    /// let years = try context.rows(Query(Book.self).distinct().values(of: \.year).sorted(by: \.year))
    /// ```
    ///
    /// - Returns: The changed query.
    public func distinct() -> Self { adding(.distinct) }

    /// Changes the fetch request itself, for what the kit has no word for.
    ///
    /// A change of the request's entity has no effect. The closure must not keep the request, and must be safe to call
    /// from several queues if the query is run in several contexts.
    ///
    /// - Parameter change: Called each time that the query is run, in its place among the other settings, on the queue of the
    ///   context that runs it.
    /// - Returns: The changed query.
    public func adjusted(_ change: @escaping (NSFetchRequestBase) -> Void) -> Self { adding(.adjust(change)) }

    private func naming(_ keyPaths: [PartialKeyPath<T>], _ step: ([String]) -> QueryStep) -> Self {
        do {
            return adding(step(try keyPaths.map { try PropertyPath.name(of: $0) }))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }
}
