public import OpenCoreDataKit

/// Keeps a table in step with the results of a query.
///
/// Keep a reference to the provider: a table whose provider is released has no rows. Use it on the main queue only.
///
/// ```swift
/// provider = TableViewDataProvider<Person>(context: World).bind(table) { person, indexPath in person.name ?? "" }
/// try provider.query(orderBy: .ascending("name"))
/// ```
@MainActor public final class TableViewDataProvider<T: NSManagedObject>: ViewDataProvider<T> {
    /// Stands between the results and the table, which gets moves as deletions and insertions.
    private var adapter: AnyObject?

    /// Makes the row of an object: whatever the surface shows, such as a cell. Set by binding.
    public var onGetCell: (@MainActor (T, IndexPath) -> Any)?
    /// Called when the user deletes a row; rows can't be deleted without it. Deleting the object is its work.
    public var onDeleteCell: (@MainActor (T, IndexPath) -> Void)?

    /// Creates a provider of nothing yet.
    ///
    /// Call `query(_:orderBy:sectionBy:options:)` and `bind(_:_:)` in any order; the table shows objects once both were
    /// called.
    ///
    /// - Parameter context: The context whose objects are shown.
    public override init(context: CoreDataMainContext) { super.init(context: context) }

    /// Shows the objects on a surface, which is held weakly and replaces the previous one.
    ///
    /// Objects of the last query are shown at once. Rows that move are deleted and inserted.
    ///
    /// - Parameters:
    ///   - surface: The table.
    ///   - onGetCell: Returns the row of an object.
    /// - Returns: The provider itself.
    @discardableResult
    public func bind<Row>(
        _ surface: some ListSurface<Row>, _ onGetCell: @escaping @MainActor (T, IndexPath) -> Row
    ) -> TableViewDataProvider<T> {
        let adapter = TableAdapter(surface)
        self.onGetCell = onGetCell
        show(on: adapter, row: onGetCell) { [weak self] in self?.onGetCell?($0, $1) }
        // Only now: the one before had to take leave of its table.
        self.adapter = adapter
        return self
    }

    // MARK: Deleting

    /// Whether the user may delete a row.
    ///
    /// `false` without ``onDeleteCell``, and for an index path that is out of bounds.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: Whether the row can be deleted.
    public func canDeleteRow(at indexPath: IndexPath) -> Bool {
        onDeleteCell != nil && objectAtIndexPath(indexPath) != nil
    }

    /// Does what is to be done when the user deletes a row.
    ///
    /// Calls ``onDeleteCell`` with the object. Nothing happens if the index path is out of bounds.
    ///
    /// - Parameter indexPath: The section and the row.
    public func deleteRow(at indexPath: IndexPath) {
        guard let object = objectAtIndexPath(indexPath) else { return }
        onDeleteCell?(object, indexPath)
    }
}

/// A table, to which a row that moves goes and comes.
@MainActor private final class TableAdapter<Row>: ListSurface {
    private weak var table: (any ListSurface<Row>)?

    init(_ table: some ListSurface<Row>) { self.table = table }

    var isShowing: Bool { table?.isShowing ?? false }

    func show(_ content: ListContent<Row>?) { table?.show(content) }

    func reload() { table?.reload() }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        guard let table else { return completion() }
        table.apply(changes.withoutMoves, completion: completion)
    }

    func showPlaceholder(_ isEmpty: Bool) { table?.showPlaceholder(isEmpty) }
}
