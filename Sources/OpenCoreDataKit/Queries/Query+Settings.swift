/// Conditions, order, window and the way in which objects are loaded.
extension Query {
    // MARK: Conditions

    /// Adds a condition.
    ///
    /// ```swift
    /// Query(Book.self).filter(#Predicate { $0.pages > 300 && $0.title.contains("o") })
    /// ```
    ///
    /// - Parameter predicate: The condition. Running the query throws an error if stores can't evaluate a part of it.
    public func filter(_ predicate: Predicate<T>) -> Self {
        do {
            return adding(.filter(try Translation.predicate(predicate)))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }

    /// Adds a condition.
    ///
    /// - Parameter predicate: The condition. Several conditions all have to be true.
    public func filter(_ predicate: NSPredicate) -> Self { adding(.filter(predicate)) }

    // MARK: Order

    /// Sorts the result. Objects without a value come first in ascending order.
    ///
    /// - Parameter descriptors: The first descriptor decides; the next one decides between equal values.
    public func sorted(_ descriptors: SortDescriptor<T>...) -> Self { sorted(descriptors) }

    /// Sorts the result.
    ///
    /// - Parameter descriptors: The first descriptor decides; an empty list removes the order.
    public func sorted(_ descriptors: [SortDescriptor<T>]) -> Self {
        do {
            return adding(.order(try descriptors.map { try Translation.sortDescriptor($0) }))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }

    /// Sorts the result by descriptors that name their keys.
    ///
    /// - Parameter descriptors: The first descriptor decides; the next one decides between equal values.
    @_disfavoredOverload
    public func sorted(_ descriptors: NSSortDescriptor...) -> Self { adding(.order(descriptors)) }

    /// Sorts the result by descriptors that name their keys.
    ///
    /// - Parameter descriptors: The first descriptor decides; an empty list removes the order.
    @_disfavoredOverload
    public func sorted(_ descriptors: [NSSortDescriptor]) -> Self { adding(.order(descriptors)) }

    // MARK: Window

    /// Limits the result.
    ///
    /// - Parameter count: The largest number of objects; 0 means no limit.
    public func limit(_ count: Int) -> Self {
        adding(count < 0 ? .impossible("The limit is \(count), and can't be negative.") : .limit(count))
    }

    /// Skips objects at the beginning, in the sort order.
    ///
    /// - Parameter count: The number of objects to skip.
    public func offset(_ count: Int) -> Self {
        adding(count < 0 ? .impossible("The offset is \(count), and can't be negative.") : .offset(count))
    }

    /// Loads objects in batches when they are used.
    ///
    /// - Parameter count: The size of a batch; 0 loads all objects at once.
    public func batched(by count: Int) -> Self {
        adding(count < 0 ? .impossible("The batch size is \(count), and can't be negative.") : .batch(count))
    }

    // MARK: Loading

    /// Loads related objects along with the result, with one query for each relationship instead of one for each
    /// object.
    ///
    /// - Parameter keyPaths: The relationships.
    public func prefetching(_ keyPaths: PartialKeyPath<T>...) -> Self { naming(keyPaths) { .prefetch($0) } }

    /// Loads related objects along with the result.
    ///
    /// - Parameter paths: The relationships. A path such as `author.books` has several levels.
    public func prefetching(paths: [String]) -> Self { adding(.prefetch(paths)) }

    /// Names the attributes that the caller needs. Others are loaded on access.
    ///
    /// This is a hint: the engine reads whole rows, which is faster than reading parts of them. The names are checked.
    ///
    /// - Parameter keyPaths: The attributes.
    public func fields(_ keyPaths: PartialKeyPath<T>...) -> Self { naming(keyPaths) { .fields($0) } }

    /// Names the attributes that the caller needs.
    ///
    /// - Parameter names: The names of the attributes.
    public func fields(named names: [String]) -> Self { adding(.fields(names)) }

    /// Leaves out objects of subentities.
    public func exactEntity() -> Self { adding(.exactEntity) }

    /// Leaves unsaved changes of the context, and of those above it, out of account when matching and ordering.
    public func storedOnly() -> Self { adding(.storedOnly) }

    /// Returns objects without reading their values, which are loaded on access.
    public func asFaults() -> Self { adding(.asFaults) }

    /// Removes equal rows of a ``Summary``. Objects differ always.
    public func distinct() -> Self { adding(.distinct) }

    /// Changes the fetch request itself, for what the kit has no word for.
    ///
    /// - Parameter change: Called each time that the query is run, in its place among the other settings, on the queue of the
    ///   context that runs it.
    public func adjusted(_ change: @escaping (NSFetchRequestBase) -> Void) -> Self { adding(.adjust(change)) }

    private func naming(_ keyPaths: [PartialKeyPath<T>], _ step: ([String]) -> QueryStep) -> Self {
        do {
            return adding(step(try keyPaths.map { try PropertyPath.name(of: $0) }))
        } catch {
            return adding(.impossible(DatabaseError.sentence(error)))
        }
    }
}
